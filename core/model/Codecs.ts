import { Schema } from "effect"

/** The time that was written last, and the text of its second as far as its milliseconds. */
const last = { millis: Number.NaN, second: Number.NaN, begin: "", text: "" }

/** The times of a record, and of those after it, are mostly equal or of one second; V8 takes half a microsecond to write each. */
export const isoTimestamp = (millis: number): string => {
  const whole = Math.trunc(millis)
  if (whole === last.millis) return last.text
  const second = Math.floor(whole / 1_000)
  if (second !== last.second) {
    last.begin = new Date(second * 1_000).toISOString().slice(0, -"000Z".length)
    last.second = second
  }
  last.text = `${last.begin}${String(whole - second * 1_000).padStart(3, "0")}Z`
  last.millis = whole
  return last.text
}

const written =
  /^(\d{4})-(\d\d)-(\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i

const earliest = Date.UTC(2000, 0)
const latest = Date.UTC(2101, 0)

/**
 * Epoch milliseconds of an RFC 3339 timestamp: with an offset, of a day that the calendar has, from 2000 to 2100.
 * NaN for any other text.
 */
export const millisOf = (text: string): number => {
  const [, year, month, day] = written.exec(text)?.map(Number) ?? []
  if (year === undefined || new Date(Date.UTC(year, month! - 1, day)).getUTCDate() !== day) return Number.NaN
  const millis = Date.parse(text.toUpperCase())
  return millis >= earliest && millis < latest ? millis : Number.NaN
}

/** The rule of a timestamp, after the name of its field. */
export const timestampRule =
  "must be an RFC 3339 timestamp with an offset, such as 2027-02-03T09:00:00Z, from 2000 to 2100"

/**
 * A moment. Epoch milliseconds in the domain and in the stores; an RFC 3339 timestamp on the wire, in answers
 * always in UTC.
 */
export const Timestamp = Schema.transform(
  Schema.String.annotations({ jsonSchema: { type: "string", format: "date-time" } }),
  Schema.Number,
  {
    strict: true,
    decode: millisOf,
    encode: isoTimestamp
  }
)
  .pipe(Schema.filter((millis) => Number.isFinite(millis) || timestampRule))
  .annotations({ identifier: "Timestamp", examples: [1_790_000_000_000] })

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
