import type { NewTemplate, Template } from "outdial/client"
import {
  type Button,
  type Component,
  type Examples,
  examplesOf,
  type Format,
  placeholdersOf
} from "./Parts.ts"

type Media = "image" | "video" | "document"

/** A template as it is edited. */
export interface Draft {
  readonly name: string
  readonly language: string
  readonly category: Template["category"]
  readonly parameter_format: Format
  readonly header: "none" | "text" | Media | "location"
  readonly header_text: string
  readonly header_examples: Examples
  /** The registry's handle of an example; empty: none. */
  readonly header_handle: string
  readonly body: string
  readonly body_examples: Examples
  readonly footer: string
  readonly buttons: ReadonlyArray<Button>
}

export const empty: Draft = {
  name: "",
  language: "en",
  category: "utility",
  parameter_format: "positional",
  header: "none",
  header_text: "",
  header_examples: {},
  header_handle: "",
  body: "",
  body_examples: {},
  footer: "",
  buttons: []
}

/** What a draft's text has as examples, by the property that its kind of placeholder asks for. */
const exampleOf = (text: string, examples: Examples, format: Format) => {
  const names = placeholdersOf(text, format)
  if (names.length === 0) return undefined
  const values = names.map((name) => examples[name] ?? "")
  return { values, named: names.map((param_name, i) => ({ param_name, example: values[i]! })) }
}

const headerOf = (draft: Draft): ReadonlyArray<Component> => {
  const { header, header_examples, header_handle, header_text, parameter_format } = draft
  if (header === "none") return []
  if (header === "location") return [{ type: "header", format: header }]
  if (header !== "text") {
    const example = header_handle === "" ? {} : { example: { header_handle: [header_handle] } }
    return [{ type: "header", format: header, ...example }]
  }
  const found = exampleOf(header_text, header_examples, parameter_format)
  const example =
    found === undefined
      ? {}
      : parameter_format === "named"
        ? { example: { header_text_named_params: found.named } }
        : { example: { header_text: found.values } }
  return [{ type: "header", format: "text", text: header_text, ...example }]
}

const bodyOf = ({ body, body_examples, parameter_format }: Draft): Component => {
  const found = exampleOf(body, body_examples, parameter_format)
  const example =
    found === undefined
      ? {}
      : parameter_format === "named"
        ? { example: { body_text_named_params: found.named } }
        : { example: { body_text: [found.values] } }
  return { type: "body", text: body, ...example }
}

/** The components of a draft, as the interface takes them. */
export const componentsOf = (draft: Draft): ReadonlyArray<Component> => [
  ...headerOf(draft),
  bodyOf(draft),
  ...(draft.footer === "" ? [] : [{ type: "footer" as const, text: draft.footer }]),
  ...(draft.buttons.length === 0 ? [] : [{ type: "buttons" as const, buttons: draft.buttons }])
]

export const templateOf = (draft: Draft): NewTemplate => {
  const { category, language, name, parameter_format } = draft
  return { name, language, category, parameter_format, components: componentsOf(draft) }
}

const partOf = (component: Component): Partial<Draft> => {
  switch (component.type) {
    case "header":
      if (component.format === "text") {
        return { header: "text", header_text: component.text, header_examples: examplesOf(component) }
      }
      return component.format === "location"
        ? { header: "location" }
        : { header: component.format, header_handle: component.example?.header_handle[0] ?? "" }
    case "body":
      return { body: component.text, body_examples: examplesOf(component) }
    case "footer":
      return { footer: component.text }
    case "buttons":
      return { buttons: component.buttons }
  }
}

/** A draft that begins as a template stands. */
export const draftOf = ({ category, components, language, name, parameter_format }: Template): Draft =>
  Object.assign({ ...empty, name, language, category, parameter_format }, ...components.map(partOf))
