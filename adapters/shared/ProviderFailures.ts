import { Effect } from "effect"
import { CarrierUnreachable, DialInDoubt, DialRefused, LookupFailed } from "../../core/ports/CallDialer.ts"
import { carrierWords } from "./CarrierWords.ts"
import type { ErrorMeaning } from "./ErrorMeaning.ts"
import { type Answer, isOk, type Unanswered } from "./HttpExchange.ts"

/** How messages name the provider, and what it is asked to take. */
export interface Provider {
  readonly name: "the carrier" | "the provider"
  readonly takes: "calls" | "messages"
}

/**
 * Whether an answer says for certain that the request was not taken: by a code whose meaning is known, whatever the
 * status, or else by the status. After a 408, a 499 or a 5xx without such a code the request may have been taken.
 */
export const isRefusal = (status: number, isKnownCode: boolean): boolean =>
  status >= 400 && (isKnownCode || (status < 500 && status !== 408 && status !== 499))

/** Whether an answer to a question says nothing of what was asked: who asks is not known or asks too often, or it fails. */
const isBesides = (status: number): boolean => [401, 403, 408, 429, 499].includes(status) || status >= 500

/** The failures of dials and messages, one wording for all providers. */
export const make = ({ name, takes }: Provider) => ({
  /** What a dial without an answer means: only what was certainly not sent may be sent again. */
  unanswered: (failure: Unanswered): CarrierUnreachable | DialInDoubt => {
    switch (failure._tag) {
      case "NotConnected":
        return new CarrierUnreachable({ message: `no connection to ${name} (${failure.code})` })
      case "ConnectionLost":
        return new DialInDoubt({ message: `the connection to ${name} was lost (${failure.code})` })
      case "TimedOut":
        return new DialInDoubt({ message: `${name} did not answer in time` })
    }
  },
  /** What a look-up, or a request to hang up, without an answer means. */
  unheard: (failure: Unanswered): CarrierUnreachable =>
    new CarrierUnreachable({
      message:
        failure._tag === "TimedOut"
          ? `${name} did not answer in time`
          : `${name} did not answer (${failure.code})`
    }),
  /** What such an answer means that is none of those expected. */
  untold: (status: number): LookupFailed | CarrierUnreachable => {
    const message = `${name} answered ${status}`
    return isBesides(status) ? new CarrierUnreachable({ message }) : new LookupFailed({ message })
  },
  /** Fails with what a refusal means, other than that it comes too early. `words` are the provider's own. */
  refused: Effect.fnUntraced(function* (
    code: string,
    words: string | null | undefined,
    meaning: Exclude<ErrorMeaning, { readonly _tag: "Later" }>
  ) {
    if (meaning._tag === "Refused") {
      const { message, outcome, sub_status } = meaning
      return yield* new DialRefused({
        outcome,
        sub_status: sub_status ?? "carrier_error",
        code,
        message,
        carrier_message: carrierWords(words)
      })
    }
    const message = `${name} takes no ${takes} from us: ${meaning.message} (${code})`
    yield* Effect.logWarning(message)
    return yield* new CarrierUnreachable({ message })
  }),
  /** Succeeds when a harmless request is answered with 2xx. */
  ping: (exchange: Effect.Effect<Answer, Unanswered>): Effect.Effect<void, CarrierUnreachable> =>
    exchange.pipe(
      Effect.mapError(() => new CarrierUnreachable({ message: `${name} does not answer` })),
      Effect.filterOrFail(
        isOk,
        ({ status }) => new CarrierUnreachable({ message: `${name} answered ${status}` })
      ),
      Effect.asVoid
    )
})
