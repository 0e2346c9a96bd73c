import { Effect, Stream } from "effect"
import { noReview, type Recipient } from "../../../core/model/campaigns/Recipient.ts"
import { isoTimestamp } from "../../../core/model/Codecs.ts"
import { topLevel } from "../../../core/model/json/RawJson.ts"
import { maskNumber } from "../../../core/model/numbers/Masking.ts"
import type { Result } from "../../../core/usecases/Recipients.ts"
import { cellsOf, lineOf } from "./Csv.ts"

const ownColumns = [
  "recipient_id",
  "phone_number_masked",
  "status",
  "outcome",
  "reason",
  "call_id",
  "updated_at",
  "attempts",
  "duration_seconds",
  "credits",
  "answers",
  "qualification_status",
  "sentiment",
  "last_customer_message"
]

/** Follows its own columns, where numbers are not masked. */
const numberColumn = "phone_number"

type Values = Readonly<Record<string, unknown>>

const textOf = (value: unknown): string => (typeof value === "string" ? value : "")

/** The variables' values as text: numbers as they were supplied, null as nothing. */
const variablesOf = ({ variables }: Recipient, names: ReadonlyArray<string>): ReadonlyArray<string> => {
  const values: Values = JSON.parse(variables)
  let supplied: ReadonlyMap<string, string> | undefined
  return names.map((name) => {
    const value = Object.hasOwn(values, name) ? values[name] : null
    if (typeof value === "string" || value === null) return value ?? ""
    supplied ??= topLevel(variables)
    return supplied.get(name) ?? ""
  })
}

const reviewOf = ({ review }: Recipient) => {
  const members = topLevel(review ?? noReview)
  const text = (name: string) => JSON.parse(members.get(name) ?? "null") as string | null
  return {
    answers: members.get("answers") ?? "",
    qualification_status: text("qualification_status"),
    sentiment: text("sentiment")
  }
}

const rowOf = ({ recipient, spent }: Result, names: ReadonlyArray<string>, numbers: boolean): string => {
  const came: Values = recipient.outcome === null ? {} : JSON.parse(recipient.outcome)
  const { answers, qualification_status, sentiment } = reviewOf(recipient)
  const own = cellsOf([
    recipient.id,
    maskNumber(recipient.phone_number),
    recipient.status,
    textOf(came["outcome"]),
    textOf(came["sub_status"]),
    recipient.call_id ?? "",
    isoTimestamp(recipient.updated_at),
    String(spent.attempts),
    String(spent.duration_seconds),
    String(spent.credits),
    answers,
    qualification_status ?? "",
    sentiment ?? "",
    recipient.last_customer_message ?? ""
  ])
  // An import takes no apostrophe before a number, and a plus with digits is no formula.
  const number = numbers ? `,${recipient.phone_number}` : ""
  const variables = names.length === 0 ? "" : `,${cellsOf(variablesOf(recipient, names))}`
  return `${own}${number}${variables}\r\n`
}

type Slices = Stream.Stream<ReadonlyArray<Recipient>>

/** The names of the variables of all recipients, in the order in which they first appear. */
const namesOf = (slices: Slices) =>
  Effect.map(
    Stream.runFold(slices, new Set<string>(), (names, slice) => {
      for (const { variables } of slice) {
        // Parsing is quicker than walking the text, but orders names that are whole numbers first.
        const known = Object.keys(JSON.parse(variables) as object).every((name) => names.has(name))
        if (!known) for (const name of topLevel(variables).keys()) names.add(name)
      }
      return names
    }),
    (names) => [...names]
  )

/**
 * The recipients as CSV text, piece by piece. They are walked through twice: for the header, then for the rows.
 *
 * @param numbers whether a column has the phone numbers in full
 */
export const lines = <E>(
  all: Effect.Effect<Slices, E>,
  results: Effect.Effect<Stream.Stream<ReadonlyArray<Result>>, E>,
  numbers: boolean
): Effect.Effect<Stream.Stream<string>, E> =>
  Effect.gen(function* () {
    const names = yield* namesOf(yield* all)
    const rows = yield* results
    const header = lineOf([...ownColumns, ...(numbers ? [numberColumn] : []), ...names])
    return Stream.concat(
      Stream.succeed(header),
      Stream.map(rows, (slice) => slice.map((result) => rowOf(result, names, numbers)).join(""))
    )
  })
