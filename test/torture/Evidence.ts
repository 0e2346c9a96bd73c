import { existsSync, readFileSync } from "node:fs"
import type { Entry } from "../../adapters/simulated/LedgerEntry.ts"

/** Something that the system has said it will do: a call, or a recipient of a running campaign. */
export interface Asked {
  readonly number: string
  /** Of a call: the id that was answered. */
  readonly call_id: string | null
  /** When its calling window opens, in epoch milliseconds: it may not be dialled before. */
  readonly not_before: number
  /** Called off by its client while it waited for its window. */
  readonly cancelled: boolean
}

/** One try of a delivery, as the receiver of webhooks has it. */
export interface Received {
  readonly at: number
  /** What it was answered: 204 once the line is on the disk. */
  readonly status: number
  readonly id: string
  readonly event_type: string
  readonly call_id: string
  /** Of a call's events. */
  readonly outcome: string | null
  readonly sub_status: string | null
  readonly attempt_count: number | null
}

/** All that the verdict is made of. Nothing here is read from the tables of the system. */
export interface Evidence {
  readonly asked: ReadonlyArray<Asked>
  /** Idempotency keys that were answered with more than one call. */
  readonly ambiguous: ReadonlyArray<string>
  /** The carrier's ledger. */
  readonly carrier: ReadonlyArray<Entry>
  /** The webhook receiver's ledger. */
  readonly received: ReadonlyArray<Received>
  /** What each workspace was given, and what it says it has left; null while it was not asked. */
  readonly credits: ReadonlyArray<{
    readonly workspace_id: string
    readonly granted: number
    readonly balance: number | null
  }>
  readonly price_per_minute: number
  /** What the carrier divides the durations of calls by. */
  readonly speed: number
  /** Numbers and keys found in what the processes printed. */
  readonly leaks: number
}

/** The whole lines of a ledger; one that is torn is left out. */
export const linesOf = <A>(file: string): ReadonlyArray<A> => {
  if (!existsSync(file)) return []
  const text = readFileSync(file, "utf8")
  return text
    .slice(0, text.lastIndexOf("\n") + 1)
    .split("\n")
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as A]
      } catch {
        return []
      }
    })
}
