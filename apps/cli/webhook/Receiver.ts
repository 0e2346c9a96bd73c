import { type AddressInfo } from "node:net"
import { createServer } from "node:http"
import { Effect, Queue } from "effect"
import { verifyWebhook, type WebhookEvent, WebhookVerificationError } from "../../client/Webhook.ts"
import { CommandFailed } from "../terminal/Failure.ts"

/** An event that was received and verified, with its text. */
export interface Received {
  readonly event: WebhookEvent
  readonly text: string
}

/** Longest body that is read. */
const mostBytes = 1_048_576

/**
 * A receiver of events on a free port of this machine. An event is acknowledged once its signature is verified by
 * `secret`, which is set when the endpoint is registered; what does not verify is answered 400 and left out.
 */
export const make = Effect.gen(function* () {
  const events = yield* Queue.unbounded<Received>()
  const state: { secret: string | undefined } = { secret: undefined }
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    let read = 0
    request.on("data", (chunk: Buffer) => {
      read += chunk.length
      if (read > mostBytes) request.destroy()
      else chunks.push(chunk)
    })
    request.on("end", async () => {
      const body = Buffer.concat(chunks)
      try {
        const event = await verifyWebhook({ secret: state.secret, headers: request.headers, body })
        Queue.unsafeOffer(events, { event, text: body.toString("utf8") })
        response.writeHead(204).end()
      } catch (error) {
        response.writeHead(error instanceof WebhookVerificationError ? 400 : 503).end()
      }
    })
  })
  yield* Effect.acquireRelease(
    Effect.async<void, CommandFailed>((resume) => {
      server.once("error", () =>
        resume(Effect.fail(new CommandFailed({ message: "no port of this machine can be listened on" })))
      )
      server.listen(0, "127.0.0.1", () => resume(Effect.void))
    }),
    () =>
      Effect.async<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      })
  )
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    verifyWith: (secret: string) => Effect.sync(() => void (state.secret = secret)),
    take: Queue.take(events)
  }
})
