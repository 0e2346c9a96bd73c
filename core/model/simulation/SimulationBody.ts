import { Either, Schema } from "effect"
import { Identifier, Timestamp, timestampRule } from "../Codecs.ts"
import type { Issue } from "../Issues.ts"
import { type Body, reader } from "../json/Body.ts"
import { inThousands } from "../Thousands.ts"
import { closed, PartialModel } from "./CalleeModel.ts"
import { type LearnFrom, mostObserved } from "./Learned.ts"

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

const Moment = (rule: string) => Timestamp.annotations({ message: () => ({ message: rule, override: true }) })

const From = Schema.Struct({
  campaign_id: Schema.optional(Identifier("campaign_id")).annotations({
    description: "From the calls of this campaign; by default from all calls of the workspace"
  }),
  since: Schema.optional(Moment(timestampRule)).annotations({
    description: `From calls begun at this moment or later, the newest ${inThousands(mostObserved)} at most`
  })
}).annotations({ identifier: "LearnCalleesFrom", ...closed })

const GivenModel = Schema.Struct({
  ...PartialModel.fields,
  from: Schema.optional(From).annotations({
    description:
      "What the model does not say is learned from the workspace's own calls. Where these are few it is near to the " +
      "default, and each seed has callees of its own: as they may be by what is known of them"
  })
}).annotations({ identifier: "GivenCalleeModel", ...closed })

/** The body that asks for a simulation; everything has a default. */
export const SimulateBody = Schema.Struct({
  seeds: Schema.optional(Seeds).annotations({
    description: `How often it is played, each time with other chances; default ${standardSeeds}, fewer for many recipients`
  }),
  seed: Schema.optional(FirstSeed).annotations({
    description:
      "The first of the seeds, the others count on from it; default 1. The same seed plays the same"
  }),
  starts_at: Schema.optional(Moment(`starts_at ${timestampRule}`)).annotations({
    description: "By default when the campaign is scheduled, or now"
  }),
  model: Schema.optional(GivenModel).annotations({
    description: "How callees behave: what it does not say is the default, or, with `from`, learned"
  })
}).annotations({
  identifier: "SimulateCampaign",
  parseOptions: { onExcessProperty: "error", errors: "all" }
})

export interface SimulationRequest {
  readonly seeds: number | null
  readonly seed: number
  readonly starts_at: number | null
  readonly model: PartialModel
  /** Null: what the model does not say is the default. */
  readonly from: LearnFrom | null
}

const readBody = reader(SimulateBody, {})
const readModel = reader(PartialModel, {})

const requestOf = (
  checked: Either.Either<Body<typeof SimulateBody.Type>, ReadonlyArray<Issue>>
): Either.Either<SimulationRequest, ReadonlyArray<Issue>> =>
  Either.map(checked, ({ fields }) => {
    const { from, ...model } = fields.model ?? {}
    return {
      seeds: fields.seeds ?? null,
      seed: fields.seed ?? 1,
      starts_at: fields.starts_at ?? null,
      model,
      from: from === undefined ? null : { campaign_id: from.campaign_id ?? null, since: from.since ?? null }
    }
  })

/** Reads the text of a body that asks for a simulation; no text at all is an empty body. */
export const simulationFromJson = (text: string) => requestOf(readBody.text(text.trim() === "" ? "{}" : text))

/** The same of a body that is a value. */
export const simulationFromValue = (body: unknown) => requestOf(readBody.value(body))

/** Reads the text of a model, of which parts may be left out. */
export const modelFromJson = (text: string): Either.Either<PartialModel, ReadonlyArray<Issue>> =>
  Either.map(readModel.text(text), ({ fields }) => fields)

/** The seeds from `first` on. */
export const seedsFrom = (first: number, count: number): ReadonlyArray<number> =>
  Array.from({ length: count }, (_, i) => first + i)
