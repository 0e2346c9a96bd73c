import { Clock, Effect, Option } from "effect"
import { makeCallStore } from "../engine/CallStore.ts"
import type { Call } from "../model/calls/Call.ts"
import { DuplicateKey } from "../model/calls/CallErrors.ts"
import * as Machine from "../model/calls/CallMachine.ts"
import type { PlaceCall } from "../model/calls/PlaceCall.ts"
import type { PhoneNumber } from "../model/numbers/PhoneNumber.ts"
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
): Call => {
  const placed = Machine.place(
    request,
    {
      call_id,
      workspace_id,
      channel: "voice",
      from_number: from.number,
      from_phone_number_id: from.id,
      price_per_minute,
      campaign_id: null,
      recipient_id: null
    },
    now
  )
  const later = scheduled_for !== null && scheduled_for > now ? { scheduled_for, due_at: scheduled_for } : {}
  return { ...placed, ...later, credits_held: placed.price_per_minute }
}

/** How one call is placed, inside the caller's transaction: queued, with the price of a minute held. */
export const makePlaceOne = Effect.gen(function* () {
  const repository = yield* Repository
  const ids = yield* Ids
  const callerId = yield* makeCallerId
  const prices = yield* Prices
  const store = yield* makeCallStore

  /** `scheduled_for`: when it is due, if that is later than now. */
  return Effect.fnUntraced(function* (
    workspace_id: string,
    request: PlaceCall,
    scheduled_for: number | null = null
  ) {
    if (request.idempotency_key !== null) {
      const existing = yield* repository.calls.byKey(workspace_id, request.idempotency_key)
      if (Option.isSome(existing)) return yield* new DuplicateKey({ call_id: existing.value })
    }
    const from = yield* callerId(workspace_id, request.from_phone_number_id)
    const now = yield* Clock.currentTimeMillis
    const call_id = yield* ids.make("call")
    const call = newCall(call_id, workspace_id, request, from, prices.minute, scheduled_for, now)
    const held = call.credits_held === 0 ? [] : [{ kind: "hold" as const, amount: -call.credits_held }]
    if (!(yield* store.move(call, held, now))) {
      const balance = yield* repository.credits.balance(workspace_id)
      return yield* new InsufficientCredits({ required: call.credits_held, balance })
    }
    const taken = yield* repository.calls.insert(call)
    if (Option.isSome(taken)) return yield* new DuplicateKey({ call_id: taken.value })
    if (call.metadata !== null) {
      const workspace = Option.getOrNull(yield* repository.workspaces.get(workspace_id))
      yield* store.index(call, workspace?.indexed_metadata_keys ?? [])
    }
    return call
  })
})
