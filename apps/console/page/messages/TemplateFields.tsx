import { ChoiceField, LongTextField, TextField } from "../components/Fields.tsx"
import { ButtonFields } from "./ButtonFields.tsx"
import type { Draft } from "./Draft.ts"
import { type Examples, type Format, placeholdersOf } from "./Parts.ts"

const categories = [
  ["utility", "Utility"],
  ["marketing", "Marketing"],
  ["authentication", "Authentication"]
] as const

const formats = [
  ["positional", "Numbers: {{1}}"],
  ["named", "Names: {{first_name}}"]
] as const

const headers = [
  ["none", "None"],
  ["text", "Text"],
  ["image", "Image"],
  ["video", "Video"],
  ["document", "Document"],
  ["location", "Location"]
] as const

/** One field for each placeholder of a text. */
const ExampleFields = (props: {
  readonly of: string
  readonly text: string
  readonly format: Format
  readonly examples: Examples
  readonly onChange: (examples: Examples) => void
}) => {
  const names = placeholdersOf(props.text, props.format)
  if (names.length === 0) return null
  return (
    <div class="pair">
      {names.map((name) => (
        <TextField
          key={name}
          label={`Example of {{${name}}} in the ${props.of}`}
          required
          value={props.examples[name] ?? ""}
          onChange={(value) => props.onChange({ ...props.examples, [name]: value })}
        />
      ))}
    </div>
  )
}

export const TemplateFields = (props: {
  readonly draft: Draft
  readonly onChange: (part: Partial<Draft>) => void
}) => {
  const { draft, onChange } = props
  return (
    <div class="stack">
      <TextField
        label="Name"
        required
        hint="Lower-case letters, digits and underscores."
        value={draft.name}
        onChange={(name) => onChange({ name })}
      />
      <div class="pair">
        <TextField
          label="Language"
          required
          hint="Such as en, en_US or pt_BR."
          value={draft.language}
          onChange={(language) => onChange({ language })}
        />
        <ChoiceField
          label="Category"
          options={categories}
          value={draft.category}
          onChange={(category) => onChange({ category })}
        />
        <ChoiceField
          label="Placeholders are"
          options={formats}
          value={draft.parameter_format}
          onChange={(parameter_format) => onChange({ parameter_format })}
        />
      </div>
      <ChoiceField
        label="Header"
        options={headers}
        value={draft.header}
        onChange={(header) => onChange({ header })}
      />
      {draft.header === "text" && (
        <>
          <TextField
            label="Text of the header"
            required
            value={draft.header_text}
            onChange={(header_text) => onChange({ header_text })}
          />
          <ExampleFields
            of="header"
            text={draft.header_text}
            format={draft.parameter_format}
            examples={draft.header_examples}
            onChange={(header_examples) => onChange({ header_examples })}
          />
        </>
      )}
      {["image", "video", "document"].includes(draft.header) && (
        <TextField
          label="The registry's handle of an example"
          value={draft.header_handle}
          onChange={(header_handle) => onChange({ header_handle })}
        />
      )}
      <LongTextField
        label="Body"
        required
        rows={6}
        hint="Each placeholder has text on both sides."
        value={draft.body}
        onChange={(body) => onChange({ body })}
      />
      <ExampleFields
        of="body"
        text={draft.body}
        format={draft.parameter_format}
        examples={draft.body_examples}
        onChange={(body_examples) => onChange({ body_examples })}
      />
      <TextField label="Footer" value={draft.footer} onChange={(footer) => onChange({ footer })} />
      <ButtonFields buttons={draft.buttons} onChange={(buttons) => onChange({ buttons })} />
    </div>
  )
}
