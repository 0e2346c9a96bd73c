import { Schema } from "effect"
import { Timestamp } from "../../../core/Codecs.ts"

const whole = (min: number, max: number, fallback: number, message: string, description: string) =>
  Schema.optionalWith(
    Schema.transform(
      Schema.String.pipe(Schema.pattern(/^[0-9]{1,15}$/, { message: () => message })).annotations({
        message: () => message,
        jsonSchema: { type: "integer", minimum: min, maximum: max, default: fallback, description }
      }),
      Schema.Number,
      { strict: true, decode: Number, encode: String }
    )
      .pipe(Schema.filter((value) => (value >= min && value <= max) || message))
      .annotations({ message: () => message }),
    { default: () => fallback }
  )

/** The query of every list. */
export const Paging = {
  limit: whole(1, 100, 50, "limit must be an integer from 1 to 100", "How many records at most, 1 to 100"),
  offset: whole(
    0,
    Number.MAX_SAFE_INTEGER,
    0,
    "offset must be a non-negative integer",
    "How many records to skip, newest first"
  )
}

/** A moment in a query. */
export const Moment = (field: string, description: string) =>
  Schema.optional(
    Timestamp.annotations({
      message: () => `${field} must be an ISO 8601 timestamp`,
      jsonSchema: { type: "string", format: "date-time", description }
    })
  )

export const Pagination = Schema.Struct({
  limit: Schema.Int,
  offset: Schema.Int,
  total: Schema.Int.annotations({ description: "How many records the filter lets through in all" })
}).annotations({ identifier: "Pagination" })

/** One page of records, newest first. */
export const PageOf = <A, I>(identifier: string, record: Schema.Schema<A, I>) =>
  Schema.Struct({ data: Schema.Array(record), pagination: Pagination }).annotations({ identifier })
