import { Array as Arr, Clock, Data, Effect, Either, Option } from "effect"
import { makeCallStore } from "../engine/CallStore.ts"
import type { Call } from "../model/calls/Call.ts"
import { DuplicateKey } from "../model/calls/CallErrors.ts"
import type { PlaceCall } from "../model/calls/PlaceCall.ts"
import type { NoPhoneNumber, PhoneNumberNotFound } from "../model/numbers/PhoneNumberErrors.ts"
import type { LedgerEntry } from "../model/workspaces/Ledger.ts"
import type { InsufficientCredits } from "../model/workspaces/WorkspaceErrors.ts"
import { Ids } from "../ports/Ids.ts"
import { Prices } from "../ports/Prices.ts"
import { Repository } from "../ports/Repository.ts"
import { makeCallerId } from "./CallerId.ts"
import { makePlaceOne, newCall } from "./PlaceOne.ts"

/** The balance does not reach for all of the calls. */
class TooLittleCredit extends Data.TaggedError("TooLittleCredit") {}

export type PlacingError = DuplicateKey | InsufficientCredits | NoPhoneNumber | PhoneNumberNotFound
type Placed = Either.Either<Call, PlacingError>

/**
 * How many calls are placed at once, inside the caller's transaction: with few statements for all of them. Answers for
 * each, in their order, what `makePlaceOne` would have answered.
 */
export const makePlaceMany = Effect.gen(function* () {
  const repository = yield* Repository
  const ids = yield* Ids
  const callerId = yield* makeCallerId
  const placeOne = yield* makePlaceOne
  const prices = yield* Prices
  const store = yield* makeCallStore

  /** The number that each request dials from: each is looked up once. */
  const numbersOf = Effect.fnUntraced(function* (workspace_id: string, requests: ReadonlyArray<PlaceCall>) {
    const wanted = [...new Set(requests.map((request) => request.from_phone_number_id))]
    const found = yield* Effect.forEach(wanted, (id) => Effect.either(callerId(workspace_id, id)))
    return new Map(wanted.map((id, i) => [id, found[i]!]))
  })

  /** A call that has no number to dial from is a duplicate all the same, where another has its key. */
  const unlessTaken = Effect.fnUntraced(function* (
    workspace_id: string,
    { idempotency_key }: PlaceCall,
    error: NoPhoneNumber | PhoneNumberNotFound
  ) {
    const owner =
      idempotency_key === null ? Option.none() : yield* repository.calls.byKey(workspace_id, idempotency_key)
    return Either.left(Option.isSome(owner) ? new DuplicateKey({ call_id: owner.value }) : error) as Placed
  })

  const hold = Effect.fnUntraced(function* (workspace_id: string, calls: ReadonlyArray<Call>, now: number) {
    const make = yield* ids.maker
    const entries = calls.flatMap(({ call_id, credits_held }): ReadonlyArray<LedgerEntry> => {
      if (credits_held === 0) return []
      return [
        {
          id: make("led"),
          customer_id: workspace_id,
          kind: "hold",
          amount: -credits_held,
          reference: call_id,
          created_at: now
        }
      ]
    })
    if (entries.length > 0 && !(yield* repository.credits.append(workspace_id, entries)))
      return yield* new TooLittleCredit()
  })

  const index = Effect.fnUntraced(function* (workspace_id: string, calls: ReadonlyArray<Call>) {
    if (calls.every(({ metadata }) => metadata === null)) return
    const workspace = Option.getOrNull(yield* repository.workspaces.get(workspace_id))
    const keys = workspace?.indexed_metadata_keys ?? []
    if (keys.length > 0) yield* Effect.forEach(calls, (call) => store.index(call, keys), { discard: true })
  })

  const together = Effect.fnUntraced(function* (
    workspace_id: string,
    requests: ReadonlyArray<PlaceCall>,
    scheduled_for: number | null
  ) {
    const numbers = yield* numbersOf(workspace_id, requests)
    const now = yield* Clock.currentTimeMillis
    const make = yield* ids.maker
    const made = requests.map((request) =>
      Either.map(numbers.get(request.from_phone_number_id)!, (from) =>
        newCall(make("call"), workspace_id, request, from, prices.minute, scheduled_for, now)
      )
    )
    const owners = yield* repository.calls.insertMany(Arr.getRights(made))
    const placed = yield* Effect.forEach(made, (call, i) => {
      if (Either.isLeft(call)) return unlessTaken(workspace_id, requests[i]!, call.left)
      const { call_id, idempotency_key } = call.right
      const owner = idempotency_key === null ? undefined : owners.get(idempotency_key)
      const isStored = owner === undefined || owner === call_id
      return Effect.succeed<Placed>(isStored ? call : Either.left(new DuplicateKey({ call_id: owner })))
    })
    const stored = Arr.getRights(placed)
    yield* hold(workspace_id, stored, now)
    yield* index(workspace_id, stored)
    return placed
  })

  return (workspace_id: string, requests: ReadonlyArray<PlaceCall>, scheduled_for: number | null) =>
    repository.transaction(workspace_id, together(workspace_id, requests, scheduled_for)).pipe(
      Effect.catchTag("TooLittleCredit", () =>
        Effect.forEach(requests, (request) =>
          // What a call that is refused has stored already is undone with it alone.
          Effect.either(repository.transaction(workspace_id, placeOne(workspace_id, request, scheduled_for)))
        )
      )
    )
})
