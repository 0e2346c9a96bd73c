import * as Http from "node:http"
import * as Https from "node:https"
import { Effect, Scope } from "effect"
import { hostOf, isAddress } from "./AddressPolicy.ts"
import type { DeliveryAnswer } from "./DeliveryAnswer.ts"
import { TryFailed } from "./TryFailed.ts"

export interface Post {
  readonly webhook_id: string
  readonly url: URL
  /** Where to connect to: an address, never a name, so that nothing resolves it again. */
  readonly address: string
  readonly headers: Record<string, string>
  readonly body: Buffer
}

export interface ConnectionOptions {
  readonly maxSocketsPerEndpoint: number
  /** Certificate authorities to trust in place of the runtime's, PEM. */
  readonly ca?: string | undefined
}

const maxAnswerBytes = 64 * 1_024
const idleMillis = 15_000

const unreachable = new Set(["ENETUNREACH", "EHOSTUNREACH", "EADDRNOTAVAIL", "ENETDOWN", "EHOSTDOWN"])

const toWords = (code: string): string => {
  if (code === "ECONNREFUSED") return "connection refused"
  if (code === "ECONNRESET" || code === "EPIPE") return "connection reset"
  if (code === "ETIMEDOUT") return "timeout"
  if (unreachable.has(code)) return "host unreachable"
  if (code.startsWith("HPE_")) return "invalid response"
  return /CERT|TLS|SSL|EPROTO|SIGNED|UNABLE_TO|CRL|ISSUER/.test(code) ? "tls" : "connection failed"
}

const toFailure = (cause: NodeJS.ErrnoException, reused: boolean): TryFailed => {
  const error = toWords(cause.code ?? "")
  if (cause.syscall === "connect") return new TryFailed({ error, remedy: "other_address" })
  return new TryFailed({ error, remedy: reused && error === "connection reset" ? "new_connection" : "none" })
}

const brokenOff = new TryFailed({ error: "connection reset", remedy: "none" })

/** The endpoint that a request belongs to, which its agent is handed with the other options. */
interface OfEndpoint {
  readonly webhook_id?: string
}

const nameOf = (options: OfEndpoint | undefined, name: string) => `${options?.webhook_id ?? ""} ${name}`

class HttpAgent extends Http.Agent {
  override getName(options?: Http.ClientRequestArgs & OfEndpoint) {
    return nameOf(options, super.getName(options))
  }
}

class HttpsAgent extends Https.Agent {
  override getName(options?: Https.RequestOptions & OfEndpoint) {
    return nameOf(options, super.getName(options))
  }
}

/**
 * Connections kept alive, bounded for each endpoint: an endpoint that hangs holds up no other at its address. They
 * are kept under the address too (and for https the name that was verified), so a kept connection never leads
 * elsewhere than to the address that was vetted.
 */
export const makePost = (options: ConnectionOptions) =>
  Effect.gen(function* () {
    const bounds = {
      keepAlive: true,
      maxSockets: options.maxSocketsPerEndpoint,
      maxFreeSockets: options.maxSocketsPerEndpoint,
      timeout: idleMillis
    }
    const http = new HttpAgent(bounds)
    const https = new HttpsAgent(bounds)
    yield* Scope.addFinalizer(
      yield* Effect.scope,
      Effect.sync(() => {
        http.destroy()
        https.destroy()
      })
    )

    /** Posts once, following nothing. Interruption ends the connection. */
    return (post: Post, fresh: boolean): Effect.Effect<DeliveryAnswer, TryFailed> =>
      Effect.async((resume) => {
        const { url, address } = post
        const host = hostOf(url)
        const common = {
          method: "POST",
          host: address,
          webhook_id: post.webhook_id,
          path: url.pathname + url.search,
          headers: { host: url.host, ...post.headers, "content-length": String(post.body.length) }
        }
        const request =
          url.protocol === "https:"
            ? Https.request({
                ...common,
                port: url.port || 443,
                agent: fresh ? false : https,
                servername: isAddress(host) ? "" : host,
                ...(options.ca !== undefined && { ca: options.ca })
              })
            : Http.request({ ...common, port: url.port || 80, agent: fresh ? false : http })

        request.on("error", (cause) => resume(Effect.fail(toFailure(cause, request.reusedSocket))))
        request.on("close", () => resume(Effect.fail(brokenOff)))
        request.on("response", (response) => {
          const answer = Effect.succeed({
            status: response.statusCode ?? 0,
            retryAfter: response.headers["retry-after"]
          })
          let read = 0
          response.on("data", (chunk: Buffer) => {
            read += chunk.length
            if (read <= maxAnswerBytes) return
            resume(answer)
            request.destroy()
          })
          response.on("end", () => resume(answer))
          response.on("error", () => resume(Effect.fail(brokenOff)))
        })
        request.end(post.body)
        return Effect.sync(() => request.destroy())
      })
  })
