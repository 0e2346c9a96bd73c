import { Clock, Effect, Metric, Option } from "effect"
import { second } from "../Codecs.ts"
import { Ids } from "../Ids.ts"
import * as Metrics from "../Metrics.ts"
import { CallDialer, type DialRefused, type DialRequest } from "../ports/CallDialer.ts"
import { Repository } from "../ports/Repository.ts"
import type { Workspace } from "../workspaces/Workspace.ts"
import type { Call } from "./Call.ts"
import { fromRefusal } from "./CallEnd.ts"
import * as Machine from "./CallMachine.ts"
import { makeCallStore } from "./CallStore.ts"
import { decide, dialRequest } from "./DialDecision.ts"
import { allowance, type Pace, started } from "./Pace.ts"
import { makeProgressRecorder } from "./ProgressRecorder.ts"
import { makeTransitions } from "./Transitions.ts"

/** How many calls one transaction claims. */
const batch = 256

const answers = {
  DialRefused: "refused",
  CarrierUnreachable: "unreachable",
  DialInDoubt: "in_doubt"
} as const

/**
 * The dialling part of a workspace's due-work loop. The intent to dial is committed before the carrier hears of
 * it; a dial that comes to no known end is looked up (`look`), never dialled on a guess.
 */
export const makeDialing = (look: (call: Call) => Effect.Effect<void>) =>
  Effect.gen(function* () {
    const repository = yield* Repository
    const dialer = yield* CallDialer
    const ids = yield* Ids
    const store = yield* makeCallStore
    const recorder = yield* makeProgressRecorder
    const { accepted, putBack } = yield* makeTransitions

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
      return requests
    })

    const refused = (request: DialRequest, refusal: DialRefused) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        recorder.recordOne(request.workspace_id, request.key, [fromRefusal(refusal, now)])
      )

    const dial = (request: DialRequest) =>
      dialer.dial(request).pipe(
        Effect.tapBoth({
          onSuccess: () => Metric.increment(Metrics.dials.accepted),
          onFailure: ({ _tag }) => Metric.increment(Metrics.dials[answers[_tag]])
        }),
        Effect.flatMap((id) => accepted(request, id)),
        Effect.catchTags({
          DialRefused: (refusal) => refused(request, refusal),
          CarrierUnreachable: () => putBack(request),
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
      const requests = yield* repository.transaction(claim(workspace, Math.min(slots, allowed, batch)))
      const begun = yield* Clock.currentTimeMillis
      yield* Effect.forEach(requests, (request) => fork(dial(request)), { discard: true })
      return { pace: started(pace, requests.length, begun), again: true, due: Option.none<number>() }
    })

    /** The pace that was used up before this owner began. */
    const paceOf = (workspace_id: string) =>
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        return { starts: yield* repository.attempts.startedSince(workspace_id, now - second) } satisfies Pace
      })

    return { dialDue, paceOf }
  })
