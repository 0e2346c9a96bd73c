import { Clock, Effect } from "effect"
import type { CarrierUnreachable } from "../../core/ports/CallDialer.ts"
import { monotonicMillis } from "../../core/ports/MonotonicTime.ts"
import type { Answer } from "./HttpExchange.ts"
import type { Throttle } from "./Throttle.ts"

export interface Sending<E1, E2> {
  readonly throttle: Throttle
  /** How long all tries together may take, in milliseconds. */
  readonly timeout: number
  /** Sends the request at `now` (epoch milliseconds), to be over `within` milliseconds. */
  readonly send: (now: number, within: number) => Effect.Effect<Answer, E1>
  /** Whether an answer says for certain that the request was not taken. */
  readonly isRefusal: (answer: Answer) => boolean
  /** Fails with what a refusal means, or returns when the request may be sent once more, before `atLatest`. */
  readonly refused: (answer: Answer, atLatest: number) => Effect.Effect<void, E2>
}

/** Sends a request at the provider's pace until the provider takes it or refuses it for good. */
export const send = Effect.fnUntraced(function* <E1, E2>({
  isRefusal,
  refused,
  send,
  throttle,
  timeout
}: Sending<E1, E2>): Effect.fn.Return<Answer, E1 | E2 | CarrierUnreachable> {
  const began = yield* monotonicMillis
  const atLatest = began + timeout / 2
  for (;;) {
    const turn = yield* throttle.turn(atLatest)
    const answer = yield* send(yield* Clock.currentTimeMillis, began + timeout - turn)
    if (!isRefusal(answer)) {
      yield* throttle.recovered
      return answer
    }
    yield* refused(answer, atLatest)
  }
})
