import { Effect, Layer } from "effect"
import * as CarrierCircuit from "../../../core/engine/CarrierCircuit.ts"
import { CarrierReports } from "../../../core/engine/CarrierReports.ts"
import type { CallProgress } from "../../../core/model/calls/CarrierProgress.ts"
import type { DialRequest } from "../../../core/model/calls/DialRequest.ts"
import {
  CallDialer,
  CarrierUnreachable,
  DialInDoubt,
  type DialReference,
  DialRefused,
  type Lookup,
  LookupFailed
} from "../../../core/ports/CallDialer.ts"
import { type Answer, anything, asking, hearing, type Listening, type OnError } from "./Lift.ts"
import { CallProgressSchema, Id, LookupSchema } from "./Told.ts"

/**
 * A carrier of your own. Each attempt of a call is dialled under one key, at most once: what `dial` throws says
 * whether that has happened.
 *
 * - `DialRefused`: the carrier said no for good, nothing rang. The call ends or is tried again, as its outcome says.
 * - `CarrierUnreachable`: the request certainly never arrived. The same dial is sent again, under the same key.
 * - `DialInDoubt`, anything else that is thrown, and an answer that is no text: it is not known. The dial is looked up; if
 *   the carrier cannot tell either, the call ends as `unknown`, `in_doubt`, and is never dialled again.
 *
 * A dial that takes longer than 15 seconds is in doubt, and its signal is aborted. After five failures in a row
 * nothing is dialled until `ping` succeeds.
 */
export interface Carrier {
  /** Places the call, and answers the carrier's own id once the carrier has accepted it. */
  readonly dial: (request: DialRequest, signal: AbortSignal) => Answer<string>
  /**
   * What the carrier knows of a dial: `{_tag: "Known", carrier_call_id, progress}` with all progress so far,
   * oldest first, or `{_tag: "NeverReceived"}`, after which it is dialled again. `CarrierUnreachable` means that the
   * carrier did not answer: it is asked again, until the call must have ended. Anything else that is thrown means that
   * the carrier cannot tell, and so does leaving it out.
   */
  readonly lookup?: ((dial: DialReference, signal: AbortSignal) => Answer<Lookup>) | undefined
  /** Ends a call; one that has ended, or never was, is no error. Without it calls end by themselves. */
  readonly hangUp?: ((dial: DialReference, signal: AbortSignal) => Answer<void>) | undefined
  /** A harmless request that tells whether the carrier answers. Without it, it is taken to. */
  readonly ping?: ((signal: AbortSignal) => Answer<void>) | undefined
  /**
   * Called once, with what takes progress: `tell({workspace_id, key, progress: {_tag: "Answered", at: Date.now()}})`.
   * It may come late, twice or out of order, and is told by the dial's key. What it answers is called at the end.
   * A receiver that must know when progress is stored awaits `outdial.calls.record([…])` instead.
   */
  readonly onProgress?: Listening<CallProgress> | undefined
}

const dialling = asking<DialRefused | CarrierUnreachable | DialInDoubt>(
  [DialRefused, CarrierUnreachable, DialInDoubt],
  () => new DialInDoubt({ message: "the carrier's dial failed for a reason of its own" })
)
const lookingUp = asking<LookupFailed | CarrierUnreachable>(
  [LookupFailed, CarrierUnreachable],
  () => new LookupFailed({ message: "the carrier cannot tell" })
)
const pinging = asking(
  [CarrierUnreachable],
  () => new CarrierUnreachable({ message: "the carrier does not answer" })
)

const cannotTell = Effect.fail(new LookupFailed({ message: "the carrier has no look-up" }))

export const layer = (carrier: Carrier, onError: OnError): Layer.Layer<CallDialer, never, CarrierReports> =>
  Layer.scoped(
    CallDialer,
    Effect.gen(function* () {
      const { record } = yield* CarrierReports
      yield* hearing(
        "carrier.onProgress",
        CallProgressSchema,
        carrier.onProgress?.bind(carrier),
        onError,
        record
      )
      const [dial, look, ping] = [dialling(onError), lookingUp(onError), pinging(onError)]
      return yield* CarrierCircuit.make({
        dial: (request) => dial("carrier.dial", Id, (signal) => carrier.dial(request, signal)),
        lookup: (asked) =>
          carrier.lookup === undefined
            ? cannotTell
            : look("carrier.lookup", LookupSchema, (signal) => carrier.lookup!(asked, signal)),
        hangUp: (asked) =>
          carrier.hangUp === undefined
            ? Effect.void
            : look("carrier.hangUp", anything, (signal) => carrier.hangUp!(asked, signal)),
        ping:
          carrier.ping === undefined
            ? Effect.void
            : ping("carrier.ping", anything, (signal) => carrier.ping!(signal))
      })
    })
  )
