import type { Issue } from "../Issues.ts"
import type { Button, Component } from "./Component.ts"
import { placeholdersOf } from "./Placeholders.ts"
import type { ParameterFormat } from "./Template.ts"

type Path = Issue["path"]
type Text = Extract<Component, { readonly type: "header"; readonly format: "text" }> | BodyOf
type BodyOf = Extract<Component, { readonly type: "body" }>
type UrlOf = Extract<Button, { readonly type: "url" }>

interface NamedSample {
  readonly param_name: string
}

const issue = (path: Path, message: string): ReadonlyArray<Issue> => [{ path, message }]

/** The examples of a text under either format, and what they are called. */
const examplesOf = (component: Text) =>
  component.type === "header"
    ? {
        positional: "header_text",
        named: "header_text_named_params",
        lists: component.example?.header_text === undefined ? [] : [component.example.header_text],
        samples: component.example?.header_text_named_params
      }
    : {
        positional: "body_text",
        named: "body_text_named_params",
        lists: component.example?.body_text ?? [],
        samples: component.example?.body_text_named_params
      }

const matches = (names: ReadonlyArray<string>, samples: ReadonlyArray<NamedSample>): boolean =>
  samples.length === names.length && names.every((name) => samples.some((s) => s.param_name === name))

const count = (number: number) => (number === 1 ? "1 example" : `${number} examples`)

/** Every placeholder has an example, and there are no others. */
const exampleIssues = (
  component: Text,
  path: Path,
  format: ParameterFormat,
  names: ReadonlyArray<string>
): ReadonlyArray<Issue> => {
  const { lists, named, positional, samples } = examplesOf(component)
  const at = (key: string) => [...path, "example", key]
  if (format === "named") {
    if (lists.length > 0) return issue(at(positional), "is not for named parameters")
    return matches(names, samples ?? [])
      ? []
      : issue(at(named), `must have ${count(names.length)}: each placeholder's, by its name`)
  }
  if (samples !== undefined) return issue(at(named), "is not for positional parameters")
  if (lists.length > 1) return issue(at(positional), "must have one array of examples")
  return (lists[0]?.length ?? 0) === names.length
    ? []
    : issue(at(positional), `must have ${count(names.length)}, one for each placeholder`)
}

const textIssues = (component: Text, path: Path, format: ParameterFormat): ReadonlyArray<Issue> => {
  const reading = placeholdersOf(component.text, format)
  const at = [...path, "text"]
  if (reading.rule !== null) return issue(at, reading.rule)
  const { between, distinct, placeholders } = reading
  const examples = exampleIssues(component, path, format, distinct)
  if (component.type === "header") {
    return placeholders.length > 1 ? issue(at, "must have at most one placeholder") : examples
  }
  const some = placeholders.length > 0
  return [
    ...(some && (between[0] === "" || between.at(-1) === "")
      ? issue(at, "must not begin or end with a placeholder")
      : []),
    ...(between.slice(1, -1).includes("")
      ? issue(at, "must have something between one placeholder and the next")
      : []),
    ...examples
  ]
}

/** Source: RFC 3986, of a scheme that browsers open: a host, then what may stand in an address. */
const address =
  /^https?:\/\/(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?::[0-9]{1,5})?(?:[/?#][!-~]*)?$/i
const notInAddress = /["<>\\^`{|}]/

const urlIssues = ({ example, url }: UrlOf, path: Path): ReadonlyArray<Issue> => {
  const variable = url.endsWith("{{1}}")
  const fixed = variable ? url.slice(0, -"{{1}}".length) : url
  const at = [...path, "url"]
  if (fixed.includes("{{") || fixed.includes("}}")) {
    return issue(at, "must have at most one placeholder, {{1}}, at its end")
  }
  if (!address.test(fixed) || notInAddress.test(fixed)) return issue(at, "must be an http or https address")
  if (variable && example === undefined) return issue([...path, "example"], "is required for the placeholder")
  return !variable && example !== undefined
    ? issue([...path, "example"], "must not be given without a placeholder")
    : []
}

const buttonIssues = (buttons: ReadonlyArray<Button>, path: Path): ReadonlyArray<Issue> => {
  const ofType = (type: Button["type"]) => buttons.filter((button) => button.type === type)
  const replies = ofType("quick_reply").map(({ text }) => text)
  return [
    ...(ofType("url").length > 2 ? issue(path, "must have at most 2 of type url") : []),
    ...(ofType("phone_number").length > 1 ? issue(path, "must have at most 1 of type phone_number") : []),
    ...(new Set(replies).size < replies.length ? issue(path, "must have quick replies that differ") : []),
    ...buttons.flatMap((button, i) => (button.type === "url" ? urlIssues(button, [...path, i]) : []))
  ]
}

/** The rules that a component of the right shape breaks. */
export const componentIssues = (
  component: Component,
  path: Path,
  format: ParameterFormat
): ReadonlyArray<Issue> => {
  switch (component.type) {
    case "header":
      return component.format === "text" ? textIssues(component, path, format) : []
    case "body":
      return textIssues(component, path, format)
    case "footer":
      return /\{\{|\}\}/.test(component.text) ? issue([...path, "text"], "must not have placeholders") : []
    case "buttons":
      return buttonIssues(component.buttons, [...path, "buttons"])
  }
}

/** How many there may be of each type, whatever else is wrong with them. */
export const countIssues = (types: ReadonlyArray<unknown>): ReadonlyArray<Issue> => {
  const number = (type: Component["type"]) => types.filter((each) => each === type).length
  return [
    ...(number("body") === 1 ? [] : issue(["components"], "must have exactly one body")),
    ...(["header", "footer", "buttons"] as const).flatMap((type) =>
      number(type) > 1 ? issue(["components"], `must have at most one ${type}`) : []
    )
  ]
}
