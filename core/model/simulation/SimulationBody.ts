import { Either, Schema } from "effect"
import { Timestamp, timestampRule } from "../Codecs.ts"
import type { Issue } from "../Issues.ts"
import { type Body, reader } from "../json/Body.ts"
import { type CalleeModel, defaultModel, PartialModel } from "./CalleeModel.ts"

export const mostSeeds = 100
/** How many there are when the request does not say. */
export const standardSeeds = 10

const whole = (field: string, least: number, most: number) =>
  Schema.Int.pipe(Schema.between(least, most)).annotations({
    message: () => ({ message: `${field} must be an integer from ${least} to ${most}`, override: true })
  })

/** The first seed that a simulation takes; the others follow it. */
export const FirstSeed = whole("seed", 0, 2 ** 31 - 1 - mostSeeds)
export const Seeds = whole("seeds", 1, mostSeeds)

/** The body that asks for a simulation; everything has a default. */
export const SimulateBody = Schema.Struct({
  seeds: Schema.optional(Seeds).annotations({
    description: `How often it is played, each time with other chances; default ${standardSeeds}, fewer for many recipients`
  }),
  seed: Schema.optional(FirstSeed).annotations({
    description:
      "The first of the seeds, the others count on from it; default 1. The same seed plays the same"
  }),
  starts_at: Schema.optional(
    Timestamp.annotations({
      message: () => ({ message: `starts_at ${timestampRule}`, override: true })
    })
  ).annotations({ description: "By default when the campaign is scheduled, or now" }),
  model: Schema.optional(PartialModel).annotations({
    description: "How callees behave: what it does not say is the default"
  })
}).annotations({
  identifier: "SimulateCampaign",
  parseOptions: { onExcessProperty: "error", errors: "all" }
})

export interface SimulationRequest {
  readonly seeds: number | null
  readonly seed: number
  readonly starts_at: number | null
  readonly model: CalleeModel
}

const readBody = reader(SimulateBody, {})
const readModel = reader(PartialModel, {})

const requestOf = (
  checked: Either.Either<Body<typeof SimulateBody.Type>, ReadonlyArray<Issue>>
): Either.Either<SimulationRequest, ReadonlyArray<Issue>> =>
  Either.map(checked, ({ fields }) => ({
    seeds: fields.seeds ?? null,
    seed: fields.seed ?? 1,
    starts_at: fields.starts_at ?? null,
    model: { ...defaultModel, ...fields.model } as CalleeModel
  }))

/** Reads the text of a body that asks for a simulation; no text at all is an empty body. */
export const simulationFromJson = (text: string) => requestOf(readBody.text(text.trim() === "" ? "{}" : text))

/** The same of a body that is a value. */
export const simulationFromValue = (body: unknown) => requestOf(readBody.value(body))

/** Reads the text of a model, of which what it does not say is the default. */
export const modelFromJson = (text: string): Either.Either<CalleeModel, ReadonlyArray<Issue>> =>
  Either.map(readModel.text(text), ({ fields }) => ({ ...defaultModel, ...fields }) as CalleeModel)

/** The seeds from `first` on. */
export const seedsFrom = (first: number, count: number): ReadonlyArray<number> =>
  Array.from({ length: count }, (_, i) => first + i)
