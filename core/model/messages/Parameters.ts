import { Either } from "effect"
import type { Variable } from "../agents/Prompt.ts"
import type { Issue } from "../Issues.ts"
import type { Component } from "../templates/Component.ts"
import { placeholdersOf } from "../templates/Placeholders.ts"
import type { Template } from "../templates/Template.ts"

/** The parts of a template that take values; `buttons` by their position among the buttons, from 0. */
export type Part = "header" | "body" | "buttons"

/** For each part, its slots and the text of each. */
export type Parameters = Readonly<Record<Part, ReadonlyMap<string, string>>>

/** For each part, its slots and the variable of a recipient that fills each. */
export type Mapping = { readonly [part in Part]?: Readonly<Record<string, string>> | undefined }

export interface Slot {
  readonly part: Part
  /** The placeholder's number or name, a button's position, or `link` for the file of a header. */
  readonly name: string
}

const inText = (part: Part, text: string, template: Template): ReadonlyArray<Slot> => {
  const reading = placeholdersOf(text, template.parameter_format)
  return reading.rule === null ? reading.distinct.map((name) => ({ part, name })) : []
}

const located = ["latitude", "longitude", "name", "address"]

const slotsIn = (component: Component, template: Template): ReadonlyArray<Slot> => {
  switch (component.type) {
    case "header":
      if (component.format === "text") return inText("header", component.text, template)
      return (component.format === "location" ? located : ["link"]).map((name) => ({ part: "header", name }))
    case "body":
      return inText("body", component.text, template)
    case "footer":
      return []
    case "buttons":
      return component.buttons.flatMap((button, i) =>
        button.type === "url" && button.url.endsWith("{{1}}")
          ? [{ part: "buttons" as const, name: String(i) }]
          : []
      )
  }
}

/** Everything of a template that has to be filled for each message. */
export const slotsOf = (template: Template): ReadonlyArray<Slot> =>
  template.components.flatMap((component) => slotsIn(component, template))

const parts: ReadonlyArray<Part> = ["header", "body", "buttons"]

/** What is wrong with a mapping: slots that it leaves open, and names that the template does not have. */
export const mappingIssues = (
  template: Template,
  mapping: Mapping,
  path: Issue["path"]
): ReadonlyArray<Issue> => {
  const slots = slotsOf(template)
  const open = slots.filter(({ name, part }) => !Object.hasOwn(mapping[part] ?? {}, name))
  const strange = parts.flatMap((part) =>
    Object.keys(mapping[part] ?? {})
      .filter((name) => !slots.some((slot) => slot.part === part && slot.name === name))
      .map(() => ({ part }))
  )
  return [
    ...open.map(({ name, part }) => ({
      path: [...path, part],
      message: `must name the variable of a recipient that fills ${name}`
    })),
    ...strange.map(({ part }) => ({
      path: [...path, part],
      message: "names something that the template does not have to be filled with"
    }))
  ]
}

/** The text of a variable in a message; null when there is nothing to say. */
const textOf = (value: Variable | undefined): string | null => {
  const text = value === undefined || value === null ? "" : String(value).replace(/\s+/g, " ").trim()
  return text === "" ? null : text
}

/** Fills a template from a recipient's variables. Left is the first slot for which the recipient has nothing. */
export const fill = (
  template: Template,
  mapping: Mapping,
  variables: ReadonlyMap<string, Variable>
): Either.Either<Parameters, Slot> => {
  const filled = {
    header: new Map<string, string>(),
    body: new Map<string, string>(),
    buttons: new Map<string, string>()
  }
  for (const slot of slotsOf(template)) {
    const variable = mapping[slot.part]?.[slot.name]
    const text = variable === undefined ? null : textOf(variables.get(variable))
    if (text === null) return Either.left(slot)
    filled[slot.part].set(slot.name, text)
  }
  return Either.right(filled)
}
