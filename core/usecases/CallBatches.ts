import { Array as Arr, Clock, Context, Effect, Either, Layer, Metric, Option } from "effect"
import * as Metrics from "../engine/Metrics.ts"
import { makeNoting } from "../engine/Noting.ts"
import type { Call } from "../model/calls/Call.ts"
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
import { Ids } from "../ports/Ids.ts"
import { Repository } from "../ports/Repository.ts"
import { Secrets } from "../ports/Secrets.ts"
import { Calls } from "./Calls.ts"
import { makePlaceMany, type PlacingError } from "./PlaceMany.ts"
import { makeThenWake } from "./Woken.ts"

/** Calls of a batch that are cancelled at one time. */
const cancelledTogether = 32

const make = Effect.gen(function* () {
  const repository = yield* Repository
  const thenWake = yield* makeThenWake
  const dialer = yield* CallDialer
  const secrets = yield* Secrets
  const ids = yield* Ids
  const calls = yield* Calls
  const placeMany = yield* makePlaceMany
  const { noted } = yield* makeNoting

  const find = Effect.fnUntraced(function* (workspace_id: string, batch_id: string) {
    const batch = yield* repository.callBatches.get(workspace_id, batch_id)
    return Option.isSome(batch) ? batch.value : yield* new CallBatchNotFound({ batch_id })
  })

  const stateOf = Effect.fnUntraced(function* (batch: CallBatch, items: ReadonlyArray<BatchItem>) {
    const created = items.flatMap(({ call_id, status }) => (status === "created" ? [call_id!] : []))
    return { batch, items, statuses: yield* repository.calls.countByStatus(batch.customer_id, created) }
  })

  const get: CallBatchesShape["get"] = Effect.fn("CallBatches.get")(function* (workspace_id, batch_id) {
    const batch = yield* find(workspace_id, batch_id)
    return yield* stateOf(batch, yield* repository.callBatches.items(workspace_id, batch_id))
  })

  const refused = (
    index: number,
    code: NonNullable<BatchItem["error"]>["code"],
    { message }: { readonly message: string }
  ): BatchItem => ({ index, status: "refused", call_id: null, error: { code, message } })

  /** What became of a call. One that cannot be placed stops no other. */
  const itemOf = (index: number, placed: Either.Either<Call, PlacingError | InvalidInput>): BatchItem => {
    if (Either.isRight(placed))
      return { index, status: "created", call_id: placed.right.call_id, error: null }
    const error = placed.left
    switch (error._tag) {
      case "DuplicateKey":
        return { index, status: "duplicate", call_id: error.call_id, error: null }
      case "InsufficientCredits":
        return refused(index, "insufficient_credits", error)
      case "PhoneNumberNotFound":
        return refused(index, "not_found", error)
      default:
        return refused(index, "invalid_request", error)
    }
  }

  /** Places those calls that could be read, and answers for each. */
  const placeAll = Effect.fnUntraced(function* (
    { customer_id, scheduled_for }: CallBatch,
    read: ReadonlyArray<Either.Either<PlaceCall.PlaceCall, InvalidInput>>
  ) {
    const placed = yield* placeMany(customer_id, Arr.getRights(read), scheduled_for)
    let next = 0
    return read.map((each) => (Either.isLeft(each) ? Either.left(each.left) : placed[next++]!))
  })

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
    const from = part * together
    const items =
      cancelled_at === null
        ? yield* placeAll(batch, read).pipe(Effect.map(Arr.map((placed, i) => itemOf(from + i, placed))))
        : read.map((_, i) => refused(from + i, "conflict", { message: "the batch was cancelled" }))
    yield* repository.callBatches.addPart(customer_id, id, part, items)
    return items
  })

  const accept = Effect.fnUntraced(function* (batch: CallBatch, texts: ReadonlyArray<RawJson>) {
    const { customer_id } = batch
    const items: Array<BatchItem> = []
    for (let part = 0; part * together < texts.length; part++) {
      const read = texts.slice(part * together, (part + 1) * together).map(PlaceCall.fromJson)
      const placed = yield* thenWake(
        customer_id,
        repository.transaction(customer_id, placePart(batch, part, read))
      )
      items.push(...placed)
      yield* Effect.yieldNow()
    }
    yield* Metric.incrementBy(Metrics.callsPlaced, items.filter(({ status }) => status === "created").length)
    return yield* stateOf(Option.getOrThrow(yield* repository.callBatches.get(customer_id, batch.id)), items)
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
      yield* noted(workspace_id, repository.callBatches.cancel(workspace_id, batch_id, now))
      const state = yield* get(workspace_id, batch_id)
      yield* Effect.forEach(
        state.items.filter(({ status }) => status === "created"),
        ({ call_id }) => Effect.ignore(calls.cancel(workspace_id, call_id!)),
        { concurrency: cancelledTogether, discard: true }
      )
      return yield* stateOf(state.batch, state.items)
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
