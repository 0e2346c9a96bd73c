import { Layer, Schema } from "effect"
import type { Options } from "./Options.ts"
import type { AudioStore } from "./ports/Audio.ts"
import type { Carrier } from "./ports/Carrier.ts"
import type { Inventory } from "./ports/Inventory.ts"
import type { Generator, Simulator } from "./ports/Model.ts"
import type { Registry } from "./ports/Registry.ts"
import type { Sender } from "./ports/Sender.ts"
import type { Sink } from "./ports/Sink.ts"
import type { Reviewer, TalkingModel, Tools } from "./ports/Talk.ts"
import type { Tokens } from "./ports/Tokens.ts"
import { InvalidOptions } from "./promises/Refusals.ts"
import { complaint, Function } from "../platform/Strict.ts"

/** Ports as plain objects. */
interface Plain {
  readonly carrier: Carrier
  readonly sender: Sender
  readonly audio: AudioStore
  readonly sink: Sink
  readonly inventory: Inventory
  readonly registry: Registry
  readonly generator: Generator
  readonly simulator: Simulator
  readonly agentModel: TalkingModel
  readonly reviewer: Reviewer
  readonly tools: Tools
  readonly tokens: Tokens
}

type Kind = "must" | "may" | "text"

type Members<Port> = {
  readonly [Name in keyof Port]-?: undefined extends Port[Name]
    ? string extends Port[Name]
      ? "text"
      : "may"
    : "must"
}

/** The functions that each port must have and may have, and the text that it may have. */
const members: { readonly [Name in keyof Plain]: Members<Plain[Name]> } = {
  carrier: { dial: "must", lookup: "may", hangUp: "may", ping: "may", onProgress: "may" },
  sender: { send: "must", ping: "may", onProgress: "may", onReply: "may" },
  audio: { find: "must", bring: "must", remove: "must" },
  sink: { deliver: "must", vet: "may" },
  inventory: { search: "must" },
  registry: { submit: "must", remove: "must" },
  generator: { generate: "must" },
  simulator: { personaTurn: "must", judge: "must" },
  agentModel: { name: "text", reply: "must" },
  reviewer: { review: "must" },
  tools: { run: "must", vet: "may" },
  tokens: { verify: "must" }
}

const schemas = {
  must: Function,
  may: Schema.optional(Function),
  text: Schema.optional(Schema.NonEmptyString)
}

const schemaOf = (names: Readonly<Record<string, Kind>>) =>
  Schema.Struct(Object.fromEntries(Object.entries(names).map(([name, kind]) => [name, schemas[kind]])))

const Port = Schema.declare((value: unknown): value is Layer.Layer<never> =>
  Layer.isLayer(value)
).annotations({
  message: () => ({ message: "must be a layer", override: true })
})
const given = Schema.optional(Schema.Unknown)

const OptionsSchema = Schema.Struct({
  store: Schema.optional(Schema.Union(Schema.String, Port)),
  carrier: given,
  sender: given,
  audio: given,
  callbacks: Schema.optional(Port),
  generator: given,
  simulator: given,
  agentModel: given,
  reviewer: given,
  tools: given,
  inventory: given,
  sink: given,
  registry: given,
  tokens: given,
  settings: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.UndefinedOr(Schema.String) })),
  onError: Schema.optional(Function),
  log: Schema.optional(Function)
} satisfies { readonly [Name in keyof Options]-?: unknown })

const isLiteral = (value: object) => [Object.prototype, null].includes(Object.getPrototypeOf(value))

const portComplaint = (name: keyof Plain, port: unknown): string | undefined => {
  if (port === undefined || Layer.isLayer(port)) return undefined
  // An object of a class may have more than the port needs.
  const excess = typeof port === "object" && port !== null && !isLiteral(port) ? "ignore" : "error"
  return complaint(name, schemaOf(members[name]), port, excess)
}

/** Refuses options that their types do not allow: a name that there is not, a function that is missing. */
export const check = (options: Options): void => {
  const whole = complaint("", OptionsSchema, options)
  if (whole !== undefined)
    throw new InvalidOptions(whole === "must be an object" ? "the options must be an object" : whole)
  for (const name of Object.keys(members) as ReadonlyArray<keyof Plain>) {
    const wrong = portComplaint(name, options[name])
    if (wrong !== undefined) throw new InvalidOptions(wrong)
  }
}
