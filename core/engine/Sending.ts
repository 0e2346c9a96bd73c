import { Clock, Effect, Option } from "effect"
import type { Call } from "../model/calls/Call.ts"
import { fromRefusal } from "../model/calls/CallEnd.ts"
import * as Machine from "../model/calls/CallMachine.ts"
import { isMessage, type Outgoing } from "../model/calls/DialDecision.ts"
import {
  CallDialer,
  type CarrierUnreachable,
  type DialInDoubt,
  type DialRefused
} from "../ports/CallDialer.ts"
import { MessageSender } from "../ports/MessageSender.ts"
import { Repository } from "../ports/Repository.ts"
import * as Metrics from "./Metrics.ts"
import { makeProgressRecorder } from "./ProgressRecorder.ts"
import { whileStoreIsAway } from "./StoreAway.ts"
import { makeTransitions } from "./Transitions.ts"

/** How old an intent may be when it is sent. Well before another process takes it for one that was never sent. */
const freshFor = Machine.settleTime / 2

const results = {
  DialRefused: "refused",
  CarrierUnreachable: "unreachable",
  DialInDoubt: "in_doubt"
} as const

/**
 * Sends what a transaction has committed to, and stores what the carrier or the provider answers. A dial without a
 * known end is looked up (`look`): it is never repeated on a guess.
 */
export const makeSending = (look: (call: Call) => Effect.Effect<void>) =>
  Effect.gen(function* () {
    const { calls } = yield* Repository
    const dialer = yield* CallDialer
    const sender = yield* MessageSender
    const recorder = yield* makeProgressRecorder
    const { accepted, putBack } = yield* makeTransitions

    const refused = (request: Outgoing, refusal: DialRefused) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        recorder.recordOne(request.workspace_id, request.key, [fromRefusal(refusal, now)])
      )

    const lookAt = ({ call_id, workspace_id }: Outgoing) =>
      Effect.flatMap(
        calls.get(workspace_id, call_id),
        Option.match({ onNone: () => Effect.void, onSome: look })
      )

    /** What has become of a dial is known here alone: it is kept until the store has it. */
    const keep = (work: Effect.Effect<void>) =>
      whileStoreIsAway(work, "what became of a dial could not be stored")

    const notAccepted = (
      request: Outgoing,
      intended_at: number,
      failure: DialRefused | CarrierUnreachable | DialInDoubt
    ): Effect.Effect<void> => {
      switch (failure._tag) {
        // Not kept: late, it would end a dial that another process has made by the same key.
        case "DialRefused":
          return Effect.asVoid(refused(request, failure))
        case "CarrierUnreachable":
          return keep(putBack({ ...request, intended_at }))
        case "DialInDoubt":
          return keep(lookAt(request))
      }
    }

    const send = (request: Outgoing, intended_at: number) =>
      Effect.matchEffect(isMessage(request) ? sender.send(request) : dialer.dial(request), {
        onSuccess: (id) =>
          Effect.zipRight(Metrics.count(Metrics.dials.accepted), keep(accepted(request, id))),
        onFailure: (failure) =>
          Effect.zipRight(
            Metrics.count(Metrics.dials[results[failure._tag]]),
            notAccepted(request, intended_at, failure)
          )
      })

    /**
     * Sends a request that was committed at `intended_at`. A process that was suspended in between may have lost the
     * workspace to another one, which has asked the carrier and may have dialled: it asks the carrier as well. A
     * message is put back, since no other process can have sent it.
     */
    return (request: Outgoing, intended_at: number) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        if (now - intended_at < freshFor) return send(request, intended_at)
        return keep(isMessage(request) ? putBack({ ...request, intended_at }) : lookAt(request))
      })
  })
