import { Schema } from "effect"
import { isStorable, Timestamp, timestampRule } from "../../../core/model/Codecs.ts"
import { Id } from "./Operation.ts"

const shape = (minimum: number, maximum: number, fallback: number, description: string) => ({
  jsonSchema: { type: "integer", minimum, maximum, default: fallback, description }
})

/** One value of a query. Every mistake in it has the same message, also when it is given twice. */
export const Value = (message: string) => Schema.String.annotations({ message: () => message })

const whole = (min: number, max: number, fallback: number, message: string, description: string) =>
  Schema.optionalWith(
    Schema.transform(
      Value(message)
        .pipe(Schema.pattern(/^[0-9]{1,15}$/))
        .annotations({
          message: () => message,
          ...shape(min, max, fallback, description)
        }),
      Schema.Number,
      { strict: true, decode: Number, encode: String }
    )
      .pipe(Schema.filter((value) => (value >= min && value <= max) || message))
      .annotations({ message: () => message }),
    { default: () => fallback }
  )

const limit = "How many records at most, 1 to 100"
const mostSkipped = 1_000_000_000
const offset = "How many records to skip, newest first"
const after =
  "The id of a record (a call's `call_id`, an agent's `version`, a blocked number itself): the page begins behind it. A " +
  "walk by `after` meets each record once, whatever is added meanwhile"
const before = "The id of a record: the page ends before it, with what is newer. Not together with `after`"

/** The query of every list. */
export const Paging = {
  limit: whole(1, 100, 50, "limit must be an integer from 1 to 100", limit),
  offset: whole(0, mostSkipped, 0, `offset must be an integer from 0 to ${mostSkipped}`, offset),
  after: Schema.optional(Id(after)),
  before: Schema.optional(Id(before))
}

const isOneText = (value: unknown) => {
  const [text, ...others] = [value].flat()
  return others.length === 0 && typeof text === "string" && isStorable(text)
}

/**
 * The parameters of an operation. One that it does not know is refused: a filter that is ignored would answer
 * with records that the client did not ask for. Of those named in `open` any `name.key` is one.
 */
export const query = <Fields extends Schema.Struct.Fields>(
  fields: Fields,
  open: ReadonlyArray<string & keyof Fields> = []
) => {
  const names = Object.keys(fields)
  const isKnown = (name: string) =>
    names.includes(name) || open.some((each) => name.startsWith(`${each}.`) && name.length > each.length + 1)
  return Schema.Struct(fields)
    .annotations({ parseOptions: { onExcessProperty: "preserve" } })
    .pipe(
      Schema.filter((given: Readonly<Record<string, unknown>>) => [
        ...Object.keys(given)
          .filter((name) => !isKnown(name))
          .map((name) => ({
            path: [name],
            message: `is not a parameter of this operation, which are ${names.join(", ")}`
          })),
        ...open
          .filter((name) => typeof given[name] === "string")
          .filter((name) => Object.keys(given).some((key) => key.startsWith(`${name}.`)))
          .map((name) => ({ path: [name], message: `must not be given together with ${name}.key` })),
        ...Object.entries(given)
          .filter(([name]) => !names.includes(name) && isKnown(name))
          .filter(([name, value]) => !isOneText(value) || !isStorable(name))
          .map(([name]) => ({
            path: [name.slice(0, name.indexOf("."))],
            message: "must have one text for each key, without NUL characters or lone surrogates"
          })),
        ...(given["after"] !== undefined && given["before"] !== undefined && names.includes("after")
          ? [{ path: ["before"], message: "must not be given together with after" }]
          : [])
      ])
    )
}

/** The query of a list without filters. */
export const PageQuery = query(Paging)

const Sent = Schema.Union(Schema.String, Schema.Array(Schema.String))

/** The same query as it was sent, for an operation that checks it itself. */
export const SentPaging = Schema.Struct({
  limit: Schema.optional(Sent.annotations(shape(1, 100, 50, limit))),
  offset: Schema.optional(Sent.annotations(shape(0, mostSkipped, 0, offset))),
  after: Schema.optional(Sent.annotations({ jsonSchema: { type: "string", description: after } })),
  before: Schema.optional(Sent.annotations({ jsonSchema: { type: "string", description: before } }))
}).annotations({ parseOptions: { onExcessProperty: "preserve" } })

/** A moment in a query. */
export const Moment = (field: string, description: string) =>
  Schema.optional(
    Timestamp.annotations({
      message: () => `${field} ${timestampRule}`,
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
