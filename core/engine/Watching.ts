import { Clock, Effect, Option } from "effect"
import type { Attempt } from "../model/calls/Attempt.ts"
import type { Call } from "../model/calls/Call.ts"
import * as Machine from "../model/calls/CallMachine.ts"
import type { State } from "../model/calls/CallStep.ts"
import { minute, second } from "../model/Codecs.ts"
import {
  CallDialer,
  type CarrierUnreachable,
  type DialReference,
  type Lookup,
  type LookupFailed
} from "../ports/CallDialer.ts"
import { Repository } from "../ports/Repository.ts"
import { makeCallStore } from "./CallStore.ts"
import { makeProgressRecorder } from "./ProgressRecorder.ts"
import type { Fork, Round } from "./Round.ts"
import { whileStoreIsAway } from "./StoreAway.ts"
import { type Dial, intendedAt, makeTransitions } from "./Transitions.ts"

/** When a recording is looked for again at a carrier that could not tell. */
const recordingAgain = 5 * minute
/** How many calls one transaction claims, and one page of a recovery holds. */
const batch = 128

/**
 * The watching part of a workspace's due-work loop: live calls whose carrier has been silent for too long, whose
 * dial came to no known end, or whose owner died are looked up at the carrier, and so are recordings of calls that are
 * over, of which the carrier has not told.
 */
export const makeWatching = Effect.gen(function* () {
  const repository = yield* Repository
  const dialer = yield* CallDialer
  const store = yield* makeCallStore
  const recorder = yield* makeProgressRecorder
  const { accepted, putBack, transition } = yield* makeTransitions

  /** What the carrier says of a dial settles it, or sets when to ask again. */
  const settle = Effect.fnUntraced(function* (dial: Dial, attempt: Attempt, found: Lookup) {
    if (found._tag === "Known") {
      yield* accepted(dial, found.carrier_call_id)
      yield* recorder.recordOne(dial.workspace_id, dial.key, found.progress)
      return yield* transition(dial, (state, now) =>
        now >= Machine.deadline(state)
          ? Machine.giveUp(state, now)
          : Machine.lookAgain(state, nextLook(state, now), now)
      )
    }
    const quiet = quietAfter(attempt)
    return (yield* Clock.currentTimeMillis) >= quiet
      ? yield* putBack(dial)
      : yield* transition(dial, (state, now) => Machine.lookAgain(state, quiet, now))
  })

  /** A look-up failed: a dial is given up only when its carrier answers and still cannot tell, or its time is over. */
  const unknown = Effect.fnUntraced(function* (
    dial: Dial,
    attempt: Attempt,
    failure: LookupFailed | CarrierUnreachable
  ) {
    const answers = failure._tag === "LookupFailed" && (yield* dialer.available)
    const quiet = quietAfter(attempt)
    return yield* transition(dial, (state, now) => {
      const hopeless = answers && attempt.carrier_call_id === null && now >= quiet
      return hopeless || now >= Machine.deadline(state)
        ? Machine.giveUp(state, now)
        : Machine.lookAgain(state, Math.max(quiet, now + 15 * second), now)
    })
  })

  /** A provider cannot be asked about a message: it waits for what its provider tells, as long as that may take. */
  const awaitReceipt = (dial: Dial) =>
    transition(dial, (state, now) => {
      const until = Machine.isTaken(state) ? Machine.deadline(state) : quietAfter(state.attempt!)
      return now >= until ? Machine.giveUp(state, now) : Machine.lookAgain(state, until, now)
    })

  /** Asks the carrier for the recordings of a call that is over, of which it has told nothing. */
  const findRecordings = Effect.fnUntraced(function* (call: Call) {
    for (const attempt of yield* repository.attempts.ofCall(call.customer_id, call.call_id)) {
      if (attempt.answered_at === null) continue
      const found = yield* dialer.lookup(reference(call, attempt))
      if (found._tag !== "Known") continue
      const recordings = found.progress.filter(({ _tag }) => _tag === "RecordingReady")
      yield* recorder.recordOne(call.customer_id, attempt.id, recordings)
    }
    const latest = yield* repository.calls.get(call.customer_id, call.call_id)
    if (Option.isNone(latest) || latest.value.due_at === null) return
    const none = Machine.recordingFound(latest.value)
    yield* repository.calls.update({ ...none, version: none.version + 1 })
  }, Effect.ignore)

  /** Asks the carrier about a live call, having told it to hang up if the call was cancelled or has lasted too long. */
  const look = Effect.fn("Watch.look")(function* (call: Call) {
    if (call.phase === "done") return yield* findRecordings(call)
    const { attempt } = yield* store.stateOf(call)
    if (attempt === null) return
    const dial: Dial = {
      workspace_id: call.customer_id,
      call_id: call.call_id,
      key: attempt.id,
      intended_at: intendedAt(attempt)
    }
    if (attempt.channel === "msg") return yield* awaitReceipt(dial)
    if (call.cancel_requested || (yield* Clock.currentTimeMillis) >= Machine.deadline({ call, attempt })) {
      yield* Effect.ignore(dialer.hangUp(reference(call, attempt)))
    }
    yield* dialer.lookup(reference(call, attempt)).pipe(
      Effect.flatMap((found) => settle(dial, attempt, found)),
      Effect.catchAll((failure) => unknown(dial, attempt, failure))
    )
  })

  /** Nothing else of a call that is over changes. */
  const claimed = (call: Call, now: number): Call =>
    call.phase === "done"
      ? Machine.lookForRecording(call, now + recordingAgain)
      : Machine.lookAgain({ call, attempt: null }, now + Machine.grace, now).call

  /** Asks the carrier about live calls that are overdue; each is claimed by moving its due time. */
  const watch = Effect.fnUntraced(function* (workspace_id: string, fork: Fork) {
    const now = yield* Clock.currentTimeMillis
    const due = yield* repository.calls.nextOverdue(workspace_id)
    if (Option.isNone(due) || due.value > now) return { again: false, due } satisfies Round
    const overdue = yield* repository.calls.overdue(workspace_id, now, batch)
    const ours = yield* repository.transaction(
      workspace_id,
      Effect.forEach(overdue, (call) => {
        const next = { ...claimed(call, now), version: call.version + 1 }
        return Effect.map(repository.calls.update(next), (did) => (did ? [next] : []))
      })
    )
    yield* Effect.forEach(ours.flat(), (call) => fork(look(call)), { discard: true })
    return { again: true, due: Option.none<number>() } satisfies Round
  })

  /** Asks the carrier about every live call that has stood as it is since `began`. */
  const lookAtAll = Effect.fnUntraced(function* (workspace_id: string, began: number) {
    let after = ""
    for (;;) {
      const live = yield* repository.calls.live(workspace_id, after, batch)
      const now = yield* Clock.currentTimeMillis
      // What is later than now was stored by an owner whose clock was ahead.
      const left = live.filter(({ updated_at }) => updated_at < began || updated_at > now)
      yield* Effect.forEach(left, look, { concurrency: 16, discard: true })
      if (live.length < batch) return
      after = live.at(-1)!.call_id
    }
  })

  /**
   * A new owner asks the carrier about every live call: the one before may have died at any moment. It goes on until it
   * has: a dial that was never sent would stand for minutes.
   */
  const recover = Effect.fn("Watch.recover")(function* (workspace_id: string) {
    const began = yield* Clock.currentTimeMillis
    yield* whileStoreIsAway(lookAtAll(workspace_id, began), "live calls could not be looked at")
  })

  return { look, watch, recover }
})

/** What the carrier may find the dial by. An attempt that is dialled again was first dialled when it was made. */
const reference = (call: Call, attempt: Attempt): DialReference => ({
  workspace_id: call.customer_id,
  key: attempt.id,
  carrier_call_id: attempt.carrier_call_id,
  to_number: call.to_number,
  from_number: attempt.from_number,
  since: attempt.created_at
})

/** When a request of ours that is still on its way cannot arrive any more. */
const quietAfter = (attempt: Attempt): number =>
  intendedAt(attempt) + (attempt.channel === "msg" ? Machine.ringTimeout : Machine.settleTime)

/** A call that its carrier knows is left alone until it must have ended; one that was cancelled, for a moment. */
const nextLook = (state: State, now: number): number =>
  state.call.cancel_requested ? now + 15 * second : Machine.deadline(state)
