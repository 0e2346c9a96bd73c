import { Schema } from "effect"
import { day, hour, Timestamp } from "../Codecs.ts"
import { InvalidInput } from "../InvalidInput.ts"
import type { EntryKind } from "./Ledger.ts"

export const UsageBy = Schema.Literal("day", "campaign", "agent")
export type UsageBy = typeof UsageBy.Type

/** What was used in a stretch of time, by calls of one campaign and one agent; empty ids: of none. */
export interface UsageCount {
  readonly campaign_id: string
  readonly agent_id: string
  /** Dials and messages. */
  readonly attempts: number
  /** Attempts that a person answered. */
  readonly reached: number
  /** Seconds of talk. */
  readonly seconds: number
  readonly messages: number
  /** What agents and callees have said. */
  readonly turns: number
  readonly credits: number
}

export const noUsage = { attempts: 0, reached: 0, seconds: 0, messages: 0, turns: 0, credits: 0 }

/** What the kinds of movements that are no charges leave out: top-ups, and what is held and released. */
export const charges: ReadonlyArray<EntryKind> = ["settle", "generation", "test", "conversation", "review"]

/** Adds up counts of the same campaign and agent. */
export const merged = (counts: ReadonlyArray<Partial<UsageCount>>): ReadonlyArray<UsageCount> => {
  const sums = new Map<string, UsageCount>()
  for (const { agent_id = "", campaign_id = "", ...count } of counts) {
    const key = `${campaign_id} ${agent_id}`
    sums.set(key, { campaign_id, agent_id, ...plus(sums.get(key) ?? noUsage, count) })
  }
  return [...sums.values()]
}

type Amounts = typeof noUsage

export const plus = (left: Amounts, right: Partial<Amounts>): Amounts => ({
  attempts: left.attempts + (right.attempts ?? 0),
  reached: left.reached + (right.reached ?? 0),
  seconds: left.seconds + (right.seconds ?? 0),
  messages: left.messages + (right.messages ?? 0),
  turns: left.turns + (right.turns ?? 0),
  credits: left.credits + (right.credits ?? 0)
})

const amounts = {
  attempts: Schema.Int.annotations({ description: "Dials, and messages sent" }),
  reached: Schema.Int.annotations({ description: "Attempts that a person answered" }),
  minutes: Schema.Number.annotations({ description: "Of talk, to the hundredth" }),
  messages: Schema.Int.annotations({ description: "Messages sent; they are attempts too" }),
  turns: Schema.Int.annotations({ description: "What agents and callees have said in calls" }),
  credits: Schema.Int.annotations({ description: "What was charged: talk, turns, reviews, tests, scenarios" })
}

export const Usage = Schema.Struct({
  by: UsageBy,
  from: Timestamp,
  until: Timestamp,
  data: Schema.Array(
    Schema.Struct({
      key: Schema.NullOr(Schema.String).annotations({
        description: "The day in UTC, such as 2026-03-02, or the id of the campaign or agent; null: of none"
      }),
      ...amounts
    }).annotations({ identifier: "UsageRow" })
  ),
  total: Schema.Struct(amounts).annotations({ identifier: "UsageTotal" })
}).annotations({ identifier: "Usage" })
export type Usage = typeof Usage.Type

/** How its amounts are shown. */
export const shown = ({ seconds, ...rest }: Amounts) => ({
  ...rest,
  minutes: Math.round(seconds / 0.6) / 100
})

const longestDays = 366

/** Whole hours from `from` (by default the first of the month) until `until` (by default now). */
export const spanOf = (
  asked: { readonly from?: number | undefined; readonly until?: number | undefined },
  now: number
): { readonly from: number; readonly until: number } | InvalidInput => {
  const until = Math.ceil((asked.until ?? now) / hour) * hour
  const first = new Date(until - 1)
  const from = Math.floor((asked.from ?? Date.UTC(first.getUTCFullYear(), first.getUTCMonth())) / hour) * hour
  if (from >= until) return new InvalidInput({ field: "from", reason: "from must be before until" })
  if (until - from > longestDays * day) {
    return new InvalidInput({
      field: "from",
      reason: `from must be at most ${longestDays} days before until`
    })
  }
  return { from, until }
}

/** The name of what a count belongs to. */
export const keyOf = (by: UsageBy, at: number, { agent_id, campaign_id }: UsageCount): string =>
  by === "day" ? new Date(at).toISOString().slice(0, 10) : by === "campaign" ? campaign_id : agent_id
