import { Schema } from "effect"
import type { Attempt } from "../calls/Attempt.ts"
import type { RawJson } from "../json/RawJson.ts"
import { memo } from "../Memo.ts"

/** When a campaign is paused because its dials fail. Source: design, "Campaign". */
export interface FailureBreaker {
  readonly share: number
  readonly window: number
  readonly least: number
}

export const standardBreaker: FailureBreaker = { share: 0.5, window: 50, least: 20 }

const mostDials = 200

const Share = Schema.Number.pipe(
  Schema.filter((share) => (share > 0 && share <= 1) || "share must be a number above 0, at most 1", {
    jsonSchema: { exclusiveMinimum: 0, maximum: 1 }
  })
).annotations({
  description:
    `The campaign is paused when more than this share of the dials has failed. Default ${standardBreaker.share}; ` +
    "with 1 it is never paused."
})

const Dials = (field: string, description: string) =>
  Schema.Int.pipe(
    Schema.between(1, mostDials, { message: () => `${field} must be an integer from 1 to ${mostDials}` })
  ).annotations({
    description,
    message: () => ({ message: `${field} must be an integer from 1 to ${mostDials}`, override: true })
  })

const fields = {
  share: Share,
  window: Dials("window", `How many of the last dials are looked at. Default ${standardBreaker.window}.`),
  least: Dials(
    "least",
    `How many of these have to have ended. Default ${standardBreaker.least}, or the window if that is smaller.`
  )
}

/** The breaker as it is sent: what is left out has its default. */
export const FailureBreakerBody = Schema.Struct({
  share: Schema.optional(fields.share),
  window: Schema.optional(fields.window),
  least: Schema.optional(fields.least)
})
  .annotations({ identifier: "FailureBreakerSettings", parseOptions: { onExcessProperty: "error" } })
  .pipe(
    Schema.filter(
      ({ least = 1, window = standardBreaker.window }) =>
        least <= window || "least must be at most the window"
    )
  )

/** The breaker as the campaign's record has it. */
export const FailureBreakerRecord = Schema.Struct(fields).annotations({ identifier: "FailureBreaker" })

const parsed = memo(512, (text: RawJson): FailureBreaker => {
  const given = JSON.parse(text) as Partial<FailureBreaker>
  const window = given.window ?? standardBreaker.window
  return {
    share: given.share ?? standardBreaker.share,
    window,
    least: given.least ?? Math.min(standardBreaker.least, window)
  }
})

/** The parsed form of a campaign's `failure_breaker`, which was checked when it was stored. */
export const breakerOf = (text: RawJson | null): FailureBreaker =>
  text === null ? standardBreaker : parsed(text)

/** What is kept of a campaign's last dials, in the order in which they were placed, whenever they end. */
export interface RecentDials {
  /** How many dials were placed: each has its number, from 1. */
  readonly dials: number
  /**
   * The last of them, oldest first, one character each: `-` under way, `f` failed, `.` ended otherwise, `x` certain
   * not to have reached the carrier. Only dials since the campaign was last started or resumed.
   */
  readonly recent: string
  /** How many ends in a row were failures; null while none has been otherwise since the start. */
  readonly failures_in_a_row: number | null
}

/** A campaign that starts or goes on: what was before says nothing of what comes after. */
export const renewed = { recent: "", failures_in_a_row: null } satisfies Partial<RecentDials>

const count = (recent: string, mark: string): number => {
  let found = 0
  for (let at = recent.indexOf(mark); at >= 0; at = recent.indexOf(mark, at + 1)) found += 1
  return found
}

const marked = <Dials extends RecentDials>(dials: Dials, number: number | null, mark: string): Dials => {
  const at = (number ?? 0) - 1 - (dials.dials - dials.recent.length)
  return at < 0
    ? dials
    : { ...dials, recent: `${dials.recent.slice(0, at)}${mark}${dials.recent.slice(at + 1)}` }
}

/** A dial is placed: it has the number `dials` from here on. */
export const placed = <Dials extends RecentDials>(dials: Dials, { window }: FailureBreaker): Dials => ({
  ...dials,
  dials: dials.dials + 1,
  recent: `${dials.recent}-`.slice(-window)
})

/** The dial of this number never reached the carrier: it counts as not placed until it is placed again. */
export const notPlaced = <Dials extends RecentDials>(dials: Dials, number: number | null): Dials =>
  marked(dials, number, "x")

export const placedAgain = <Dials extends RecentDials>(dials: Dials, number: number | null): Dials =>
  marked(dials, number, "-")

/** The dial of this number has ended. */
export const ended = <Dials extends RecentDials>(
  dials: Dials,
  number: number | null,
  failed: boolean
): Dials => ({
  ...marked(dials, number, failed ? "f" : "."),
  failures_in_a_row: !failed ? 0 : dials.failures_in_a_row === null ? null : dials.failures_in_a_row + 1
})

/** Whether the campaign has to be paused. Dials under way count as not failed. */
export const trips = ({ recent }: RecentDials, { least, share }: FailureBreaker): boolean => {
  const failed = count(recent, "f")
  return (
    failed > 0 &&
    failed + count(recent, ".") >= least &&
    failed > share * (recent.length - count(recent, "x"))
  )
}

/** Whether an attempt under way shows that dials succeed: it was answered, or the provider has taken the message. */
export const succeeds = ({ dials, recent }: RecentDials, attempt: Attempt): boolean =>
  attempt.outcome === null &&
  (attempt.dial_number ?? 0) > dials - recent.length &&
  (attempt.channel === "msg" ? attempt.carrier_call_id !== null : attempt.answered_at !== null)

/**
 * How many dials may be placed until it is known whether dials succeed at all: at first, and when all that ended lately
 * have failed. Without this bound, a campaign with many lines would place hundreds of dials before the first of them
 * could be counted. Infinity while dials succeed, and for a breaker that never trips.
 */
export const probation = (
  { failures_in_a_row, recent }: RecentDials,
  { least, share, window }: FailureBreaker
): number =>
  share >= 1 || recent.includes(".") || (failures_in_a_row !== null && failures_in_a_row < least)
    ? Infinity
    : window - (recent.length - count(recent, "x"))
