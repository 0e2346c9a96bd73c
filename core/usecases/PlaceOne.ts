import { Clock, Effect, Option } from "effect"
import { makeCallStore } from "../engine/CallStore.ts"
import type { Call } from "../model/calls/Call.ts"
import { DuplicateKey } from "../model/calls/CallErrors.ts"
import * as Machine from "../model/calls/CallMachine.ts"
import type { PlaceCall } from "../model/calls/PlaceCall.ts"
import type { PhoneNumber } from "../model/numbers/PhoneNumber.ts"
import type { LedgerEntry } from "../model/workspaces/Ledger.ts"
import { InsufficientCredits } from "../model/workspaces/WorkspaceErrors.ts"
import { Ids } from "../ports/Ids.ts"
import { Prices } from "../ports/Prices.ts"
import { Repository } from "../ports/Repository.ts"
import { makeCallerId } from "./CallerId.ts"

/** A single call as it begins: queued, with the price of a minute held. */
export const newCall = (
  call_id: string,
  workspace_id: string,
  request: PlaceCall,
  from: PhoneNumber,
  price_per_minute: number,
  scheduled_for: number | null,
  now: number
): Call =>
  Machine.place(
    request,
    {
      call_id,
      workspace_id,
      channel: "voice",
      from_number: from.number,
      from_phone_number_id: from.id,
      price_per_minute,
      credits_held: price_per_minute,
      scheduled_for: scheduled_for !== null && scheduled_for > now ? scheduled_for : null,
      campaign_id: null,
      recipient_id: null
    },
    now
  )

/**
 * How one call is placed, inside the caller's transaction, which has to fail where this does: queued, with the price of a
 * minute held.
 */
export const makePlaceOne = Effect.gen(function* () {
  const repository = yield* Repository
  const ids = yield* Ids
  const callerId = yield* makeCallerId
  const prices = yield* Prices
  const store = yield* makeCallStore

  /** A call without a number to dial from is a duplicate all the same, where another has its key. */
  const refuse = <E>(workspace_id: string, { idempotency_key }: PlaceCall, error: E) =>
    Effect.flatMap(
      idempotency_key === null ? Effect.succeedNone : repository.calls.byKey(workspace_id, idempotency_key),
      (owner) => Effect.fail(Option.isSome(owner) ? new DuplicateKey({ call_id: owner.value }) : error)
    )

  /** `scheduled_for`: when it is due, if that is later than now. */
  return Effect.fnUntraced(function* (
    workspace_id: string,
    request: PlaceCall,
    scheduled_for: number | null = null
  ) {
    const from = yield* Effect.catchAll(callerId(workspace_id, request.from_phone_number_id), (error) =>
      refuse(workspace_id, request, error)
    )
    const now = yield* Clock.currentTimeMillis
    const make = yield* ids.maker
    const call = newCall(make("call"), workspace_id, request, from, prices.minute, scheduled_for, now)
    // A duplicate, which is not rare, is known before anything is stored.
    const taken = yield* repository.calls.insert(call)
    if (Option.isSome(taken)) return yield* new DuplicateKey({ call_id: taken.value })
    if (call.credits_held > 0) {
      const hold: LedgerEntry = {
        id: make("led"),
        customer_id: workspace_id,
        kind: "hold",
        amount: -call.credits_held,
        reference: call.call_id,
        created_at: now
      }
      if (!(yield* repository.credits.append(workspace_id, [hold]))) {
        const balance = yield* repository.credits.balance(workspace_id)
        return yield* new InsufficientCredits({ required: call.credits_held, balance })
      }
    }
    if (call.metadata !== null) {
      yield* store.index(call, yield* repository.workspaces.indexedKeys(workspace_id))
    }
    return call
  })
})
