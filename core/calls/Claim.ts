import { Effect, Option } from "effect"
import type { Agent } from "../agents/Agent.ts"
import { Ids } from "../Ids.ts"
import type { DialRequest } from "../ports/CallDialer.ts"
import { Repository } from "../ports/Repository.ts"
import type { Workspace } from "../workspaces/Workspace.ts"
import type { Call } from "./Call.ts"
import * as Machine from "./CallMachine.ts"
import type { State } from "./CallStep.ts"
import { makeCallStore } from "./CallStore.ts"
import { decide, type DialDecision, dialRequest } from "./DialDecision.ts"

/** What one claim has read already. */
interface Known {
  readonly agents: Map<string, Option.Option<Agent>>
  readonly callerIds: Map<string, boolean>
}

/** Looks at calls that are due in one workspace, all at one moment, inside one transaction. */
export const makeClaim = Effect.gen(function* () {
  const repository = yield* Repository
  const ids = yield* Ids
  const store = yield* makeCallStore

  const once = <A>(known: Map<string, A>, key: string, read: Effect.Effect<A>) => {
    const value = known.get(key)
    return value !== undefined
      ? Effect.succeed(value)
      : Effect.tap(read, (found) => Effect.sync(() => known.set(key, found)))
  }

  /** What a dial has to hold beyond what the call holds. */
  const missing = (call: Call) => Math.max(0, call.price_per_minute - call.credits_held)

  /** What to do with a call: of one claim, agents and caller IDs are read once. */
  const open = (workspace: Workspace, now: number) => {
    const known: Known = { agents: new Map(), callerIds: new Map() }

    const judge = Effect.fnUntraced(function* (call: Call) {
      const { agent_id, customer_id, from_phone_number_id, to_number } = call
      const agent = yield* once(known.agents, agent_id, repository.agents.get(customer_id, agent_id))
      const number = repository.phoneNumbers.get(customer_id, from_phone_number_id)
      const decision = decide(
        call,
        {
          workspace,
          agent,
          caller_id_exists: yield* once(
            known.callerIds,
            from_phone_number_id,
            Effect.map(number, Option.isSome)
          ),
          do_not_call: yield* repository.doNotCall.contains(customer_id, to_number)
        },
        now
      )
      if (decision._tag !== "Dial" || missing(call) === 0) return decision
      return missing(call) > (yield* repository.credits.balance(customer_id))
        ? ({ _tag: "Refuse", sub_status: "insufficient_credits" } satisfies DialDecision)
        : decision
    })

    /** The intent to dial, to be stored: the request goes out once it is. */
    const intend = Effect.fnUntraced(function* (state: State, agent: Agent) {
      const attempt_id = yield* ids.make("att")
      const session_id = yield* ids.make("sess")
      const step = Machine.intend(state, { attempt_id, session_id }, missing(state.call), now)
      return { step, request: dialRequest(step.call, step.attempt!, agent) }
    })

    /** Dials a waiting call; none when somebody else has changed it. `call` is what it is to be dialled as. */
    const dial = Effect.fnUntraced(function* (before: State, call: Call, agent: Agent) {
      const { request, step } = yield* intend({ ...before, call }, agent)
      return (yield* store.save(before, step)) ? Option.some(request) : Option.none<DialRequest>()
    })

    /** Dials a call that begins with this. */
    const begin = Effect.fnUntraced(function* (call: Call, agent: Agent) {
      const { request, step } = yield* intend({ call, attempt: null }, agent)
      yield* store.begin(step)
      return request
    })

    return { now, workspace, judge, dial, begin }
  }

  /** The call with the attempt that is to be dialled again, if there is one. */
  const waiting = (call: Call): Effect.Effect<State> =>
    call.redial ? store.stateOf(call) : Effect.succeed({ call, attempt: null })

  return { open, waiting, save: store.save }
})

export type Claim = ReturnType<Effect.Effect.Success<typeof makeClaim>["open"]>
