import { Effect, Runtime } from "effect"
import type { CallbackHandler } from "../../adapters/shared/CarrierCallbacks.ts"
import { asText, listen } from "../Listener.ts"

/** A server for callbacks: its address is known before there is anything to handle them. */
export const listenForCallbacks = Effect.gen(function* () {
  const run = Runtime.runPromise(yield* Effect.runtime())
  let handle: CallbackHandler = () => Effect.succeed({ status: 503, body: "", contentType: "text/plain" })
  const { url } = yield* listen(asText, async ({ body, headers, method, request, response }) => {
    const single = Object.entries(headers).map(([name, value]) => [name, [value].flat().join(", ")])
    const answer = await run(handle({ method, url: request.url!, headers: Object.fromEntries(single), body }))
    response.writeHead(answer.status, { "content-type": answer.contentType }).end(answer.body)
  })
  return {
    url,
    handleBy: (handler: CallbackHandler) => {
      handle = handler
    }
  }
})
