import { Clock, Effect, Option } from "effect"
import type { Attempt } from "../model/calls/Attempt.ts"
import * as Machine from "../model/calls/CallMachine.ts"
import type { State, Step } from "../model/calls/CallStep.ts"
import { opening, type Outgoing } from "../model/calls/DialDecision.ts"
import { second } from "../model/Codecs.ts"
import type { Accepted } from "../ports/AttemptRows.ts"
import { Repository } from "../ports/Repository.ts"
import * as Batched from "./Batched.ts"
import { makeCallStore } from "./CallStore.ts"

/** One dial: the call, the key of its attempt, and when it was intended: one that never arrived is made again by its key. */
export interface Dial extends Pick<Outgoing, "workspace_id" | "call_id" | "key"> {
  readonly intended_at: number
}

/** How many dials that were taken are noted together. */
const acceptedAtOnce = 512

interface Taken extends Accepted {
  readonly workspace_id: string
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

  const accept = yield* Batched.make(
    acceptedAtOnce,
    ({ workspace_id }: Taken) => workspace_id,
    (workspace_id, [first, ...others]) =>
      Effect.as(repository.attempts.accept(workspace_id, first, ...others), [first, ...others])
  )

  /** The carrier has taken the dial under this id. */
  const accepted = ({ key, workspace_id }: Pick<Dial, "key" | "workspace_id">, carrier_call_id: string) =>
    Effect.flatMap(Clock.currentTimeMillis, (at) => accept({ workspace_id, id: key, carrier_call_id, at }))

  /** The dial never arrived: the call is due again as soon as its window lets it. */
  const putBack = (dial: Dial) =>
    transition(dial, (state, now) => Machine.neverReceived(state, opening(state.call, now + second), now))

  return { transition, accepted, putBack }
})
