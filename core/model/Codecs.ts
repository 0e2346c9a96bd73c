import { Schema } from "effect"

/**
 * A moment. Epoch milliseconds in the domain and in the stores; an ISO 8601 UTC string on the wire.
 */
export const Timestamp = Schema.transform(
  Schema.String.annotations({ jsonSchema: { type: "string", format: "date-time" } }),
  Schema.Number,
  {
    strict: true,
    decode: (text) => Date.parse(text),
    encode: (millis) => new Date(millis).toISOString()
  }
)
  .pipe(Schema.filter((millis) => Number.isFinite(millis) || "is not an ISO 8601 timestamp"))
  .annotations({ identifier: "Timestamp", examples: [1_790_000_000_000] })

export const isoTimestamp = (millis: number): string => new Date(millis).toISOString()

export const isoOrNull = (millis: number | null): string | null =>
  millis === null ? null : isoTimestamp(millis)

/** An object of any JSON. */
export const JsonObject = Schema.Record({ key: Schema.String, value: Schema.Unknown })

/** Text that every store can hold: no NUL and no lone surrogate. */
export const isStorable = (text: string): boolean => !text.includes("\u0000") && text.isWellFormed()

export const Text = Schema.String.pipe(
  Schema.filter((text) => isStorable(text) || "must not contain NUL characters or lone surrogates")
)

/** An id as it is sent to us: of any form, but not empty and not endless. */
export const Identifier = (field: string) =>
  Text.pipe(
    Schema.filter((value) => (value.length > 0 && value.length <= 200) || `${field} is not an id`, {
      jsonSchema: { minLength: 1, maxLength: 200 }
    })
  )

export const second = 1_000
export const minute = 60 * second
export const hour = 60 * minute
export const day = 24 * hour
