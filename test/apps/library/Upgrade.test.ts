import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { getExpectedTwilioSignature } from "twilio/lib/webhooks/webhooks.js"
import { WebSocket } from "ws"
import * as CallbackUrls from "../../../adapters/twilio/CallbackUrls.ts"
import { makeOutdial } from "../../../apps/library/main.ts"
import { accountSid, authToken, credentials } from "../../adapters/twilio/TwilioServer.ts"

/** How a request for a socket ends: the status of a refusal, or the code that the socket was closed with. */
const ask = (url: string, headers: Readonly<Record<string, string>> = {}) =>
  Effect.async<number>((resume) => {
    const socket = new WebSocket(url, { headers })
    socket.on("unexpected-response", (_, { statusCode = 0 }) => resume(Effect.succeed(statusCode)))
    socket.on("error", () => {})
    socket.on("open", () => socket.send('{"type":"setup","callSid":"CA1"}'))
    socket.on("close", (code) => resume(Effect.succeed(code)))
    return Effect.sync(() => socket.terminate())
  })

const serving = (settings: Record<string, string>) =>
  Effect.gen(function* () {
    const server = createServer()
    const outdial = yield* Effect.acquireRelease(
      Effect.promise(() => makeOutdial({ settings })),
      (made) => Effect.promise(() => made.dispose())
    )
    server.on("upgrade", outdial.upgrade)
    yield* Effect.acquireRelease(
      Effect.async<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
      () => Effect.sync(() => server.close())
    )
    return { outdial, origin: `ws://127.0.0.1:${(server.address() as AddressInfo).port}` }
  })

describe("a server of one's own that hands over requests for WebSockets", () => {
  it.scopedLive("has those taken that are Outdial's, and the others refused", () =>
    Effect.gen(function* () {
      const publicUrl = "https://voice.example/"
      const { origin } = yield* serving({
        OUTDIAL_CARRIER: "twilio",
        OUTDIAL_TALK_BY_RULES: "true",
        OUTDIAL_PUBLIC_URL: publicUrl,
        OUTDIAL_TWILIO_ACCOUNT_SID: accountSid,
        OUTDIAL_TWILIO_AUTH_TOKEN: authToken
      })
      assert.strictEqual(yield* ask(`${origin}/elsewhere`), 404)
      assert.strictEqual(yield* ask(`${origin}/v0/conversations/made.up`), 403)
      const session = { workspace_id: "ws_1", session_id: "sess_1" }
      const url = CallbackUrls.conversation(publicUrl, credentials.authToken, session)
      const own = url.replace("wss://voice.example", origin)
      assert.strictEqual(yield* ask(own), 403)
      const signature = getExpectedTwilioSignature(authToken, url, {})
      // The session is unknown: the socket is taken, and closed.
      assert.strictEqual(yield* ask(own, { "x-twilio-signature": signature }), 1_008)
    })
  )

  it.scopedLive("has its connections closed once it is over", () =>
    Effect.gen(function* () {
      const { origin, outdial } = yield* serving({})
      yield* Effect.promise(() => outdial.dispose())
      assert.strictEqual(yield* ask(`${origin}/v0/conversations/made.up`), 1_006)
    })
  )
})
