import { Clock, Context, Effect, Layer, Option } from "effect"
import { makeCallStore } from "../engine/CallStore.ts"
import { ConversationRunner } from "../engine/ConversationRunner.ts"
import * as Metrics from "../engine/Metrics.ts"
import { makeNoting } from "../engine/Noting.ts"
import { span } from "../engine/Span.ts"
import type { Attempt } from "../model/calls/Attempt.ts"
import type { Call } from "../model/calls/Call.ts"
import { CallEnded, CallNotFound, CarrierUnavailable, type DuplicateKey } from "../model/calls/CallErrors.ts"
import * as Machine from "../model/calls/CallMachine.ts"
import type { PlaceCall } from "../model/calls/PlaceCall.ts"
import { type Transition, transitionsOf } from "../model/calls/Transition.ts"
import type { InvalidInput } from "../model/InvalidInput.ts"
import type { NoPhoneNumber, PhoneNumberNotFound } from "../model/numbers/PhoneNumberErrors.ts"
import type { Page, PageRequest } from "../model/Page.ts"
import type { InsufficientCredits } from "../model/workspaces/WorkspaceErrors.ts"
import { CallDialer } from "../ports/CallDialer.ts"
import type { CallFilter } from "../ports/CallRows.ts"
import { Repository } from "../ports/Repository.ts"
import { known } from "./ListPlace.ts"
import { makePlaceOne } from "./PlaceOne.ts"
import { makeThenWake } from "./Woken.ts"

const make = Effect.gen(function* () {
  const repository = yield* Repository
  const thenWake = yield* makeThenWake
  const dialer = yield* CallDialer
  const store = yield* makeCallStore
  const { note } = yield* makeNoting
  const placeOne = yield* makePlaceOne
  const conversations = yield* ConversationRunner

  const place: CallsShape["place"] = Effect.fnUntraced(function* (workspace_id, request) {
    if (!(yield* dialer.available)) return yield* new CarrierUnavailable()
    const placing = repository.transaction(workspace_id, placeOne(workspace_id, request))
    const call = yield* thenWake(workspace_id, placing, "placed")
    Metrics.callsPlaced.unsafeUpdate(1, [])
    return call
  }, span("Calls.place"))

  const get: CallsShape["get"] = Effect.fn("Calls.get")(function* (workspace_id, call_id) {
    const call = yield* repository.calls.get(workspace_id, call_id)
    return Option.isSome(call) && call.value.channel === "voice"
      ? call.value
      : yield* new CallNotFound({ call_id })
  })

  const attempts: CallsShape["attempts"] = Effect.fn("Calls.attempts")(function* (workspace_id, call_id) {
    yield* get(workspace_id, call_id)
    return yield* repository.attempts.ofCall(workspace_id, call_id)
  })

  const transitions: CallsShape["transitions"] = Effect.fn("Calls.transitions")(
    function* (workspace_id, call_id) {
      return transitionsOf(yield* get(workspace_id, call_id))
    }
  )

  const list: CallsShape["list"] = Effect.fn("Calls.list")(function* (
    workspace_id,
    { metadata, ...filter },
    page
  ) {
    const exists = (id: string) => Effect.map(repository.calls.get(workspace_id, id), Option.isSome)
    yield* known(page, "the id of a call", exists)
    if (typeof metadata !== "string")
      return yield* repository.calls.list(workspace_id, { ...filter, metadata }, page)
    const workspace = Option.getOrNull(yield* repository.workspaces.get(workspace_id))
    const any_metadata = { keys: workspace?.indexed_metadata_keys ?? [], value: metadata }
    return yield* repository.calls.list(workspace_id, { ...filter, any_metadata }, page)
  })

  const cancelOnce = Effect.fnUntraced(function* (workspace_id: string, call_id: string) {
    const state = yield* store.load(workspace_id, call_id)
    if (Option.isNone(state) || state.value.call.channel !== "voice") {
      return yield* new CallNotFound({ call_id })
    }
    const now = yield* Clock.currentTimeMillis
    const step = Machine.cancel(state.value, now)
    if (step === null) return yield* new CallEnded({ call_id })
    if (!(yield* store.save(state.value, step, now))) return Option.none<Call>()
    yield* note()
    return Option.some(step.call)
  })

  /** A conversation that is held here knows that it ends; the carrier hangs up in any case. */
  const hangUp = Effect.fnUntraced(function* ({ customer_id, phase, session_id }: Call) {
    if (phase !== "live" || session_id === null) return
    const session = Option.getOrNull(yield* repository.sessions.get(customer_id, session_id))
    if (session === null || session.status === "over") return
    yield* conversations.tell({ workspace_id: customer_id, session_id }, { _tag: "HangUp" })
  })

  const cancel: CallsShape["cancel"] = Effect.fn("Calls.cancel")(function* (workspace_id, call_id) {
    const cancelling = repository.transaction(workspace_id, cancelOnce(workspace_id, call_id)).pipe(
      Effect.repeat({ until: Option.isSome }),
      Effect.map((call) => Option.getOrThrow(call)),
      Effect.tap(hangUp)
    )
    return yield* thenWake(workspace_id, cancelling)
  })

  return Calls.of({ place, get, attempts, transitions, list, cancel })
})

export interface CallSearch extends Omit<CallFilter, "metadata" | "any_metadata"> {
  /** Values by key, or one value of any key that the workspace names. */
  readonly metadata?: string | CallFilter["metadata"]
}

export interface CallsShape {
  /**
   * Accepts a call: stores it queued, with the price of a minute held, and wakes the workspace's loop. Of any
   * number of requests with one idempotency key exactly one succeeds.
   */
  readonly place: (
    workspace_id: string,
    request: PlaceCall
  ) => Effect.Effect<
    Call,
    DuplicateKey | PhoneNumberNotFound | NoPhoneNumber | InsufficientCredits | CarrierUnavailable
  >
  readonly get: (workspace_id: string, call_id: string) => Effect.Effect<Call, CallNotFound>
  /** Its attempts, oldest first. */
  readonly attempts: (
    workspace_id: string,
    call_id: string
  ) => Effect.Effect<ReadonlyArray<Attempt>, CallNotFound>
  /** What became of it, step by step, oldest first. */
  readonly transitions: (
    workspace_id: string,
    call_id: string
  ) => Effect.Effect<ReadonlyArray<Transition>, CallNotFound>
  readonly list: (
    workspace_id: string,
    filter: CallSearch,
    page: PageRequest
  ) => Effect.Effect<Page<Call>, InvalidInput>
  /** A waiting call is cancelled at once; one under way when its carrier has hung up. */
  readonly cancel: (workspace_id: string, call_id: string) => Effect.Effect<Call, CallNotFound | CallEnded>
}

/** Single calls: placing, reading, cancelling. */
export class Calls extends Context.Tag("outdial/Calls")<Calls, CallsShape>() {
  static readonly layer = Layer.effect(this, make)
}
