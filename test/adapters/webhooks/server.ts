import { createServer, type IncomingMessage, type RequestListener } from "node:http"
import { createServer as createTlsServer } from "node:https"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { Effect, Queue } from "effect"

export interface Received {
  readonly id: string
  readonly body: string
  readonly request: IncomingMessage
}

export interface ServeOptions {
  readonly host?: string
  readonly port?: number
  readonly tls?: { readonly key: string; readonly cert: string }
}

/** A real receiver on a local address: what arrives stands in `received` before `answer` is called. */
export const serve = (answer: RequestListener, { host = "127.0.0.1", port = 0, tls }: ServeOptions = {}) =>
  Effect.gen(function* () {
    const received = yield* Queue.unbounded<Received>()
    const listener: RequestListener = (request, response) => {
      text(request).then(
        (body) => {
          Queue.unsafeOffer(received, { id: String(request.headers["webhook-id"]), body, request })
          answer(request, response)
        },
        () => {}
      )
    }
    const server = tls ? createTlsServer(tls, listener) : createServer(listener)
    let connections = 0
    server.on("connection", () => connections++)
    yield* Effect.acquireRelease(
      Effect.async<void>((resume) => void server.listen(port, host, () => resume(Effect.void))),
      () =>
        Effect.sync(() => {
          server.close()
          server.closeAllConnections()
        })
    )
    return {
      port: (server.address() as AddressInfo).port,
      received,
      connections: Effect.sync(() => connections)
    }
  })
