import { Clock, Context, Data, Effect, Layer, Option } from "effect"
import { answersKept } from "../engine/Housekeeping.ts"
import { minute } from "../model/Codecs.ts"
import { carriedOut } from "../ports/AnswerRows.ts"
import { Repository } from "../ports/Repository.ts"
import { Secrets } from "../ports/Secrets.ts"

/** The key was used with another request. */
export class KeyReused extends Data.TaggedError("KeyReused")<{}> {
  override readonly message = "the Idempotency-Key was used with another request; nothing was done"
}

/** The request with this key is under way, or its process has died: after `lease` the key is free again. */
export class KeyUnderWay extends Data.TaggedError("KeyUnderWay")<{}> {
  override readonly message =
    "a request with this Idempotency-Key is under way, or its server has died: send it again in 10 minutes"
}

/** The request was carried out, and its process died before it could answer. */
export class KeyCarriedOut extends Data.TaggedError("KeyCarriedOut")<{}> {
  override readonly message =
    "the request with this Idempotency-Key was carried out, but its server died before it answered: look for what it created"
}

/** A request took so long that another has its key by now: what it did is undone. */
class KeyTakenOver extends Data.TaggedError("KeyTakenOver")<{}> {
  override readonly message = "another request has the Idempotency-Key by now; nothing was done"
}

/** How long a request may be under way before another may have its key. */
const lease = 10 * minute

/** The request was carried out, and its answer held a secret, which is shown once. */
export class AnswerNotKept extends Data.TaggedError("AnswerNotKept")<{}> {
  override readonly message =
    "the request with this Idempotency-Key was carried out; its answer holds a secret and is not shown again"
}

/** What a request was answered. */
export interface Answered {
  readonly _tag: "Answered"
  readonly status: number
  readonly body: string
}

/** A request that is the first with its key. */
export interface Begun {
  readonly _tag: "Begun"
  /**
   * Does its work in one unit with the note that it is carried out: after a crash it has done nothing, or the key tells
   * that it was carried out. For work that asks nothing but the store, and wakes nothing.
   */
  readonly carry: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

const make = Effect.gen(function* () {
  const { answers, transaction } = yield* Repository
  const secrets = yield* Secrets

  const begin: RepeatsShape["begin"] = Effect.fn("Repeats.begin")(function* (workspace_id, key, request) {
    const now = yield* Clock.currentTimeMillis
    const digest = secrets.digest(request)
    const wanted = { customer_id: workspace_id, key, digest, created_at: now, status: null, body: null }
    const found = yield* transaction(workspace_id, answers.begin(wanted, now - answersKept, now - lease))
    if (Option.isNone(found)) {
      const carry: Begun["carry"] = (work) => {
        const noted = Effect.filterOrDie(
          answers.carryOut(workspace_id, key, now),
          (isOurs) => isOurs,
          () => new KeyTakenOver()
        )
        return transaction(workspace_id, Effect.zipLeft(work, noted))
      }
      return { _tag: "Begun", carry } satisfies Begun
    }
    const { body, status } = found.value
    if (found.value.digest !== digest) return yield* new KeyReused()
    if (status === null) return yield* new KeyUnderWay()
    if (status === carriedOut) return yield* new KeyCarriedOut()
    return body === null ? yield* new AnswerNotKept() : { _tag: "Answered" as const, status, body }
  })

  return Repeats.of({ begin, finish: answers.finish, release: answers.release })
})

export interface RepeatsShape {
  /**
   * Notes that a request with a key begins. Of a request that came before with the same key and text, within 24 hours, what
   * it was answered. Of any number of racers one begins. One that does not come to its end within ten minutes loses its key.
   */
  readonly begin: (
    workspace_id: string,
    key: string,
    request: string
  ) => Effect.Effect<Begun | Answered, KeyReused | KeyUnderWay | KeyCarriedOut | AnswerNotKept>
  /** Keeps what the request was answered, for 24 hours. `body`: null when it must not be kept. */
  readonly finish: (
    workspace_id: string,
    key: string,
    status: number,
    body: string | null
  ) => Effect.Effect<void>
  /** The request has failed: the key may be used again, unless the request is carried out. */
  readonly release: (workspace_id: string, key: string) => Effect.Effect<void>
}

/** Requests that are sent again: a key and what was answered to it. */
export class Repeats extends Context.Tag("outdial/Repeats")<Repeats, RepeatsShape>() {
  static readonly layer = Layer.effect(this, make)
}
