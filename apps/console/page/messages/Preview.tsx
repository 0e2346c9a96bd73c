import { words } from "../data/Format.ts"
import { type Button, type Component, type Examples, examplesOf, turnsOf } from "./Parts.ts"

/** A text with its placeholders replaced by their examples; one without an example stands as it is. */
const Filled = ({ examples, text }: { readonly text: string; readonly examples: Examples }) => (
  <>
    {turnsOf(text).map((turn, i) =>
      i % 2 === 0 ? (
        turn
      ) : (
        <mark key={i} title={`{{${turn}}}`}>
          {examples[turn] || `{{${turn}}}`}
        </mark>
      )
    )}
  </>
)

const targetOf = (button: Button): string | null => {
  if (button.type === "quick_reply") return null
  return button.type === "phone_number" ? button.phone_number : (button.example?.[0] ?? button.url)
}

const Part = ({ component }: { readonly component: Component }) => {
  switch (component.type) {
    case "header":
      return component.format === "text" ? (
        <p class="message-header">
          <Filled text={component.text} examples={examplesOf(component)} />
        </p>
      ) : (
        <p class="message-media">{words(component.format)}</p>
      )
    case "body":
      return (
        <p class="message-body">
          <Filled text={component.text} examples={examplesOf(component)} />
        </p>
      )
    case "footer":
      return <p class="message-footer">{component.text}</p>
    case "buttons":
      return null
  }
}

/** A message as its recipient sees it, with the examples in place of what each message fills in. */
export const Preview = ({ components }: { readonly components: ReadonlyArray<Component> }) => {
  const buttons = components.flatMap((component) => (component.type === "buttons" ? component.buttons : []))
  return (
    <figure class="preview" aria-label="Preview of the message">
      <div class="message">
        {components.map((component) => (
          <Part key={component.type} component={component} />
        ))}
      </div>
      {buttons.length > 0 && (
        <ul class="message-buttons" aria-label="Buttons">
          {buttons.map((button, i) => (
            <li key={i}>
              <span class="message-button">{button.text}</span>
              {targetOf(button) !== null && <span class="second">{targetOf(button)}</span>}
            </li>
          ))}
        </ul>
      )}
    </figure>
  )
}
