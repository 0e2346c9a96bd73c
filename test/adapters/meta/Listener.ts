import { text } from "node:stream/consumers"
import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect, Runtime } from "effect"
import type { CallbackHandler } from "../../../adapters/shared/CarrierCallbacks.ts"

const headersOf = ({ headers }: IncomingMessage) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(", ") : value])
  )

/** A server for webhooks: its address is known before there is anything to handle them. */
export const listen = Effect.gen(function* () {
  const run = Runtime.runPromise(yield* Effect.runtime())
  let handle: CallbackHandler = () => Effect.succeed({ status: 503, body: "", contentType: "text/plain" })
  const server = createServer((request, response) => {
    const answered = text(request).then((body) =>
      run(
        handle({
          method: request.method ?? "",
          url: request.url ?? "/",
          headers: headersOf(request),
          body
        })
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
    url: `http://127.0.0.1:${port}/callbacks/meta`,
    handleBy: (handler: CallbackHandler) => {
      handle = handler
    }
  }
})
