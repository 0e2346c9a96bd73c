import { Context, Data, type Effect } from "effect"
import type { Progress, Refusal } from "../model/calls/CarrierProgress.ts"
import type { DialRequest } from "../model/calls/DialRequest.ts"

/** A dial that is asked about: its key, and what else a carrier that files nothing under our keys can go by. */
export interface DialReference {
  readonly workspace_id: string
  readonly key: string
  /** The carrier's own id; null as long as it is not known here. */
  readonly carrier_call_id: string | null
  readonly to_number: string
  readonly from_number: string
  /** No request under the key was sent before, in epoch milliseconds. */
  readonly since: number
}

/** What the carrier knows of a dial. */
export type Lookup =
  | {
      readonly _tag: "Known"
      readonly carrier_call_id: string
      /** All progress so far, oldest first. */
      readonly progress: ReadonlyArray<Progress>
    }
  /** The carrier has no such call: unless a request is still on its way, it never received one. */
  | { readonly _tag: "NeverReceived" }

/** The carrier refused the dial for good: nothing rang. */
export class DialRefused extends Data.TaggedError("DialRefused")<Refusal> {}

/**
 * Of a dial: the request certainly never reached the carrier (connection refused, name not resolved), or the carrier
 * took no notice of it for a reason that has nothing to do with the call: it does not know who asks, or asks to slow
 * down. The same dial may be sent again. Of a look-up, a hang-up or a ping: the carrier did not answer.
 */
export class CarrierUnreachable extends Data.TaggedError("CarrierUnreachable")<{
  readonly message: string
}> {}

/** It is unknown whether the carrier took the call (a time-out, a 5xx, a connection lost half way). */
export class DialInDoubt extends Data.TaggedError("DialInDoubt")<{ readonly message: string }> {}

/** The carrier has answered, and cannot tell. */
export class LookupFailed extends Data.TaggedError("LookupFailed")<{ readonly message: string }> {}

/**
 * Places, finds and ends calls at a carrier. `CarrierCircuit.make(driver)` adds what all carriers share. What becomes of
 * a call, an adapter reports to `CarrierReports`.
 */
export class CallDialer extends Context.Tag("outdial/CallDialer")<
  CallDialer,
  {
    /** Dials once. Succeeds with the carrier's id once the carrier has accepted the call. */
    readonly dial: (
      request: DialRequest
    ) => Effect.Effect<string, DialRefused | CarrierUnreachable | DialInDoubt>
    /** Looks a dial up. */
    readonly lookup: (dial: DialReference) => Effect.Effect<Lookup, LookupFailed | CarrierUnreachable>
    /** Ends a call. A call that has already ended, or never was, is no error. */
    readonly hangUp: (dial: DialReference) => Effect.Effect<void, LookupFailed | CarrierUnreachable>
    /** False while the carrier's circuit is open: nothing is dialled, and new calls are refused. */
    readonly available: Effect.Effect<boolean>
    /** Completes when the carrier is available, at once if it is. */
    readonly awaitAvailable: Effect.Effect<void>
  }
>() {}

/** What one carrier's adapter supplies. */
export interface CarrierDriver {
  readonly dial: (
    request: DialRequest
  ) => Effect.Effect<string, DialRefused | CarrierUnreachable | DialInDoubt>
  readonly lookup: (dial: DialReference) => Effect.Effect<Lookup, LookupFailed | CarrierUnreachable>
  readonly hangUp: (dial: DialReference) => Effect.Effect<void, LookupFailed | CarrierUnreachable>
  /** A harmless request that tells whether the carrier answers. */
  readonly ping: Effect.Effect<void, CarrierUnreachable>
}
