import type * as HttpClient from "@effect/platform/HttpClient"
import { type Duration, Effect, Option, type Redacted, Schema } from "effect"
import { AccountRefused, inTime } from "../shared/AccountRefused.ts"
import { http, isOk } from "../shared/HttpExchange.ts"
import { decodeJson, nullish } from "../shared/Json.ts"
import * as RestApi from "./RestApi.ts"

export interface Options extends RestApi.Account {
  readonly authToken: Redacted.Redacted
  /** How long one request may take. */
  readonly timeout: Duration.DurationInput
}

export interface AccountState {
  /** `active`, `suspended` or `closed`. */
  readonly status: string
  /** A trial account calls verified numbers only. */
  readonly isTrial: boolean
  /** The numbers that its calls may come from, in E.164. */
  readonly numbers: ReadonlySet<string>
}

const pageSize = "1000"
const mostPages = 20

/** Source: Twilio REST API reference, Account, IncomingPhoneNumber and OutgoingCallerId. */
const decodeAccount = decodeJson(
  Schema.Struct({ status: nullish(Schema.String), type: nullish(Schema.String) })
)
const Numbers = nullish(Schema.Array(Schema.Struct({ phone_number: Schema.String })))
const Page = Schema.Struct({
  incoming_phone_numbers: Numbers,
  outgoing_caller_ids: Numbers,
  next_page_uri: nullish(Schema.String)
})
const decodePage = decodeJson(Page)

type Refusal = (what: string) => AccountRefused

/** The answer to a GET with some credentials; null when there is no such thing. */
const asking =
  (options: Options, refused: Refusal) =>
  (api: RestApi.RestApi, credential: string) =>
  (url: URL): Effect.Effect<string | null, AccountRefused> =>
    Effect.matchEffect(api.get(url, options.timeout), {
      onFailure: (failure) =>
        Effect.fail(
          refused(
            failure._tag === "TimedOut" ? "does not answer in time" : `does not answer (${failure.code})`
          )
        ),
      onSuccess: (answer) => {
        const { status, text } = answer
        if (status === 404) return Effect.succeed(null)
        if (isOk(answer)) return Effect.succeed(text)
        const what = status === 401 || status === 403 ? `does not take ${credential}` : "answers"
        return Effect.fail(refused(`${what} (${status})`))
      }
    })

/** The numbers of one of the account's lists, page by page. */
const numbersIn = Effect.fnUntraced(function* (
  api: RestApi.RestApi,
  list: string,
  ask: (url: URL) => Effect.Effect<string | null, AccountRefused>,
  refused: Refusal
) {
  const numbers: Array<string> = []
  let next: URL | null = api.at(list, { PageSize: pageSize })
  for (let i = 0; next !== null && i < mostPages; i++) {
    const text: string | null = yield* ask(next)
    if (text === null) break
    const page: typeof Page.Type | null = Option.getOrNull(decodePage(text))
    if (page === null) return yield* refused("answers what is no list of numbers")
    const listed = page.incoming_phone_numbers ?? page.outgoing_caller_ids ?? []
    numbers.push(...listed.map(({ phone_number }) => phone_number))
    next = page.next_page_uri === null ? null : api.next(page.next_page_uri)
  }
  return numbers
})

/**
 * Asks Twilio for the account and its numbers. The token is tried too where an API key is used: it is what callbacks
 * are signed with. Nothing is changed, and nothing paid for.
 */
export const check = Effect.fn("Twilio.checkAccount")(
  function* (options: Options): Effect.fn.Return<AccountState, AccountRefused, HttpClient.HttpClient> {
    const { accountSid, authToken, url, username } = options
    const refused: Refusal = (what) => new AccountRefused({ message: `${new URL(url).host} ${what}` })
    const asked = asking(options, refused)

    const byToken = yield* RestApi.make({ ...options, username: accountSid, password: authToken })
    const token = "OUTDIAL_TWILIO_ACCOUNT_SID with OUTDIAL_TWILIO_AUTH_TOKEN"
    const account = yield* asked(byToken, token)(byToken.at(".json"))
    if (account === null) return yield* refused("knows no account of OUTDIAL_TWILIO_ACCOUNT_SID")
    const state = Option.getOrNull(decodeAccount(account))
    if (state === null) return yield* refused("answers what is no account")

    const api = yield* RestApi.make(options)
    const ask = asked(api, username === accountSid ? token : "OUTDIAL_TWILIO_API_KEY with its secret")
    const bought = yield* numbersIn(api, "/IncomingPhoneNumbers.json", ask, refused)
    const verified = yield* numbersIn(api, "/OutgoingCallerIds.json", ask, refused)
    return {
      status: state.status ?? "active",
      isTrial: state.type === "Trial",
      numbers: new Set([...bought, ...verified])
    }
  },
  (checked, { url }) => checked.pipe(inTime(new URL(url).host), Effect.provide(http))
)
