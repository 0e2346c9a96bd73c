import { Schema } from "effect"
import { Timestamp } from "../Codecs.ts"

export const EntryKind = Schema.Literal(
  "top_up",
  "hold",
  "settle",
  "release",
  "generation",
  "test",
  "conversation",
  "review"
)
export type EntryKind = typeof EntryKind.Type

/** One movement of credits. A workspace's balance is the sum of its amounts and never falls below zero. */
export const LedgerEntry = Schema.Struct({
  id: Schema.String,
  customer_id: Schema.String,
  kind: EntryKind,
  /** Whole credits, signed. */
  amount: Schema.Int,
  /** The call, suite, run or tried conversation that it is for. */
  reference: Schema.NullOr(Schema.String),
  created_at: Timestamp
}).annotations({ identifier: "LedgerEntry" })
export type LedgerEntry = typeof LedgerEntry.Type

/** A movement that a decision asks for; use cases give it an id and a time. */
export interface Movement {
  readonly kind: EntryKind
  readonly amount: number
}

export const sum = (movements: ReadonlyArray<Movement>): number =>
  movements.reduce((total, { amount }) => total + amount, 0)

/** Started minutes of talk, times the price of one. */
export const priceOf = (duration_seconds: number, price_per_minute: number): number =>
  Math.ceil(duration_seconds / 60) * price_per_minute

/**
 * Charges a cost against a hold and, where that is not enough, against the balance; what neither covers is
 * waived, since a balance never falls below zero. A cost of nothing leaves the hold where it is.
 */
export const settle = (
  held: number,
  balance: number,
  cost: number
): { readonly movements: ReadonlyArray<Movement>; readonly charged: number; readonly held: number } => {
  if (cost === 0) return { movements: [], charged: 0, held }
  const charged = Math.min(cost, held + balance)
  return {
    movements: [...release(held), ...(charged === 0 ? [] : [{ kind: "settle" as const, amount: -charged }])],
    charged,
    held: 0
  }
}

export const release = (held: number): ReadonlyArray<Movement> =>
  held === 0 ? [] : [{ kind: "release", amount: held }]
