import { Clock, Effect, Option } from "effect"
import * as Machine from "../model/calls/CallMachine.ts"
import type { State, Step } from "../model/calls/CallStep.ts"
import { opening, type Outgoing } from "../model/calls/DialDecision.ts"
import { second } from "../model/Codecs.ts"
import { Repository } from "../ports/Repository.ts"
import { makeCallStore } from "./CallStore.ts"

/** One dial: the call, and the key of its attempt. */
export type Dial = Pick<Outgoing, "workspace_id" | "call_id" | "key">

/** The steps of live calls that the loop takes by itself, each a transaction. */
export const makeTransitions = Effect.gen(function* () {
  const repository = yield* Repository
  const store = yield* makeCallStore

  /**
   * Stores the step that a rule takes from a dial that is still live, again while another process was faster. A
   * dial that has come to its end meanwhile stays as it is.
   */
  const transition = (
    { call_id, key, workspace_id }: Dial,
    rule: (state: State, now: number) => Step | null
  ) =>
    repository
      .transaction(
        workspace_id,
        Effect.gen(function* () {
          const state = yield* store.load(workspace_id, call_id)
          if (Option.isNone(state)) return true
          if (state.value.call.phase !== "live" || state.value.attempt?.id !== key) return true
          const now = yield* Clock.currentTimeMillis
          const step = rule(state.value, now)
          return step === null || (yield* store.save(state.value, step, now))
        })
      )
      .pipe(Effect.repeat({ until: (saved) => saved }), Effect.asVoid)

  /** The carrier has taken the dial under this id. */
  const accepted = ({ key, workspace_id }: Dial, carrier_call_id: string) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) =>
      repository.attempts.accept(workspace_id, key, carrier_call_id, now)
    )

  /** The dial never arrived: the call is due again as soon as its window lets it. */
  const putBack = (dial: Dial) =>
    transition(dial, (state, now) => Machine.neverReceived(state, opening(state.call, now + second), now))

  return { transition, accepted, putBack }
})
