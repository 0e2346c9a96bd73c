import { ChoiceField, TextField } from "../components/Fields.tsx"
import type { Button } from "./Parts.ts"

const types = [
  ["quick_reply", "Quick reply"],
  ["url", "Opens an address"],
  ["phone_number", "Calls a number"]
] as const

/** A button of another type, which keeps its text. */
const ofType = (type: Button["type"], text: string): Button => {
  switch (type) {
    case "quick_reply":
      return { type, text }
    case "url":
      return { type, text, url: "https://" }
    case "phone_number":
      return { type, text, phone_number: "" }
  }
}

const hasPlaceholder = (url: string) => url.includes("{{")

const Target = (props: { readonly button: Button; readonly onChange: (button: Button) => void }) => {
  const { button, onChange } = props
  if (button.type === "quick_reply") return null
  if (button.type === "phone_number") {
    return (
      <TextField
        label="Number it calls"
        required
        value={button.phone_number}
        onChange={(phone_number) => onChange({ ...button, phone_number })}
      />
    )
  }
  const { example, ...rest } = button
  return (
    <>
      <TextField
        label="Address it opens"
        required
        hint="It may end with the placeholder {{1}}."
        value={button.url}
        onChange={(url) =>
          onChange({ ...rest, url, ...(hasPlaceholder(url) && { example: example ?? [""] }) })
        }
      />
      {hasPlaceholder(button.url) && (
        <TextField
          label="Example of the whole address"
          required
          value={example?.[0] ?? ""}
          onChange={(text) => onChange({ ...button, example: [text] })}
        />
      )}
    </>
  )
}

export const ButtonFields = (props: {
  readonly buttons: ReadonlyArray<Button>
  readonly onChange: (buttons: ReadonlyArray<Button>) => void
}) => {
  const { buttons, onChange } = props
  const change = (i: number, button: Button) => onChange(buttons.with(i, button))
  return (
    <fieldset>
      <legend>Buttons</legend>
      {buttons.map((button, i) => (
        <fieldset key={i} class="card">
          <legend class="visually-hidden">Button {i + 1}</legend>
          <div class="pair">
            <TextField
              label="Text of the button"
              required
              value={button.text}
              onChange={(text) => change(i, { ...button, text })}
            />
            <ChoiceField
              label="What it does"
              options={types}
              value={button.type}
              onChange={(type) => change(i, ofType(type, button.text))}
            />
          </div>
          <Target button={button} onChange={(changed) => change(i, changed)} />
          <button
            type="button"
            class="button"
            onClick={() => onChange(buttons.filter((_, other) => other !== i))}
          >
            Remove the button
          </button>
        </fieldset>
      ))}
      <button type="button" class="button" onClick={() => onChange([...buttons, ofType("quick_reply", "")])}>
        Add a button
      </button>
    </fieldset>
  )
}
