import type * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import { type Duration, Effect, type Redacted, type Scope } from "effect"
import * as HttpExchange from "../shared/HttpExchange.ts"

/** An account at Twilio, or at a provider whose interface is like Twilio's. */
export interface Account {
  /** The account's SID: `AC…` */
  readonly accountSid: string
  /** The account's SID, or that of an API key: `SK…` */
  readonly username: string
  /** The account's auth token, or the API key's secret. */
  readonly password: Redacted.Redacted
  /** The API's base URL, such as `https://api.twilio.com`. */
  readonly url: string
}

/** A page of a thousand calls takes a good million bytes. */
const mostBytes = 8 * 1024 * 1024

type Exchanged = Effect.Effect<HttpExchange.Answer, HttpExchange.Unanswered>

export interface RestApi {
  /** `within` bounds the whole exchange. */
  readonly get: (url: URL, within: Duration.DurationInput) => Exchanged
  readonly post: (url: URL, form: URLSearchParams, within: Duration.DurationInput) => Exchanged
  readonly remove: (url: URL, within: Duration.DurationInput) => Exchanged
  /** The head of an answer, whose body the scope's end breaks off; `within` bounds the wait for the head. */
  readonly open: (
    url: URL,
    headers: Readonly<Record<string, string>>,
    within: Duration.DurationInput
  ) => Effect.Effect<HttpClientResponse.HttpClientResponse, HttpExchange.Unanswered, Scope.Scope>
  /** The address of one of the account's resources: `/Calls.json`. */
  readonly at: (resource: string, query?: Readonly<Record<string, string>>) => URL
  /** Where the page after one is; null for an address that is not below the account's. */
  readonly next: (uri: string) => URL | null
}

/** Requests to an account's resources. */
export const make = Effect.fnUntraced(function* ({
  accountSid,
  password,
  url,
  username
}: Account): Effect.fn.Return<RestApi, never, HttpClient.HttpClient> {
  const account = `/2010-04-01/Accounts/${encodeURIComponent(accountSid)}`
  const base = new URL(url.replace(/\/+$/, "") + account).href
  const prepare = HttpClientRequest.basicAuth(username, password)
  const exchange = yield* HttpExchange.make({ prepare, mostBytes })
  const client = yield* HttpExchange.untraced

  return {
    get: (url, within) => exchange(HttpClientRequest.get(url, { acceptJson: true }), within),
    post: (url, form, within) =>
      exchange(
        HttpClientRequest.post(url, { acceptJson: true }).pipe(
          HttpClientRequest.bodyText(form.toString(), "application/x-www-form-urlencoded")
        ),
        within
      ),
    remove: (url, within) => exchange(HttpClientRequest.del(url), within),
    open: (url, headers, within) =>
      client
        .execute(prepare(HttpClientRequest.get(url, { headers })))
        .pipe(
          Effect.mapError(HttpExchange.failureOf),
          Effect.timeoutFail({ duration: within, onTimeout: () => new HttpExchange.TimedOut() })
        ),
    at: (resource, query) => {
      const search = query === undefined ? "" : `?${new URLSearchParams(query)}`
      return new URL(base + resource + search)
    },
    next: (uri) => {
      const next = URL.canParse(uri, base) ? new URL(uri, base) : null
      return next?.href.startsWith(`${base}/`) === true ? next : null
    }
  }
})
