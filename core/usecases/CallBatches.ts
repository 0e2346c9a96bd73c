import { Clock, Context, Effect, Either, Layer, Metric, Option } from "effect"
import * as Metrics from "../engine/Metrics.ts"
import {
  type BatchItem,
  type CallBatch,
  type CallBatchRequest,
  type CallBatchState,
  together
} from "../model/calls/CallBatch.ts"
import { BatchKeyReused, CallBatchNotFound, CarrierUnavailable } from "../model/calls/CallErrors.ts"
import * as PlaceCall from "../model/calls/PlaceCall.ts"
import { scheduleRule } from "../model/campaigns/CampaignBody.ts"
import { InvalidInput } from "../model/InvalidInput.ts"
import type { RawJson } from "../model/json/RawJson.ts"
import { CallDialer } from "../ports/CallDialer.ts"
import { Dispatcher } from "../ports/Dispatcher.ts"
import { Ids } from "../ports/Ids.ts"
import { Repository } from "../ports/Repository.ts"
import { Secrets } from "../ports/Secrets.ts"
import { Calls } from "./Calls.ts"
import { makePlaceOne } from "./PlaceOne.ts"

/** Calls of a batch that are cancelled at one time. */
const cancelledTogether = 32

const make = Effect.gen(function* () {
  const repository = yield* Repository
  const dispatcher = yield* Dispatcher
  const dialer = yield* CallDialer
  const secrets = yield* Secrets
  const ids = yield* Ids
  const calls = yield* Calls
  const placeOne = yield* makePlaceOne

  const find = Effect.fnUntraced(function* (workspace_id: string, batch_id: string) {
    const batch = yield* repository.callBatches.get(workspace_id, batch_id)
    return Option.isSome(batch) ? batch.value : yield* new CallBatchNotFound({ batch_id })
  })

  const get: CallBatchesShape["get"] = Effect.fn("CallBatches.get")(function* (workspace_id, batch_id) {
    const batch = yield* find(workspace_id, batch_id)
    return { batch, items: yield* repository.callBatches.items(workspace_id, batch_id) }
  })

  const refused = (
    index: number,
    code: NonNullable<BatchItem["error"]>["code"],
    { message }: { readonly message: string }
  ): BatchItem => ({ index, status: "refused", call_id: null, error: { code, message } })

  /** A call that cannot be placed stops no other. */
  const itemOf = (
    { customer_id, scheduled_for }: CallBatch,
    index: number,
    read: Either.Either<PlaceCall.PlaceCall, InvalidInput>
  ): Effect.Effect<BatchItem> =>
    Either.isLeft(read)
      ? Effect.succeed(refused(index, "invalid_request", read.left))
      : placeOne(customer_id, read.right, scheduled_for).pipe(
          Effect.map(({ call_id }): BatchItem => ({ index, status: "created", call_id, error: null })),
          Effect.catchTags({
            DuplicateKey: ({ call_id }) =>
              Effect.succeed({ index, status: "duplicate" as const, call_id, error: null }),
            InsufficientCredits: (error) => Effect.succeed(refused(index, "insufficient_credits", error)),
            NoPhoneNumber: (error) => Effect.succeed(refused(index, "invalid_request", error)),
            PhoneNumberNotFound: (error) => Effect.succeed(refused(index, "not_found", error))
          })
        )

  /** Places a part of the calls, unless that was done by a request before. */
  const placePart = Effect.fnUntraced(function* (
    batch: CallBatch,
    part: number,
    read: ReadonlyArray<Either.Either<PlaceCall.PlaceCall, InvalidInput>>
  ) {
    const { customer_id, id } = batch
    const done = yield* repository.callBatches.part(customer_id, id, part)
    if (Option.isSome(done)) return done.value
    const { cancelled_at } = yield* Effect.orDie(find(customer_id, id))
    const items: Array<BatchItem> = []
    for (const [i, each] of read.entries()) {
      const index = part * together + i
      items.push(
        cancelled_at === null
          ? yield* itemOf(batch, index, each)
          : refused(index, "conflict", { message: "the batch was cancelled" })
      )
    }
    yield* repository.callBatches.addPart(customer_id, id, part, items)
    return items
  })

  const accept = Effect.fnUntraced(function* (batch: CallBatch, texts: ReadonlyArray<RawJson>) {
    const { customer_id } = batch
    const items: Array<BatchItem> = []
    for (let part = 0; part * together < texts.length; part++) {
      const read = texts.slice(part * together, (part + 1) * together).map(PlaceCall.fromJson)
      const placed = yield* repository.transaction(customer_id, placePart(batch, part, read))
      items.push(...placed)
      yield* dispatcher.wake(customer_id)
      yield* Effect.yieldNow()
    }
    yield* Metric.incrementBy(Metrics.callsPlaced, items.filter(({ status }) => status === "created").length)
    return { batch: Option.getOrThrow(yield* repository.callBatches.get(customer_id, batch.id)), items }
  })

  const create: CallBatchesShape["create"] = Effect.fn("CallBatches.create")(function* (
    workspace_id,
    { calls: texts, scheduled_for },
    idempotency_key = null
  ) {
    if (!(yield* dialer.available)) return yield* new CarrierUnavailable()
    const now = yield* Clock.currentTimeMillis
    const batch: CallBatch = {
      id: yield* ids.make("batch"),
      customer_id: workspace_id,
      total: texts.length,
      scheduled_for,
      idempotency_key,
      digest: idempotency_key === null ? null : secrets.digest(JSON.stringify([scheduled_for, ...texts])),
      created_at: now,
      cancelled_at: null
    }
    const insert = Effect.gen(function* () {
      const taken = yield* repository.callBatches.insert(batch)
      if (Option.isSome(taken)) return taken.value
      const late = scheduleRule(scheduled_for, now)
      if (late !== null) return yield* new InvalidInput({ reason: late, field: "scheduled_for" })
      return batch
    })
    const stored = yield* repository.transaction(workspace_id, insert)
    if (stored.digest !== batch.digest) return yield* new BatchKeyReused({ batch_id: stored.id })
    return yield* accept(stored, texts)
  })

  const cancel: CallBatchesShape["cancel"] = Effect.fn("CallBatches.cancel")(
    function* (workspace_id, batch_id) {
      yield* find(workspace_id, batch_id)
      const now = yield* Clock.currentTimeMillis
      yield* repository.transaction(workspace_id, repository.callBatches.cancel(workspace_id, batch_id, now))
      const state = yield* get(workspace_id, batch_id)
      yield* Effect.forEach(
        state.items.filter(({ status }) => status === "created"),
        ({ call_id }) => Effect.ignore(calls.cancel(workspace_id, call_id!)),
        { concurrency: cancelledTogether, discard: true }
      )
      return state
    }
  )

  return CallBatches.of({ create, get, cancel })
})

export interface CallBatchesShape {
  /**
   * Accepts up to 1,000 calls, a hundred in one transaction, and tells of each what became of it. A process that dies in
   * between has accepted whole hundreds. The same request sent again with the same key goes on behind them, and places
   * nothing twice; without a key it is another batch, in which only calls with keys of their own are told as duplicates.
   */
  readonly create: (
    workspace_id: string,
    request: CallBatchRequest,
    idempotency_key?: string | null
  ) => Effect.Effect<CallBatchState, InvalidInput | BatchKeyReused | CarrierUnavailable>
  readonly get: (workspace_id: string, batch_id: string) => Effect.Effect<CallBatchState, CallBatchNotFound>
  /** Cancels the calls of a batch that have not ended, and accepts no more of it. */
  readonly cancel: (
    workspace_id: string,
    batch_id: string
  ) => Effect.Effect<CallBatchState, CallBatchNotFound>
}

/** Many calls at once. */
export class CallBatches extends Context.Tag("outdial/CallBatches")<CallBatches, CallBatchesShape>() {
  static readonly layer = Layer.effect(this, make)
}
