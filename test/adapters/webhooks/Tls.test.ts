import type { TLSSocket } from "node:tls"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Queue } from "effect"
import type { Resolver } from "../../../adapters/shared/AddressResolver.ts"
import * as HttpSink from "../../../adapters/webhooks/HttpSink.ts"
import { WebhookSink } from "../../../core/ports/WebhookSink.ts"
import { asText, listen } from "../../Listener.ts"
import { selfSigned } from "./certificate.ts"

const tls = selfSigned("hooks.example.com")
const resolver: Resolver = () => Effect.succeed(["127.0.0.1"])
const receiver = listen(asText, ({ response }) => response.end(), { tls })

const deliver = (url: string) =>
  Effect.flatMap(WebhookSink, (sink) =>
    sink.deliver({
      id: "evt_1",
      webhook_id: "whk_1",
      url,
      secrets: ["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"],
      body: "{}"
    })
  )

const failure = { _tag: "Failed", status: null, error: "tls", retry_after: null } as const
const trusting = HttpSink.layer({ allowPrivate: true, resolver, ca: tls.cert })

describe("HttpSink over TLS", () => {
  it.scopedLive("asks the vetted address for the host's name and verifies its certificate by it", () =>
    Effect.gen(function* () {
      const server = yield* receiver
      for (const _ of [1, 2, 3]) {
        const result = yield* deliver(`https://hooks.example.com:${server.port}/`)
        assert.deepStrictEqual(result, { _tag: "Acknowledged", status: 200 })
      }
      const { request } = yield* Queue.take(server.received)
      assert.strictEqual((request.socket as TLSSocket).servername, "hooks.example.com")
      assert.strictEqual(server.connections(), 1)
    }).pipe(Effect.provide(trusting))
  )

  it.scopedLive("a certificate of another name, or of the name for an address, is refused", () =>
    Effect.gen(function* () {
      const server = yield* receiver
      // A connection that was verified for one name is not used for another at the same address.
      yield* deliver(`https://hooks.example.com:${server.port}/`)
      assert.deepStrictEqual(yield* deliver(`https://other.example.com:${server.port}/`), failure)
      assert.deepStrictEqual(yield* deliver(`https://127.0.0.1:${server.port}/`), failure)
      assert.strictEqual(yield* Queue.size(server.received), 1)
    }).pipe(Effect.provide(trusting))
  )

  it.scopedLive("a certificate that no authority vouches for is refused", () =>
    Effect.gen(function* () {
      const server = yield* receiver
      assert.deepStrictEqual(yield* deliver(`https://hooks.example.com:${server.port}/`), failure)
      assert.strictEqual(yield* Queue.size(server.received), 0)
    }).pipe(Effect.provide(HttpSink.layer({ allowPrivate: true, resolver })))
  )

  it.scopedLive("a receiver that does not speak TLS is a tls failure", () =>
    Effect.gen(function* () {
      const plain = yield* listen(asText, ({ response }) => response.end())
      assert.deepStrictEqual(yield* deliver(`https://hooks.example.com:${plain.port}/`), failure)
      assert.strictEqual(yield* Queue.size(plain.received), 0)
    }).pipe(Effect.provide(trusting))
  )
})
