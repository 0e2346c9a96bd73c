import { Clock, Context, Data, Effect, Layer, Option } from "effect"
import { answersKept } from "../engine/Housekeeping.ts"
import { Repository } from "../ports/Repository.ts"
import { Secrets } from "../ports/Secrets.ts"

/** The key was used with another request. */
export class KeyReused extends Data.TaggedError("KeyReused")<{}> {
  override readonly message = "the Idempotency-Key was used with another request; nothing was done"
}

/** The request with this key is under way, or its process died before it could answer: what it did is not known. */
export class KeyUnderWay extends Data.TaggedError("KeyUnderWay")<{}> {
  override readonly message =
    "a request with this Idempotency-Key is under way, or its server died before it answered: look for what it was to create"
}

/** The request was carried out, and its answer held a secret, which is shown once. */
export class AnswerNotKept extends Data.TaggedError("AnswerNotKept")<{}> {
  override readonly message =
    "the request with this Idempotency-Key was carried out; its answer holds a secret and is not shown again"
}

/** What a request was answered. */
export interface Answer {
  readonly status: number
  readonly body: string
}

const make = Effect.gen(function* () {
  const { answers, transaction } = yield* Repository
  const secrets = yield* Secrets

  const begin: RepeatsShape["begin"] = Effect.fn("Repeats.begin")(function* (workspace_id, key, request) {
    const now = yield* Clock.currentTimeMillis
    const digest = secrets.digest(request)
    const wanted = { customer_id: workspace_id, key, digest, created_at: now, status: null, body: null }
    const found = yield* transaction(workspace_id, answers.begin(wanted, now - answersKept))
    if (Option.isNone(found)) return Option.none()
    const { body, status } = found.value
    if (found.value.digest !== digest) return yield* new KeyReused()
    if (status === null) return yield* new KeyUnderWay()
    return body === null ? yield* new AnswerNotKept() : Option.some({ status, body })
  })

  return Repeats.of({ begin, finish: answers.finish, release: answers.release })
})

export interface RepeatsShape {
  /**
   * Notes that a request with a key begins: none. Of a request that came before with the same key and text, within 24
   * hours, what it was answered. Of any number of racers one begins.
   */
  readonly begin: (
    workspace_id: string,
    key: string,
    request: string
  ) => Effect.Effect<Option.Option<Answer>, KeyReused | KeyUnderWay | AnswerNotKept>
  /** Keeps what the request was answered, for 24 hours. `body`: null when it must not be kept. */
  readonly finish: (
    workspace_id: string,
    key: string,
    status: number,
    body: string | null
  ) => Effect.Effect<void>
  /** The request was refused: the key may be used again. */
  readonly release: (workspace_id: string, key: string) => Effect.Effect<void>
}

/** Requests that are sent again: a key and what was answered to it. */
export class Repeats extends Context.Tag("outdial/Repeats")<Repeats, RepeatsShape>() {
  static readonly layer = Layer.effect(this, make)
}
