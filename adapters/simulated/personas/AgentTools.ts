import { builtInNames } from "../../../core/model/agents/Talk.ts"
import type { ToolDefinition } from "../../../core/ports/AgentModel.ts"
import { announcement, asking, optsOut } from "./Lexicon.ts"
import { touches } from "./Limits.ts"
import type { Reading } from "./PromptReading.ts"
import { bare, cut, sentence, shared, stemsOf, wordsOf } from "./Text.ts"
import type { Utterance } from "./Utterance.ts"

/** A tool to use, and what is said before it. */
export interface ToolChoice {
  readonly name: string
  readonly arguments: string
  readonly text: string
}

export interface ToolMoment {
  readonly reading: Reading
  readonly tools: ReadonlyArray<ToolDefinition>
  /** What the callee has said last. */
  readonly heard: Utterance
  /** How often the agent has spoken. */
  readonly turns: number
  /** Every use so far, as `name arguments`. */
  readonly used: ReadonlySet<string>
}

type Properties = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Properties =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const mail = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/
const date = /\b\d{4}-\d{2}-\d{2}\b/
const phone = /\+\d[\d ]{6,18}\d/
const reference = /\b(?=[A-Za-z-]*\d)[A-Za-z0-9][A-Za-z0-9-]*\b/

const found = (form: RegExp, text: string): string | undefined => form.exec(text)?.[0]

/** The value of one argument, as far as the callee's own words hold it. */
const valueOf = (name: string, schema: unknown, heard: string): unknown => {
  if (!isObject(schema)) return undefined
  if (Array.isArray(schema["enum"])) {
    const words = ` ${wordsOf(heard).join(" ")} `
    const named = schema["enum"].filter(
      (each) => typeof each === "string" && words.includes(` ${wordsOf(each).join(" ")} `)
    )
    return named.length === 1 ? named[0] : undefined
  }
  if (schema["type"] === "number" || schema["type"] === "integer") {
    const numbers = heard.match(/(?<![\w.])-?\d+(?:\.\d+)?(?![\w.]*\d)/g) ?? []
    const number = numbers.length === 1 ? Number(numbers[0]) : Number.NaN
    return Number.isNaN(number) || (schema["type"] === "integer" && !Number.isInteger(number))
      ? undefined
      : number
  }
  if (schema["type"] !== "string") return undefined
  if (schema["format"] === "date" || /date|day/i.test(name)) return found(date, heard)
  if (/mail/i.test(name)) return found(mail, heard)
  if (/phone|mobile/i.test(name)) return found(phone, heard)
  return /(?:^|_)(?:id|no|number|code|ref|reference)$|(?:Id|Number|Code)$|^order|^reference/.test(name)
    ? found(reference, heard)
    : undefined
}

/** Arguments made of the callee's words; undefined when one that is required is not among them. */
const argumentsFor = ({ parameters }: ToolDefinition, heard: string): string | undefined => {
  const properties = isObject(parameters["properties"]) ? parameters["properties"] : {}
  const required: ReadonlyArray<unknown> = Array.isArray(parameters["required"]) ? parameters["required"] : []
  const values: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(properties)) {
    const value = valueOf(name, schema, heard)
    if (value !== undefined) values[name] = value
  }
  return required.every((name) => Object.hasOwn(values, String(name))) ? JSON.stringify(values) : undefined
}

const namesOf = new WeakMap<
  ToolDefinition,
  { readonly name: ReadonlySet<string>; readonly all: ReadonlySet<string> }
>()

const stemsOfTool = (tool: ToolDefinition) => {
  const known = namesOf.get(tool)
  if (known !== undefined) return known
  const name = tool.name.replaceAll("_", " ").replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ")
  const stems = { name: stemsOf(name), all: stemsOf(`${name} ${tool.description}`) }
  namesOf.set(tool, stems)
  return stems
}

/** A tool of the agent's own that does what the callee asks for: its name and description say it in the same words. */
const ownTool = ({ heard, reading, tools, used }: ToolMoment): ToolChoice | null => {
  if (!asking.test(heard.text) && !heard.text.includes("?")) return null
  if (reading.limits.some((limit) => !limit.isConditional && touches(limit, heard.meant))) return null
  let best: (ToolChoice & { readonly score: number }) | null = null
  for (const tool of tools) {
    if ((builtInNames as ReadonlyArray<string>).includes(tool.name)) continue
    const stems = stemsOfTool(tool)
    const score = shared(stems.all, heard.stems)
    if (shared(stems.name, heard.stems) === 0 || score < 2 || score <= (best?.score ?? 0)) continue
    const given = argumentsFor(tool, heard.text)
    if (given === undefined || used.has(`${tool.name} ${given}`)) continue
    best = { name: tool.name, arguments: given, text: "One moment, I will see to that.", score }
  }
  return best
}

/** The number whose description is nearest to what the callee asks for, or else the first. */
const transfer = ({ description, parameters }: ToolDefinition, heard: Utterance): ToolChoice | null => {
  const to = isObject(parameters["properties"]) ? parameters["properties"]["to"] : undefined
  const numbers: ReadonlyArray<unknown> = isObject(to) && Array.isArray(to["enum"]) ? to["enum"] : []
  let best: { readonly number: string; readonly score: number } | null = null
  for (const number of numbers) {
    if (typeof number !== "string") continue
    const [, about = ""] = description.split(number)
    const score = shared(stemsOf(about.split(/\+\d{6}/, 1)[0]!), heard.stems)
    if (best === null || score > best.score) best = { number, score }
  }
  if (best === null) return null
  return { name: "transfer", arguments: JSON.stringify({ to: best.number }), text: "I will put you through." }
}

/** The tool that what the callee said calls for; null when none does. */
export const toolFor = (moment: ToolMoment): ToolChoice | null => {
  const { heard, tools, turns, used } = moment
  const has = (name: string) => tools.find((tool) => tool.name === name)
  const once = (name: string) => has(name) !== undefined && !used.has(`${name} {}`)
  if (turns <= 2 && once("voicemail") && announcement.test(heard.text) && !heard.text.trim().endsWith("?")) {
    return { name: "voicemail", arguments: "{}", text: "" }
  }
  if (once("do_not_call") && optsOut(heard.text)) return { name: "do_not_call", arguments: "{}", text: "" }
  const throughTo = heard.intent === "human" ? has("transfer") : undefined
  return (throughTo === undefined ? null : transfer(throughTo, heard)) ?? ownTool(moment)
}

const asWords = (name: string): string =>
  name
    .replaceAll("_", " ")
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ")
    .toLowerCase()

const failing = "I am sorry, I cannot find that out at the moment."

/** What a tool has answered, as it is told to the callee. */
export const toldOf = (result: string): string => {
  let value: unknown = result
  try {
    value = JSON.parse(result)
  } catch {
    // Plain words.
  }
  if (isObject(value)) {
    if (value["ok"] === false || "error" in value) return failing
    if (value["ok"] === null) return "I am still waiting for an answer to that."
    for (const name of ["message", "text", "answer", "summary"]) {
      if (typeof value[name] === "string") return sentence(cut(value[name], 300))
    }
    const members = Object.entries(value).filter(
      ([name, each]) => name !== "ok" && ["string", "number", "boolean"].includes(typeof each)
    )
    return members
      .slice(0, 3)
      .map(([name, each]) =>
        sentence(
          `the ${asWords(name)} is ${each === true ? "yes" : each === false ? "no" : bare(String(each))}`
        )
      )
      .join(" ")
  }
  return typeof value === "object" || value === "" ? "That is done." : sentence(cut(String(value), 300))
}
