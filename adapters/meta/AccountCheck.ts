import type * as HttpClient from "@effect/platform/HttpClient"
import { createHmac } from "node:crypto"
import { type Duration, Effect, Option, Redacted } from "effect"
import { AccountRefused, inTime } from "../shared/AccountRefused.ts"
import { type Answer, http, isOk } from "../shared/HttpExchange.ts"
import * as ErrorCodes from "./ErrorCodes.ts"
import * as GraphApi from "./GraphApi.ts"
import { decodePhoneNumbers, failureOf, nextOf } from "./Wire.ts"

export interface Options extends GraphApi.Account {
  readonly appSecret: Redacted.Redacted
  /** How long one request may take. */
  readonly timeout: Duration.DurationInput
}

const mostPages = 20

/** Source: Meta, "Secure Graph API calls with appsecret_proof". */
const proofOf = ({ appSecret, token }: Options) =>
  createHmac("sha256", Redacted.value(appSecret)).update(Redacted.value(token)).digest("hex")

/**
 * Asks Meta for the business account and its numbers: answers the digits of each. The app's secret, which signs what
 * Meta tells, is tried by a proof that it makes. Nothing is changed, and nothing paid for.
 */
export const check = Effect.fn("Meta.checkAccount")(
  function* (options: Options): Effect.fn.Return<ReadonlySet<string>, AccountRefused, HttpClient.HttpClient> {
    const api = yield* GraphApi.make(options)
    const { host } = new URL(options.url)
    const refused = (what: string) => new AccountRefused({ message: `${host} ${what}` })

    const ask = (edge: readonly [string?], query: Readonly<Record<string, string>>) =>
      api
        .get([options.businessAccountId, ...edge], query, options.timeout)
        .pipe(
          Effect.mapError((failure) =>
            refused(
              failure._tag === "TimedOut" ? "does not answer in time" : `does not answer (${failure.code})`
            )
          )
        )

    const refusal = ({ status, text }: Answer) => {
      const failure = failureOf(text)
      const meaning = ErrorCodes.ofRefusal(status, failure)
      const code = failure === null ? `http ${status}` : failure.code
      if (meaning._tag === "Account") {
        return refused(`does not take OUTDIAL_META_TOKEN: ${meaning.message} (${code})`)
      }
      return status < 500 && status !== 429
        ? refused(`shows OUTDIAL_META_TOKEN no account OUTDIAL_META_BUSINESS_ACCOUNT_ID (${code})`)
        : refused(`answers ${status}`)
    }

    const account = yield* ask([], { fields: "id" })
    if (!isOk(account)) return yield* refusal(account)
    const proven = yield* ask([], { fields: "id", appsecret_proof: proofOf(options) })
    if (!isOk(proven)) {
      return yield* proven.status >= 500
        ? refusal(proven)
        : refused("does not take OUTDIAL_META_APP_SECRET: it is not that of the token's app")
    }

    const numbers = new Set<string>()
    let after: string | null = ""
    for (let i = 0; after !== null && i < mostPages; i++) {
      const answer: Answer = yield* ask(["phone_numbers"], {
        fields: "id,display_phone_number",
        limit: "100",
        ...(after !== "" && { after })
      })
      const page = isOk(answer) ? decodePhoneNumbers(answer.text) : Option.none()
      if (Option.isNone(page)) return yield* refusal(answer)
      for (const { display_phone_number } of page.value.data)
        numbers.add(display_phone_number.replace(/\D/g, ""))
      after = nextOf(page.value)
    }
    return numbers
  },
  (checked, { url }) => checked.pipe(inTime(new URL(url).host), Effect.provide(http))
)
