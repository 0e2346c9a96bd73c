import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect } from "effect"

/** A receiver of webhooks on this machine, which answers as it is told to. */
export const receiver = Effect.gen(function* () {
  const told = { status: 204, body: "" }
  const server = createServer((request, response) => {
    request.resume().once("end", () => response.writeHead(told.status).end(told.body))
  })
  yield* Effect.acquireRelease(
    Effect.async<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
    () =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  )
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    answers: (status: number, body: string) => Object.assign(told, { status, body })
  }
})
