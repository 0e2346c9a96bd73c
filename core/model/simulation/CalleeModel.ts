import { Schema } from "effect"

const Rate = Schema.Number.pipe(
  Schema.between(0, 1, { message: () => "must be a number from 0 to 1" })
).annotations({ message: () => ({ message: "must be a number from 0 to 1", override: true }) })

const seconds = (most: number) =>
  Schema.Int.pipe(Schema.between(1, most)).annotations({
    message: () => ({ message: `must be a whole number of seconds from 1 to ${most}`, override: true })
  })

export const closed = { parseOptions: { onExcessProperty: "error", errors: "all" } } as const

/** How often a dial comes to what, of all dials. */
export const Rates = Schema.Struct({
  answered: Rate.annotations({ description: "The callee answers and talks" }),
  voicemail: Rate.annotations({ description: "A machine answers" }),
  no_answer: Rate.annotations({ description: "It rings until the carrier gives up" }),
  busy: Rate,
  failed: Rate.annotations({ description: "The carrier cannot complete the call, or the callee declines it" })
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

/** In the order in which a dial's chance passes them. */
export const outcomes = ["answered", "voicemail", "no_answer", "busy", "failed"] as const

/** Times that are log-normally distributed: half of them are below the median, most within a few spreads of it. */
const Spell = Schema.Struct({
  median_seconds: seconds(3_600),
  spread: Schema.Number.pipe(Schema.between(0, 3)).annotations({
    description: "The standard deviation of the time's logarithm; 0: all are the median",
    message: () => ({ message: "must be a number from 0 to 3", override: true })
  })
}).annotations({ identifier: "CalleeSpell", ...closed })

/** Hours of a day. */
export const perDay = 24

const Factor = Schema.Number.pipe(Schema.between(0, 100)).annotations({
  message: () => ({ message: "must be a number from 0 to 100", override: true })
})

/** How a further attempt differs from the first one of the same hour. */
const Retry = Schema.Struct({
  answered: Factor,
  voicemail: Factor,
  no_answer: Factor,
  busy: Factor,
  failed: Factor
}).annotations({ identifier: "CalleeRetry", ...closed })

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
  ring_seconds: seconds(110).annotations({
    description: "How long it rings when the callee does not answer"
  }),
  retry: Retry.annotations({
    description:
      "How many times as often an attempt after the first comes to each outcome as a first attempt of the same hour; " +
      "the rates are then scaled to sum to 1"
  }),
  final_failures: Rate.annotations({
    description: "The share of the failed calls that are not tried again, because the number does not exist"
  })
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
  ring_seconds: 30,
  retry: { answered: 1, voicemail: 1, no_answer: 1, busy: 1, failed: 1 },
  final_failures: 0
}

/** A model of which some parts are told. */
export const PartialModel = Schema.Struct({
  rates: Schema.optionalWith(CalleeModel.fields.rates, { exact: true }),
  talk: Schema.optionalWith(CalleeModel.fields.talk, { exact: true }),
  voicemail: Schema.optionalWith(CalleeModel.fields.voicemail, { exact: true }),
  answer_seconds: Schema.optionalWith(CalleeModel.fields.answer_seconds, { exact: true }),
  ring_seconds: Schema.optionalWith(CalleeModel.fields.ring_seconds, { exact: true }),
  retry: Schema.optionalWith(CalleeModel.fields.retry, { exact: true }),
  final_failures: Schema.optionalWith(CalleeModel.fields.final_failures, { exact: true })
}).annotations({ identifier: "PartialCalleeModel", ...closed })
export type PartialModel = typeof PartialModel.Type
