import { Schema } from "effect"

const Rate = Schema.Number.pipe(
  Schema.between(0, 1, { message: () => "must be a number from 0 to 1" })
).annotations({ message: () => ({ message: "must be a number from 0 to 1", override: true }) })

const seconds = (most: number) =>
  Schema.Int.pipe(Schema.between(1, most)).annotations({
    message: () => ({ message: `must be a whole number of seconds from 1 to ${most}`, override: true })
  })

const closed = { parseOptions: { onExcessProperty: "error", errors: "all" } } as const

/** How often a dial comes to what, of all dials. */
export const Rates = Schema.Struct({
  answered: Rate.annotations({ description: "The callee answers and talks" }),
  voicemail: Rate.annotations({ description: "A machine answers" }),
  no_answer: Rate.annotations({ description: "It rings until the carrier gives up" }),
  busy: Rate,
  failed: Rate.annotations({ description: "The carrier cannot complete the call" })
})
  .pipe(
    Schema.filter(
      (rates) =>
        Math.abs(Object.values(rates).reduce((sum, rate) => sum + rate, 0) - 1) < 1e-6 ||
        "the rates of an hour must sum to 1"
    )
  )
  .annotations({ identifier: "CalleeRates", ...closed })
export type Rates = typeof Rates.Type

/** Times that are log-normally distributed: half of them are below the median, most within a few spreads of it. */
const Spell = Schema.Struct({
  median_seconds: seconds(3_600),
  spread: Schema.Number.pipe(Schema.between(0, 3)).annotations({
    description: "The standard deviation of the time's logarithm; 0: all are the median",
    message: () => ({ message: "must be a number from 0 to 3", override: true })
  })
}).annotations({ identifier: "CalleeSpell", ...closed })

const perDay = 24

/** How callees behave. Every time is in whole seconds. */
export const CalleeModel = Schema.Struct({
  rates: Schema.Array(Rates)
    .pipe(
      Schema.filter(
        ({ length }) =>
          length === 1 || length === perDay || "rates must have one element, or one for each of 24 hours"
      )
    )
    .annotations({
      description:
        "By the hour of the recipient's local day at which the dial starts, from midnight: 24, or one for all"
    }),
  talk: Spell.annotations({ description: "How long callees who answer talk, up to the longest call" }),
  voicemail: Spell.annotations({ description: "How long a call lasts that a machine answers" }),
  answer_seconds: seconds(60).annotations({
    description: "Who answers does so within this time, evenly spread"
  }),
  ring_seconds: seconds(110).annotations({ description: "How long it rings when the callee does not answer" })
}).annotations({ identifier: "CalleeModel", ...closed })
export type CalleeModel = typeof CalleeModel.Type

const hour = (answered: number, voicemail: number, busy: number): Rates => ({
  answered,
  voicemail,
  busy,
  failed: 0.02,
  no_answer: Math.round((0.98 - answered - voicemail - busy) * 1_000) / 1_000
})

const night = hour(0.08, 0.3, 0.02)
const morning = hour(0.22, 0.25, 0.06)
const day = hour(0.28, 0.22, 0.07)
const noon = hour(0.25, 0.24, 0.06)
const evening = hour(0.36, 0.18, 0.08)
const late = hour(0.2, 0.26, 0.04)

/**
 * What is taken for a callee of whom nothing is known: private numbers, called by a caller whom they do not
 * expect. An assumption and no measurement: a user who has records of earlier calls should give what they show.
 */
export const defaultModel: CalleeModel = {
  rates: [
    ...Array.from({ length: 7 }, () => night),
    ...Array.from({ length: 2 }, () => morning),
    ...Array.from({ length: 3 }, () => day),
    ...Array.from({ length: 2 }, () => noon),
    ...Array.from({ length: 3 }, () => day),
    ...Array.from({ length: 4 }, () => evening),
    ...Array.from({ length: 3 }, () => late)
  ],
  talk: { median_seconds: 70, spread: 0.8 },
  voicemail: { median_seconds: 15, spread: 0.3 },
  answer_seconds: 20,
  ring_seconds: 30
}

/** A model of which some parts are told, and the others are the default's. */
export const PartialModel = Schema.partial(CalleeModel).annotations({
  identifier: "PartialCalleeModel",
  ...closed
})
export type PartialModel = typeof PartialModel.Type
