import { Schema } from "effect"
import { Timestamp } from "../Codecs.ts"
import { CalleeModel, defaultModel, perDay } from "./CalleeModel.ts"

/** How many of some attempts came to what. */
const Counts = Schema.Struct({
  answered: Schema.Number,
  voicemail: Schema.Number,
  no_answer: Schema.Number,
  busy: Schema.Number,
  failed: Schema.Number
}).annotations({ identifier: "CalleeCounts" })
export type Counts = typeof Counts.Type

const Talks = Schema.Struct({
  observations: Schema.Int.annotations({ description: "Talks that ended of themselves" }),
  median_seconds: Schema.Number,
  spread: Schema.Number
}).annotations({ identifier: "CalleeTalks" })

const Waits = Schema.Struct({ observations: Schema.Int, mean_seconds: Schema.Number }).annotations({
  identifier: "CalleeWaits"
})

/** What a workspace's own attempts say of callees, with the number of observations behind each part of a model. */
export const Learned = Schema.Struct({
  campaign_id: Schema.NullOr(Schema.String).annotations({
    description: "The campaign whose attempts these are; null: all attempts of the workspace"
  }),
  since: Schema.NullOr(Timestamp).annotations({ description: "Null: since ever" }),
  attempts: Schema.Int.annotations({
    description: "Attempts that have ended: the newest, if there are many"
  }),
  under_way: Schema.Int.annotations({
    description: "Attempts under way. Each counts in parts, as what it may yet come to"
  }),
  first: Schema.Array(Counts).annotations({
    description: "What first attempts came to, by the hour of the callee's local day, from midnight: 24"
  }),
  retries: Schema.Array(Counts).annotations({ description: "What later attempts came to, by the hour: 24" }),
  talk: Talks.annotations({ description: "How long callees who answered talked" }),
  voicemail: Talks.annotations({ description: "How long calls lasted that a machine answered" }),
  answer: Waits.annotations({ description: "How long it rang until a callee or a machine answered" }),
  ring: Waits.annotations({ description: "How long it rang without an answer" }),
  failures: Schema.Int.annotations({ description: "Failed attempts" }),
  final_failures: Schema.Int.annotations({ description: "Those of them that no retry could mend" })
}).annotations({ identifier: "LearnedCallees" })
export type Learned = typeof Learned.Type

/** How callees behave, with what that was learned from. */
export const Callees = Schema.Struct({
  model: CalleeModel.annotations({
    description:
      "The likeliest: near to the default where there are few observations, and the default without any"
  }),
  learned: Learned
}).annotations({ identifier: "Callees" })
export type Callees = typeof Callees.Type

/** From which attempts callees are learned. */
export interface LearnFrom {
  /** Null: from all of the workspace. */
  readonly campaign_id: string | null
  /** Epoch milliseconds; null: since ever. */
  readonly since: number | null
}

/** Attempts that callees are learned from: the newest, if there are more. */
export const mostObserved = 1_000_000

/** Nothing observed. */
export const noCounts: Counts = { answered: 0, voicemail: 0, no_answer: 0, busy: 0, failed: 0 }
export const nothingLearned: Learned = {
  campaign_id: null,
  since: null,
  attempts: 0,
  under_way: 0,
  first: Array.from({ length: perDay }, () => noCounts),
  retries: Array.from({ length: perDay }, () => noCounts),
  talk: { observations: 0, ...defaultModel.talk },
  voicemail: { observations: 0, ...defaultModel.voicemail },
  answer: { observations: 0, mean_seconds: 0 },
  ring: { observations: 0, mean_seconds: 0 },
  failures: 0,
  final_failures: 0
}
