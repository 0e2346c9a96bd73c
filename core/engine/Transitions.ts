import { Clock, Effect, Option } from "effect"
import type { Attempt } from "../model/calls/Attempt.ts"
import * as Machine from "../model/calls/CallMachine.ts"
import type { State, Step } from "../model/calls/CallStep.ts"
import { opening, type Outgoing } from "../model/calls/DialDecision.ts"
import { second } from "../model/Codecs.ts"
import { Repository } from "../ports/Repository.ts"
import { makeCallStore } from "./CallStore.ts"

/** One dial: the call, the key of its attempt, and when it was intended: one that never arrived is made again by its key. */
export interface Dial extends Pick<Outgoing, "workspace_id" | "call_id" | "key"> {
  readonly intended_at: number
}

/** When the last dial of an attempt was intended. */
export const intendedAt = ({ created_at, started_at }: Attempt): number => started_at ?? created_at

/** The steps of live calls that the loop takes by itself, each a transaction. */
export const makeTransitions = Effect.gen(function* () {
  const repository = yield* Repository
  const store = yield* makeCallStore

  /**
   * Stores the step that a rule takes from a dial that is still live, again while another process was faster. A
   * dial that has come to its end meanwhile stays as it is, and so does a later one of the same attempt.
   */
  const transition = (
    { call_id, intended_at, key, workspace_id }: Dial,
    rule: (state: State, now: number) => Step | null
  ) =>
    repository
      .transaction(
        workspace_id,
        Effect.gen(function* () {
          const state = yield* store.load(workspace_id, call_id)
          if (Option.isNone(state)) return true
          const { attempt, call } = state.value
          if (call.phase !== "live" || attempt?.id !== key || intendedAt(attempt) !== intended_at) return true
          const now = yield* Clock.currentTimeMillis
          const step = rule(state.value, now)
          return step === null || (yield* store.save(state.value, step, now))
        })
      )
      .pipe(Effect.repeat({ until: (saved) => saved }), Effect.asVoid)

  /** The carrier has taken the dial under this id. */
  const accepted = ({ key, workspace_id }: Pick<Dial, "key" | "workspace_id">, carrier_call_id: string) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) =>
      repository.attempts.accept(workspace_id, key, carrier_call_id, now)
    )

  /** The dial never arrived: the call is due again as soon as its window lets it. */
  const putBack = (dial: Dial) =>
    transition(dial, (state, now) => Machine.neverReceived(state, opening(state.call, now + second), now))

  return { transition, accepted, putBack }
})
