import type { Template, TemplateButtons, TemplateTextHeader } from "outdial/client"

export type Component = Template["components"][number]
export type Button = TemplateButtons["buttons"][number]
export type Format = Template["parameter_format"]

/** Examples by their placeholders: what these are replaced by in a preview. */
export type Examples = Readonly<Record<string, string>>

/** The placeholders of a text, each once: positional ones by number. Whether they are right, the server says. */
export const placeholdersOf = (text: string, format: Format): ReadonlyArray<string> => {
  const names = [...new Set([...text.matchAll(/\{\{([^{}]*)\}\}/g)].map(([, name]) => name!))]
  return format === "positional" ? names.sort((a, b) => Number(a) - Number(b)) : names
}

/** A text in turns: what stands before a placeholder, its name, what stands behind it, and so on. */
export const turnsOf = (text: string): ReadonlyArray<string> => text.split(/\{\{([^{}]*)\}\}/)

const byPosition = (examples: ReadonlyArray<string> = []): Examples =>
  Object.fromEntries(examples.map((example, i) => [String(i + 1), example]))

const byName = (
  params: ReadonlyArray<{ readonly param_name: string; readonly example: string }> = []
): Examples => Object.fromEntries(params.map(({ example, param_name }) => [param_name, example]))

const isTextHeader = (component: Component): component is TemplateTextHeader =>
  component.type === "header" && component.format === "text"

/** The examples that a component has for the placeholders of its text. */
export const examplesOf = (component: Component): Examples => {
  if (isTextHeader(component)) {
    const { header_text, header_text_named_params } = component.example ?? {}
    return { ...byPosition(header_text), ...byName(header_text_named_params) }
  }
  if (component.type !== "body") return {}
  const { body_text, body_text_named_params } = component.example ?? {}
  return { ...byPosition(body_text?.[0]), ...byName(body_text_named_params) }
}
