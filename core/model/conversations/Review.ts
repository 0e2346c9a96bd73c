import { Schema } from "effect"
import { JsonObject } from "../Codecs.ts"

export const Sentiment = Schema.Literal("positive", "neutral", "negative")
export type Sentiment = typeof Sentiment.Type

export const Qualification = Schema.Literal("qualified", "not_qualified", "unknown")
export type Qualification = typeof Qualification.Type

/** What was learnt from a conversation. */
export const Review = Schema.Struct({
  summary: Schema.String,
  sentiment: Schema.NullOr(Sentiment),
  qualification_status: Qualification,
  answers: JsonObject.annotations({
    description: "By the names of the agent's questions; null where the conversation does not answer one"
  })
}).annotations({ identifier: "CallReview" })
export type Review = typeof Review.Type
