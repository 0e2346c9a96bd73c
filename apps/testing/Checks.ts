import { Schema } from "effect"
import type { Failure } from "../../adapters/simulated/CarrierLedger.ts"
import { nearest } from "../platform/Nearest.ts"
import { complaint } from "../platform/Strict.ts"
import type { Callee, Fate, Talk } from "./Callee.ts"
import type { TestPlatformOptions } from "./TestPlatform.ts"

// Programs without types give these: what they give is checked as strictly as types do.

const strictly = <A>(what: string, schema: Schema.Schema<A>, given: unknown): void => {
  const wrong = complaint(what, schema, given)
  if (wrong !== undefined) throw new TypeError(wrong)
}

const Count = Schema.optional(Schema.Positive.pipe(Schema.int()))
const Text = Schema.optional(Schema.String)

const Options = Schema.Struct({
  start: Schema.optional(Schema.Union(Schema.String, Schema.DateFromSelf)),
  seed: Schema.optional(Schema.Int),
  strict: Schema.optional(Schema.Boolean),
  patience: Schema.optional(Schema.NonNegative),
  settings: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.String })),
  credits: Schema.optional(Schema.NonNegativeInt),
  max_concurrency: Count,
  calls_per_second: Count,
  from_number: Text,
  agent: Schema.optional(
    Schema.Struct({ name: Text, prompt: Text, first_message: Text, max_call_length: Count })
  )
} satisfies { readonly [Name in keyof TestPlatformOptions]-?: unknown })

/** @throws {TypeError} naming the option, and the one that is probably meant */
export const checkOptions = (options: unknown): void => strictly("", Options, options)

const talk = {
  seconds: Schema.Number,
  rings: Schema.Number,
  hung_up_by: Schema.Literal("callee", "agent"),
  recorded: Schema.Boolean
} satisfies { readonly [Name in keyof Talk]-?: unknown }

/** What the functions that make fates may be told. */
export const Told = {
  talk: Schema.partial(Schema.Struct(talk)),
  rings: Schema.partial(Schema.Struct({ rings: talk.rings })),
  failure: Schema.partial(Schema.Struct({ code: Schema.String, message: Schema.String }))
} as const

export const checkTold = (schema: (typeof Told)[keyof typeof Told], given: unknown): void =>
  strictly("", schema as Schema.Schema<unknown>, given)

const fields: { readonly [Does in Fate["does"]]: Schema.Struct.Fields } = {
  answer: talk,
  voicemail: talk,
  ring_out: { rings: talk.rings },
  reject: { rings: talk.rings },
  fail: { code: Schema.String, message: Schema.String },
  busy: {},
  invalid: {},
  stay_silent: {},
  vanish: {},
  leave_in_doubt: {}
}

/** @throws {TypeError} for what is no fate: `does` that there is not, fields of another fate */
export const checkFate = (fate: unknown): void => {
  const { does } = (fate ?? {}) as { readonly does?: unknown }
  if (typeof does !== "string") throw new TypeError("a fate is what answer(), busy() and their like return")
  if (!Object.hasOwn(fields, does)) {
    const meant = nearest(does, Object.keys(fields))
    throw new TypeError(
      `there is no fate "${does}"${meant === undefined ? "" : `; ${meant} is probably meant`}`
    )
  }
  const schema = Schema.Struct({ ...fields[does as Fate["does"]], does: Schema.String })
  strictly("", schema as unknown as Schema.Schema<unknown>, fate)
}

/** The same of a callee, which may be a function too. */
export const checkCallee = (callee: unknown): Callee => {
  if (typeof callee !== "function") checkFate(callee)
  return callee as Callee
}

const modes: ReadonlyArray<string> = [
  "unreachable",
  "time_out",
  "lost_answers"
] satisfies ReadonlyArray<Failure>

/** @throws {TypeError} for a way to fail that there is not */
export const checkFailure = (mode: string): void => {
  if (!modes.includes(mode)) throw new TypeError(`a carrier fails as one of ${modes.join(", ")}`)
}
