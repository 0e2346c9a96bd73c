import { Context, type Effect } from "effect"
import type { Dial, HangUp } from "./LedgerEntry.ts"

/**
 * How the carrier fails until it recovers. `unreachable`: nothing arrives, and the caller knows it. `time_out`:
 * nothing arrives, and no request is ever answered. `lost_answers`: dials are taken, but their answers get lost.
 */
export type Failure = "unreachable" | "time_out" | "lost_answers"

export interface LookUp {
  readonly workspace_id: string
  readonly key: string
  readonly at: number
}

/** How often something arrived since the start. `repeated`: dials under a key that had been dialled before. */
export interface LedgerCounts {
  readonly dials: number
  readonly repeated: number
  readonly hang_ups: number
  readonly lookups: number
}

/** What the simulated carrier has received, oldest first, and the switch that makes it fail. Lists keep the latest. */
export class CarrierLedger extends Context.Tag("outdial/simulated/CarrierLedger")<
  CarrierLedger,
  {
    /** Every dial that arrived, refused and repeated ones too. */
    readonly dials: Effect.Effect<ReadonlyArray<Dial>>
    readonly hangUps: Effect.Effect<ReadonlyArray<HangUp>>
    readonly lookups: Effect.Effect<ReadonlyArray<LookUp>>
    readonly counts: Effect.Effect<LedgerCounts>
    readonly fail: (failure: Failure) => Effect.Effect<void>
    readonly recover: Effect.Effect<void>
  }
>() {}
