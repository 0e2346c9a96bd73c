import { text } from "node:stream/consumers"
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect, Runtime } from "effect"
import type { CallbackAnswer, CallbackRequest } from "../../../adapters/shared/CarrierCallbacks.ts"

const headersOf = ({ headers }: IncomingMessage) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : value])
  )

/** A server for callbacks: its address is known before there is anything to handle them. */
export const listen = Effect.gen(function* () {
  const run = Runtime.runPromise(yield* Effect.runtime())
  let handle: (request: CallbackRequest) => Effect.Effect<CallbackAnswer> = () =>
    Effect.succeed({ status: 503, body: "", contentType: "text/plain" })
  const server = createServer((request, response) => {
    const answered = text(request).then((body) =>
      run(
        handle({ method: request.method ?? "", url: request.url ?? "/", headers: headersOf(request), body })
      )
    )
    answered.then(
      ({ body, contentType, status }) =>
        response.writeHead(status, { "content-type": contentType }).end(body),
      () => response.destroy()
    )
  })
  yield* Effect.acquireRelease(
    Effect.async<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
    () =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      })
  )
  const { port } = server.address() as AddressInfo
  return {
    publicUrl: `http://127.0.0.1:${port}`,
    handleBy: (handler: typeof handle) => {
      handle = handler
    }
  }
})
