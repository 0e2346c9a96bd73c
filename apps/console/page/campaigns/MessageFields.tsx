import type { Campaign, Template } from "outdial/client"
import { ChoiceField, TextField } from "../components/Fields.tsx"
import { words } from "../data/Format.ts"
import { placeholdersOf } from "../messages/Parts.ts"
import { Preview } from "../messages/Preview.tsx"

export type Chosen = NonNullable<Campaign["template"]>

/** What an address says was chosen; null where it says nothing that can be read. */
export const chosenOf = (text: string | null): Chosen | null => {
  try {
    const chosen = JSON.parse(text ?? "null") as Chosen | null
    return typeof chosen?.id === "string" ? chosen : null
  } catch {
    return null
  }
}

type Part = "header" | "body" | "buttons"

/** A place in a template that a variable of each recipient fills. */
interface Place {
  readonly part: Part
  readonly name: string
  readonly label: string
}

const placesOf = ({ components, parameter_format }: Template): ReadonlyArray<Place> =>
  components.flatMap((component): ReadonlyArray<Place> => {
    const filled = (part: "header" | "body", text: string) =>
      placeholdersOf(text, parameter_format).map((name) => ({
        part,
        name,
        label: `{{${name}}} in the ${part}`
      }))
    const ofHeader = (names: ReadonlyArray<string>) =>
      names.map((name) => ({ part: "header", name, label: `${words(name)} in the header` }) as const)
    switch (component.type) {
      case "header":
        if (component.format === "text") return filled("header", component.text)
        return ofHeader(
          component.format === "location" ? ["latitude", "longitude", "name", "address"] : ["link"]
        )
      case "body":
        return filled("body", component.text)
      case "buttons":
        return component.buttons.flatMap((button, i) =>
          button.type === "url" && button.url.includes("{{")
            ? [{ part: "buttons", name: String(i), label: `End of the address of ${button.text}` } as const]
            : []
        )
      default:
        return []
    }
  })

/** Which template a campaign sends, and what of each recipient fills its places. */
export const MessageFields = (props: {
  readonly templates: ReadonlyArray<Template>
  readonly value: Chosen
  readonly onChange: (value: Chosen) => void
}) => {
  const { onChange, templates, value } = props
  const template = templates.find(({ id }) => id === value.id)
  const places = template === undefined ? [] : placesOf(template)
  const { variables = {} } = value
  const columnOf = ({ name, part }: Place) => new Map(Object.entries(variables[part] ?? {})).get(name) ?? ""
  return (
    <>
      <ChoiceField
        label="Template"
        hint="Approved templates."
        options={templates.map(({ id, language, name }) => [id, `${name}, ${language}`])}
        value={value.id}
        onChange={(id) => onChange({ id })}
      />
      {template !== undefined && <Preview components={template.components} />}
      {places.length > 0 && (
        <fieldset>
          <legend>Columns of the list that fill the template</legend>
          {places.map((place) => (
            <TextField
              key={`${place.part} ${place.name}`}
              label={place.label}
              required
              value={columnOf(place)}
              onChange={(column) => {
                const part = { ...variables[place.part], [place.name]: column }
                onChange({ ...value, variables: { ...variables, [place.part]: part } })
              }}
            />
          ))}
        </fieldset>
      )}
    </>
  )
}
