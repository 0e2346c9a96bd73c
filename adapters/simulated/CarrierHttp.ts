import * as NodeStream from "@effect/platform-node/NodeStream"
import { Chunk, Data, Effect, type Scope, Stream } from "effect"
import * as http from "node:http"
import * as https from "node:https"

/** No connection could be made: the request certainly never arrived. */
export class NotConnected extends Data.TaggedError("NotConnected")<{ readonly code: string }> {}

/** The connection was lost after it had been made: the request may have arrived. */
export class ConnectionLost extends Data.TaggedError("ConnectionLost")<{ readonly code: string }> {}

export interface CarrierHttp {
  readonly request: (
    method: "GET" | "POST",
    path: string,
    body?: unknown
  ) => Effect.Effect<{ readonly status: number; readonly text: string }, NotConnected | ConnectionLost>
  /** The lines of an answer that goes on for ever, on a connection of its own. Blank lines are left out. */
  readonly lines: (path: () => string) => Stream.Stream<string, NotConnected | ConnectionLost>
}

/** Silence after which a stream's connection counts as lost, in milliseconds. */
const silence = 30_000

const whileConnecting = ({ syscall }: NodeJS.ErrnoException): boolean =>
  syscall === "connect" || syscall === "getaddrinfo"

/** A host of several addresses reports one error for each. */
const failureOf = (error: NodeJS.ErrnoException): NotConnected | ConnectionLost => {
  const errors: ReadonlyArray<NodeJS.ErrnoException> =
    error instanceof AggregateError ? error.errors : [error]
  const code = error.code ?? "UNKNOWN"
  return errors.length > 0 && errors.every(whileConnecting)
    ? new NotConnected({ code })
    : new ConnectionLost({ code })
}

const linesOf = (response: http.IncomingMessage): Stream.Stream<string, NotConnected | ConnectionLost> =>
  NodeStream.fromReadable<NotConnected | ConnectionLost, string>(
    () => response,
    (error) => failureOf(error as NodeJS.ErrnoException)
  ).pipe(
    Stream.mapAccum("", (rest, text) => {
      const lines = (rest + text).split("\n")
      return [lines.pop()!, Chunk.unsafeFromArray(lines.filter((line) => line !== ""))]
    }),
    Stream.flattenChunks,
    Stream.concat(Stream.fail(new ConnectionLost({ code: "ENDED" })))
  )

/** HTTP to one address on at most `connections` kept connections. */
export const make = Effect.fnUntraced(function* (
  url: string,
  connections: number
): Effect.fn.Return<CarrierHttp, never, Scope.Scope> {
  const base = new URL(url)
  const { Agent, request } = base.protocol === "https:" ? https : http
  const agent = yield* Effect.acquireRelease(
    Effect.sync(() => new Agent({ keepAlive: true, maxSockets: connections })),
    (agent) => Effect.sync(() => agent.destroy())
  )
  const target = (path: string) => new URL(base.pathname.replace(/\/$/, "") + path, base)

  const opened = Effect.fnUntraced(function* (path: () => string) {
    const sent = yield* Effect.acquireRelease(
      Effect.sync(() => request(target(path()), { agent: false, timeout: silence })),
      (sent) => Effect.sync(() => sent.destroy())
    )
    return yield* Effect.async<http.IncomingMessage, NotConnected | ConnectionLost>((resume) => {
      sent.on("timeout", () => sent.destroy(new Error("silent for too long")))
      sent.on("error", (error) => resume(failureOf(error)))
      sent.on("response", (response) =>
        resume(
          response.statusCode === 200
            ? Effect.succeed(response.setEncoding("utf8"))
            : new ConnectionLost({ code: `HTTP_${response.statusCode}` })
        )
      )
      sent.end()
    })
  })

  return {
    request: (method, path, body) =>
      Effect.async((resume) => {
        const text = body === undefined ? "" : JSON.stringify(body)
        const sent = request(
          target(path),
          {
            method,
            agent,
            headers: { "content-type": "application/json", "content-length": Buffer.byteLength(text) }
          },
          (response) => {
            let received = ""
            response.setEncoding("utf8")
            response.on("data", (chunk: string) => (received += chunk))
            response.on("error", (error) => resume(failureOf(error)))
            response.on("end", () =>
              resume(Effect.succeed({ status: response.statusCode ?? 0, text: received }))
            )
          }
        )
        sent.on("error", (error) => resume(failureOf(error)))
        sent.end(text)
        return Effect.sync(() => sent.destroy())
      }),
    lines: (path) => Stream.unwrapScoped(Effect.map(opened(path), linesOf))
  }
})
