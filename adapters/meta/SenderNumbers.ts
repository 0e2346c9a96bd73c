import { type Duration, Effect, Option, SynchronizedRef } from "effect"
import { minute } from "../../core/model/Codecs.ts"
import { CarrierUnreachable, DialRefused } from "../../core/ports/CallDialer.ts"
import { monotonicMillis } from "../../core/ports/MonotonicTime.ts"
import { isOk } from "../shared/HttpExchange.ts"
import * as ErrorCodes from "./ErrorCodes.ts"
import type { GraphApi } from "./GraphApi.ts"
import { decodePhoneNumbers, failureOf, nextOf } from "./Wire.ts"

/** How long a list that lacks a number is believed. */
const believed = minute

const pageSize = 100
const mostPages = 50

interface Numbers {
  /** Their ids by their digits. */
  readonly ids: ReadonlyMap<string, string>
  readonly read_at: number
}

const unread: Numbers = { ids: new Map(), read_at: -Infinity }

const digitsOf = (number: string) => number.replace(/\D/g, "")

/** The ids that the account's numbers have at Meta. */
export interface SenderNumbers {
  readonly idOf: (from_number: string) => Effect.Effect<string, DialRefused | CarrierUnreachable>
  /** The list is out of date. */
  readonly forget: Effect.Effect<void>
}

const noSuchNumber = new DialRefused({
  outcome: "failed",
  sub_status: "phone_number_not_found",
  code: "no_such_sender",
  message: "the provider's account does not have the number that the message is sent from"
})

const unreachable = (message: string) => new CarrierUnreachable({ message })

export const make = Effect.fnUntraced(function* (
  api: GraphApi,
  businessAccountId: string,
  timeout: Duration.DurationInput
): Effect.fn.Return<SenderNumbers> {
  const known = yield* SynchronizedRef.make(unread)

  const page = Effect.fnUntraced(function* (after: string | null) {
    const query = { fields: "id,display_phone_number", limit: String(pageSize) }
    const answer = yield* api
      .get([businessAccountId, "phone_numbers"], after === null ? query : { ...query, after }, timeout)
      .pipe(Effect.mapError(() => unreachable("the provider does not tell which numbers there are")))
    const found = isOk(answer) ? decodePhoneNumbers(answer.text) : Option.none()
    if (Option.isSome(found)) return found.value
    const failure = failureOf(answer.text)
    const meaning = ErrorCodes.ofRefusal(answer.status, failure)
    const why = meaning._tag === "Account" ? `: ${meaning.message}` : ""
    const message = `the provider does not tell which numbers there are${why} (${failure?.code ?? `http ${answer.status}`})`
    yield* Effect.logWarning(message)
    return yield* unreachable(message)
  })

  const read = Effect.gen(function* () {
    const ids = new Map<string, string>()
    let after: string | null = null
    for (let i = 0; i < mostPages; i++) {
      const found: Effect.Effect.Success<ReturnType<typeof page>> = yield* page(after)
      for (const { display_phone_number, id } of found.data) ids.set(digitsOf(display_phone_number), id)
      after = nextOf(found)
      if (after === null) break
    }
    return ids
  })

  /** One of the messages that miss a number reads the list; the others wait for it. */
  const look = (digits: string) =>
    SynchronizedRef.modifyEffect(known, (numbers) =>
      Effect.gen(function* () {
        const now = yield* monotonicMillis
        if (numbers.ids.has(digits) || now - numbers.read_at < believed) {
          return [numbers.ids.get(digits), numbers] as const
        }
        const ids = yield* read
        return [ids.get(digits), { ids, read_at: now }] as const
      })
    )

  return {
    idOf: Effect.fnUntraced(function* (from_number) {
      const digits = digitsOf(from_number)
      const id = (yield* SynchronizedRef.get(known)).ids.get(digits) ?? (yield* look(digits))
      return id ?? (yield* noSuchNumber)
    }),
    forget: SynchronizedRef.set(known, unread)
  }
})
