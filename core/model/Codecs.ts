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

/** Unicode code points, as JSON Schema counts. Source: JSON Schema 2020-12, validation, 6.3.1. */
export const hasAtMost = (text: string, max: number): boolean =>
  text.length <= max || (text.length <= 2 * max && [...text].length <= max)

/** Text of `min` to `max` characters. */
export const Characters = (min: 0 | 1, max: number) => {
  const rule = min === 0 ? `must be at most ${max} characters long` : `must be 1 to ${max} characters long`
  return Text.pipe(
    Schema.filter((text) => (text.length >= min && hasAtMost(text, max)) || rule, {
      jsonSchema: min === 0 ? { maxLength: max } : { minLength: min, maxLength: max }
    })
  )
}

/** An id as it is sent to us: of any form, but not empty and not endless. */
export const Identifier = (field: string) =>
  Text.pipe(
    Schema.filter((value) => (value.length > 0 && hasAtMost(value, 200)) || `${field} is not an id`, {
      jsonSchema: { minLength: 1, maxLength: 200 }
    })
  )

export const second = 1_000
export const minute = 60 * second
export const hour = 60 * minute
export const day = 24 * hour
