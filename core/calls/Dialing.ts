import { Clock, Effect, Option } from "effect"
import { hour, second } from "../Codecs.ts"
import { Ids } from "../Ids.ts"
import { CallDialer, type DialRequest, type Lookup, type Progress } from "../ports/CallDialer.ts"
import { Repository } from "../ports/Repository.ts"
import type { Workspace } from "../workspaces/Workspace.ts"
import type { Call } from "./Call.ts"
import * as Machine from "./CallMachine.ts"
import { makeCallStore } from "./CallStore.ts"
import { decide, dialRequest, opening } from "./DialDecision.ts"
import { allowance, type Pace, started } from "./Pace.ts"
import { makeProgressRecorder } from "./ProgressRecorder.ts"

/** How many calls one transaction claims. */
const batch = 128

/** What a round of dialling leaves behind: whether to look again at once, or when. */
export interface Round {
  readonly again: boolean
  readonly due: Option.Option<number>
}

/**
 * The dialling half of a workspace's due-work loop. The intent to dial is committed before the carrier hears of
 * it, and whoever finds an intent without an outcome asks the carrier, and never dials on a guess.
 */
export const makeDialing = Effect.gen(function* () {
  const repository = yield* Repository
  const dialer = yield* CallDialer
  const ids = yield* Ids
  const store = yield* makeCallStore
  const recorder = yield* makeProgressRecorder

  /** Loads a call and stores the step that a rule takes from it, as often as somebody else was faster. */
  const transition = (
    workspace_id: string,
    call_id: string,
    rule: (state: Machine.State, now: number) => Machine.Step | null
  ) =>
    repository
      .transaction(
        Effect.gen(function* () {
          const state = yield* store.load(workspace_id, call_id)
          if (Option.isNone(state)) return true
          const step = rule(state.value, yield* Clock.currentTimeMillis)
          return step === null || (yield* store.save(state.value, step))
        })
      )
      .pipe(Effect.repeat({ until: (saved) => saved }), Effect.asVoid)

  const accepted = (workspace_id: string, attempt_id: string, carrier_call_id: string) =>
    repository.transaction(
      Effect.gen(function* () {
        const attempt = yield* repository.attempts.get(workspace_id, attempt_id)
        if (Option.isNone(attempt)) return
        const next = Machine.accept(attempt.value, carrier_call_id, yield* Clock.currentTimeMillis)
        if (next !== null) yield* repository.attempts.update(next)
      })
    )

  /** Commits what becomes of the calls that are due: those that may be dialled are intents from here on. */
  const claim = Effect.fnUntraced(function* (workspace: Workspace, limit: number) {
    const now = yield* Clock.currentTimeMillis
    const due = yield* repository.calls.dialable(workspace.id, now, limit)
    const agents = new Map<string, Effect.Effect.Success<ReturnType<typeof repository.agents.get>>>()
    const callerIds = new Map<string, boolean>()
    const requests: Array<DialRequest> = []
    for (const call of due) {
      const agent = agents.get(call.agent_id) ?? (yield* repository.agents.get(workspace.id, call.agent_id))
      agents.set(call.agent_id, agent)
      const callerId = call.from_phone_number_id
      const caller_id_exists =
        callerIds.get(callerId) ?? Option.isSome(yield* repository.phoneNumbers.get(workspace.id, callerId))
      callerIds.set(callerId, caller_id_exists)
      const do_not_call = yield* repository.doNotCall.contains(workspace.id, call.to_number)
      const decision = decide(call, { workspace, agent, caller_id_exists, do_not_call }, now)
      const state = call.redial ? yield* store.stateOf(call) : { call, attempt: null }
      switch (decision._tag) {
        case "Wait": {
          yield* repository.calls.update({
            ...Machine.wait(call, decision.until, now),
            version: call.version + 1
          })
          break
        }
        case "Refuse": {
          yield* store.save(state, Machine.refuse(state, decision.sub_status, now))
          break
        }
        case "Dial": {
          const held = Math.max(0, call.price_per_minute - call.credits_held)
          if (held > (yield* held === 0 ? Effect.succeed(0) : repository.credits.balance(workspace.id))) {
            yield* store.save(state, Machine.refuse(state, "insufficient_credits", now))
            break
          }
          const step = Machine.intend(
            state,
            { attempt_id: yield* ids.make("att"), session_id: yield* ids.make("sess") },
            held,
            now
          )
          if (yield* store.save(state, step)) {
            requests.push(dialRequest(step.call, step.attempt!, decision.agent))
          }
        }
      }
    }
    return { found: due.length, requests }
  })

  const record = (workspace_id: string, key: string, progress: ReadonlyArray<Progress>) =>
    recorder.recordOne(workspace_id, key, progress)

  const refused = (request: DialRequest, refusal: Parameters<typeof Machine.fromRefusal>[0]) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) =>
      record(request.workspace_id, request.key, [Machine.fromRefusal(refusal, now)])
    )

  const putBack = (workspace_id: string, call_id: string) =>
    transition(workspace_id, call_id, (state, now) =>
      Machine.neverReceived(state, opening(state.call, now + second), now)
    )

  /** What the carrier says of a live call settles it, or sets when to ask again. */
  const settle = (state: Machine.State, found: Lookup) =>
    Effect.gen(function* () {
      const { attempt, call } = state
      if (attempt === null) return
      if (found._tag === "Known") {
        yield* accepted(call.customer_id, attempt.id, found.carrier_call_id)
        yield* record(call.customer_id, attempt.id, found.progress)
        return yield* transition(call.customer_id, call.call_id, (now_state, now) => {
          if (now_state.call.phase !== "live" || now_state.attempt?.id !== attempt.id) return null
          return now >= Machine.deadline(now_state)
            ? Machine.giveUp(now_state, now)
            : {
                ...nothing(now_state),
                call: Machine.lookAgain(now_state.call, nextLook(now_state, now), now)
              }
        })
      }
      if (attempt.carrier_call_id !== null) {
        return yield* transition(call.customer_id, call.call_id, Machine.giveUp)
      }
      const quiet = (attempt.started_at ?? call.updated_at) + Machine.settleTime
      if ((yield* Clock.currentTimeMillis) >= quiet) return yield* putBack(call.customer_id, call.call_id)
      return yield* transition(call.customer_id, call.call_id, (now_state, now) => ({
        ...nothing(now_state),
        call: Machine.lookAgain(now_state.call, quiet, now)
      }))
    })

  /** A look-up that failed: the call is given up only when its carrier answers and still cannot tell, or its time is over. */
  const unknown = ({ attempt, call }: Machine.State) =>
    Effect.gen(function* () {
      if (attempt === null) return
      const available = yield* dialer.available
      const quiet = (attempt.started_at ?? call.updated_at) + Machine.settleTime
      yield* transition(call.customer_id, call.call_id, (state, now) => {
        if (state.call.phase !== "live" || state.attempt?.id !== attempt.id) return null
        const hopeless = available && state.attempt.carrier_call_id === null && now >= quiet
        if (hopeless || now >= Machine.deadline(state)) return Machine.giveUp(state, now)
        return {
          ...nothing(state),
          call: Machine.lookAgain(state.call, Math.max(quiet, now + 15 * second), now)
        }
      })
    })

  const look = Effect.fn("Dialing.look")(function* (call: Call) {
    const state = yield* store.stateOf(call)
    if (state.attempt === null) return
    const { id } = state.attempt
    if (call.cancel_requested || (yield* Clock.currentTimeMillis) >= Machine.deadline(state)) {
      yield* Effect.ignore(dialer.hangUp(call.customer_id, id))
    }
    yield* dialer.lookup(call.customer_id, id).pipe(
      Effect.flatMap((found) => settle(state, found)),
      Effect.catchTag("LookupFailed", () => unknown(state))
    )
  })

  const dial = (request: DialRequest) =>
    dialer.dial(request).pipe(
      Effect.flatMap((id) => accepted(request.workspace_id, request.key, id)),
      Effect.catchTags({
        DialRefused: (refusal) => refused(request, refusal),
        CarrierUnreachable: () => putBack(request.workspace_id, request.call_id),
        DialInDoubt: () =>
          Effect.flatMap(
            repository.calls.get(request.workspace_id, request.call_id),
            Option.match({ onNone: () => Effect.void, onSome: look })
          )
      }),
      Effect.asVoid
    )

  /**
   * Dials what is due within the workspace's caps. `fork` runs a dial beside the loop and tells the loop when it
   * is over.
   */
  const dialDue = Effect.fnUntraced(function* (
    workspace: Workspace,
    pace: Pace,
    fork: (work: Effect.Effect<void>) => Effect.Effect<void>
  ) {
    const waiting = yield* repository.calls.nextDue(workspace.id, "waiting")
    const now = yield* Clock.currentTimeMillis
    const idle = { pace, again: false, due: waiting }
    if (Option.isNone(waiting) || waiting.value > now) return idle
    if (!(yield* dialer.available)) return { ...idle, due: Option.none<number>() }
    const slots = workspace.max_concurrency - (yield* repository.calls.countLive(workspace.id))
    if (slots <= 0) return { ...idle, due: Option.none<number>() }
    const { allowed, next_at } = allowance(pace, workspace.calls_per_second, now)
    if (allowed === 0) return { ...idle, due: Option.some(next_at) }
    const { requests } = yield* repository.transaction(claim(workspace, Math.min(slots, allowed, batch)))
    const begun = yield* Clock.currentTimeMillis
    yield* Effect.forEach(requests, (request) => fork(dial(request)), { discard: true })
    return { pace: started(pace, requests.length, begun), again: true, due: Option.none<number>() }
  })

  /** Asks the carrier about live calls that are overdue; each is claimed by moving its due time. */
  const watch = Effect.fnUntraced(function* (
    workspace_id: string,
    fork: (work: Effect.Effect<void>) => Effect.Effect<void>
  ) {
    const now = yield* Clock.currentTimeMillis
    const overdue = yield* repository.calls.overdue(workspace_id, now, batch)
    if (overdue.length > 0) {
      const claimed = yield* repository.transaction(
        Effect.forEach(overdue, (call) => {
          const next = { ...Machine.lookAgain(call, now + Machine.grace, now), version: call.version + 1 }
          return Effect.map(repository.calls.update(next), (did) => (did ? [next] : []))
        })
      )
      yield* Effect.forEach(claimed.flat(), (call) => fork(look(call)), { discard: true })
    }
    return {
      again: overdue.length === batch,
      due: yield* repository.calls.nextDue(workspace_id, "live")
    } satisfies Round
  })

  /** A new owner asks the carrier about every live call: the one before may have died at any moment. */
  const recover = Effect.fn("Dialing.recover")(function* (workspace_id: string) {
    const began = yield* Clock.currentTimeMillis
    let after = ""
    for (;;) {
      const live = yield* repository.calls.live(workspace_id, after, batch)
      const left = live.filter(({ updated_at }) => updated_at < began)
      yield* Effect.forEach(left, look, { concurrency: 16, discard: true })
      if (live.length < batch) return
      after = live.at(-1)!.call_id
    }
  })

  /** The pace that was used up before this owner began. */
  const paceOf = (workspace_id: string) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      return { starts: yield* repository.attempts.startedSince(workspace_id, now - second) } satisfies Pace
    })

  return { dialDue, watch, recover, paceOf }
})

const nothing = (state: Machine.State): Machine.Step => ({
  ...state,
  events: [],
  movements: [],
  recordings: []
})

/** A call that its carrier knows and that goes on is left alone until it must have ended, at most an hour. */
const nextLook = (state: Machine.State, now: number): number =>
  state.call.cancel_requested
    ? now + 15 * second
    : Math.min(Math.max(Machine.deadline(state), now + second), now + 2 * hour)

export type Dialing = Effect.Effect.Success<typeof makeDialing>
