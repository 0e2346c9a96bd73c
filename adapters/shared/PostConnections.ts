import * as Http from "node:http"
import * as Https from "node:https"
import { Effect, Scope } from "effect"
import { hostOf, isAddress } from "./AddressPolicy.ts"
import { TryFailed } from "./TryFailed.ts"

export interface Post {
  /** Connections are kept, and bounded, for each of these. */
  readonly endpoint: string
  readonly url: URL
  /** Where to connect to: an address, never a name, so that nothing resolves it again. */
  readonly address: string
  readonly headers: Record<string, string>
  readonly body: Buffer
}

export interface PostAnswer {
  readonly status: number
  /** The Retry-After header. */
  readonly retryAfter: string | undefined
  /** Undefined when it is longer than what is read. */
  readonly body: Buffer | undefined
}

export interface ConnectionOptions {
  readonly maxSocketsPerEndpoint: number
  /** Bytes of an answer that are read. */
  readonly maxAnswerBytes: number
  /** Certificate authorities to trust in place of the runtime's, PEM. */
  readonly ca?: string | undefined
}

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

const failed = (error: string, remedy: TryFailed["remedy"]) =>
  new TryFailed({ reason: error === "timeout" ? "timeout" : "unreachable", error, remedy })

const toFailure = (cause: NodeJS.ErrnoException, reused: boolean): TryFailed => {
  const error = toWords(cause.code ?? "")
  if (cause.syscall === "connect") return failed(error, "other_address")
  return failed(error, reused && error === "connection reset" ? "new_connection" : "none")
}

const brokenOff = failed("connection reset", "none")

/** The endpoint that a request belongs to, which its agent is handed with the other options. */
interface OfEndpoint {
  readonly endpoint?: string
}

const nameOf = (options: OfEndpoint | undefined, name: string) => `${options?.endpoint ?? ""} ${name}`

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

    /** Posts once, following nothing; `fresh`: over a connection of its own. Interruption ends the connection. */
    return (post: Post, fresh: boolean): Effect.Effect<PostAnswer, TryFailed> =>
      Effect.async((resume) => {
        const { address, endpoint, url } = post
        const host = hostOf(url)
        const common = {
          method: "POST",
          host: address,
          endpoint,
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
          const answer = (body: Buffer | undefined) =>
            resume(
              Effect.succeed({
                status: response.statusCode ?? 0,
                retryAfter: response.headers["retry-after"],
                body
              })
            )
          const chunks: Array<Buffer> = []
          let read = 0
          response.on("data", (chunk: Buffer) => {
            read += chunk.length
            chunks.push(chunk)
            if (read <= options.maxAnswerBytes) return
            answer(undefined)
            request.destroy()
          })
          response.on("end", () => answer(Buffer.concat(chunks)))
          response.on("error", () => resume(Effect.fail(brokenOff)))
        })
        request.end(post.body)
        return Effect.sync(() => request.destroy())
      })
  })
