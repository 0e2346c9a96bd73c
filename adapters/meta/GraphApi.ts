import type * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import { type Duration, Effect, type Redacted } from "effect"
import * as HttpExchange from "../shared/HttpExchange.ts"

/** A WhatsApp business account at Meta. */
export interface Account {
  readonly businessAccountId: string
  /** The access token of a system user with whatsapp_business_messaging and whatsapp_business_management. */
  readonly token: Redacted.Redacted
  /** The Graph API's base URL, such as `https://graph.facebook.com`. */
  readonly url: string
  /** The Graph API's version, such as `v23.0`. */
  readonly version: string
}

/** A page of a hundred templates takes less than a million bytes. */
const mostBytes = 4 * 1024 * 1024

/** A node of the graph and, if need be, one of its edges: `[id]`, `[id, "messages"]`. */
export type Node = readonly [id: string, edge?: string]

type Query = Readonly<Record<string, string>>

type Exchanged = Effect.Effect<HttpExchange.Answer, HttpExchange.Unanswered>

export interface GraphApi {
  /** `within` bounds the whole exchange. */
  readonly get: (node: Node, query: Query, within: Duration.DurationInput) => Exchanged
  /** `body` goes out as JSON. */
  readonly post: (node: Node, body: unknown, within: Duration.DurationInput) => Exchanged
  readonly remove: (node: Node, query: Query, within: Duration.DurationInput) => Exchanged
}

/** Requests to the Graph API. */
export const make = Effect.fnUntraced(function* ({
  token,
  url,
  version
}: Account): Effect.fn.Return<GraphApi, never, HttpClient.HttpClient> {
  const base = `${url.replace(/\/+$/, "")}/${version}`
  const exchange = yield* HttpExchange.make({ prepare: HttpClientRequest.bearerToken(token), mostBytes })

  const at = (node: Node, query: Query = {}) => {
    const path = node.map((part) => `/${encodeURIComponent(part!)}`).join("")
    const search = new URLSearchParams(query).toString()
    return new URL(base + path + (search === "" ? "" : `?${search}`))
  }

  return {
    get: (node, query, within) =>
      exchange(HttpClientRequest.get(at(node, query), { acceptJson: true }), within),
    post: (node, body, within) =>
      exchange(
        HttpClientRequest.post(at(node), { acceptJson: true }).pipe(HttpClientRequest.bodyUnsafeJson(body)),
        within
      ),
    remove: (node, query, within) =>
      exchange(HttpClientRequest.del(at(node, query), { acceptJson: true }), within)
  }
})
