import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Queue, Ref } from "effect"
import type { Resolver } from "../../../adapters/shared/AddressResolver.ts"
import * as HttpSink from "../../../adapters/webhooks/HttpSink.ts"
import { type DeliveryResult, WebhookSink } from "../../../core/ports/WebhookSink.ts"
import { asText, listen } from "../../Listener.ts"
import { forbiddenAddresses, forbiddenHosts } from "../shared/forbidden.ts"

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

const canaryServer = listen(asText, ({ response }) => response.end())

const isRefusal = (result: DeliveryResult) =>
  result._tag === "Failed" && result.status === null && result.error.startsWith("address refused: ")

const answering =
  (...addresses: ReadonlyArray<string>): Resolver =>
  () =>
    Effect.succeed(addresses)

/** Answers each look-up by the next list, the last one for good, and counts them. */
const scripted = (...answers: ReadonlyArray<ReadonlyArray<string>>) =>
  Effect.map(Ref.make(0), (lookups) => ({
    lookups,
    resolver: ((): ReturnType<Resolver> =>
      Effect.map(
        Ref.getAndUpdate(lookups, (n) => n + 1),
        (n) => answers[Math.min(n, answers.length - 1)] ?? []
      )) satisfies Resolver
  }))

describe("A webhook address can not be made to reach what is not public", () => {
  it.scopedLive("by writing the address in another way", () =>
    Effect.gen(function* () {
      const canary = yield* canaryServer
      for (const host of forbiddenHosts) {
        for (const scheme of ["http", "https"]) {
          const result = yield* deliver(`${scheme}://${host}:${canary.port}/`)
          assert.isTrue(isRefusal(result), `${scheme} ${host}`)
        }
      }
      assert.strictEqual(canary.connections(), 0)
    }).pipe(Effect.provide(HttpSink.layer({ allowPrivate: false })))
  )

  it.scopedLive("by a name that resolves to it", () =>
    Effect.gen(function* () {
      const canary = yield* canaryServer
      for (const address of forbiddenAddresses) {
        const result = yield* deliver(`http://hooks.example.com:${canary.port}/`).pipe(
          Effect.provide(HttpSink.layer({ allowPrivate: false, resolver: answering(address) }))
        )
        assert.isTrue(isRefusal(result), address)
      }
      assert.strictEqual(canary.connections(), 0)
    })
  )

  it.scopedLive("by a name that resolves to public addresses as well", () =>
    Effect.gen(function* () {
      const canary = yield* canaryServer
      for (const addresses of [
        ["8.8.8.8", "127.0.0.1"],
        ["127.0.0.1", "8.8.8.8"],
        ["8.8.8.8", "1.1.1.1", "::ffff:127.0.0.1"],
        ["2606:4700::1111", "::1"]
      ]) {
        const result = yield* deliver(`http://hooks.example.com:${canary.port}/`).pipe(
          Effect.provide(HttpSink.layer({ allowPrivate: false, resolver: answering(...addresses) }))
        )
        assert.isTrue(isRefusal(result), addresses.join())
      }
      assert.strictEqual(canary.connections(), 0)
    })
  )

  it.scopedLive("and the result says why without the address", () =>
    Effect.gen(function* () {
      const canary = yield* canaryServer
      const sink = HttpSink.layer({ allowPrivate: false, resolver: answering("127.0.0.1") })
      const result = yield* deliver(`http://alias.example.com:${canary.port}/?token=x`).pipe(
        Effect.provide(sink)
      )
      assert.deepStrictEqual(result, {
        _tag: "Failed",
        status: null,
        error: "address refused: loopback address",
        retry_after: null
      })
      assert.strictEqual(canary.connections(), 0)
    })
  )

  it.scopedLive("by a name that changes its address between the check and the connection", () =>
    Effect.gen(function* () {
      const canary = yield* canaryServer
      // Of the global unicast space, given back and routed nowhere (3ffe::/16, RFC 3701).
      const { resolver, lookups } = yield* scripted(["3ffe::1"], ["127.0.0.1"])
      yield* Effect.gen(function* () {
        const url = `http://hooks.example.com:${canary.port}/`
        const first = yield* deliver(url)
        assert.strictEqual(first._tag, "Failed")
        assert.isFalse(isRefusal(first))
        assert.strictEqual(yield* Ref.get(lookups), 1)
        assert.isTrue(isRefusal(yield* deliver(url)))
      }).pipe(
        Effect.provide(
          HttpSink.layer({ allowPrivate: false, resolver, resolutionTtl: 0, timeout: "500 millis" })
        )
      )
      assert.strictEqual(canary.connections(), 0)
    })
  )

  it.scopedLive("while the same canary is reached where private addresses are opened", () =>
    Effect.gen(function* () {
      const canary = yield* canaryServer
      const result = yield* deliver(`http://127.1:${canary.port}/`)
      assert.deepStrictEqual(result, { _tag: "Acknowledged", status: 200 })
      assert.strictEqual(canary.connections(), 1)
    }).pipe(Effect.provide(HttpSink.layer({ allowPrivate: true })))
  )

  it.scopedLive("unless it is opened in the configuration", () =>
    Effect.gen(function* () {
      const canary = yield* canaryServer
      const url = `http://localhost:${canary.port}/`
      const configured = (settings: ReadonlyArray<readonly [string, string]>) =>
        HttpSink.layerConfig.pipe(
          Layer.provide(Layer.setConfigProvider(ConfigProvider.fromMap(new Map(settings))))
        )
      assert.isTrue(isRefusal(yield* deliver(url).pipe(Effect.provide(configured([])))))
      assert.strictEqual(canary.connections(), 0)
      const open = configured([["OUTDIAL_WEBHOOK_ALLOW_PRIVATE", "true"]])
      assert.strictEqual((yield* deliver(url).pipe(Effect.provide(open)))._tag, "Acknowledged")
    })
  )

  it.effect("when an address is registered it is judged by its text, and no name is looked up", () =>
    Effect.gen(function* () {
      const sink = yield* WebhookSink
      for (const host of forbiddenHosts) {
        assert.strictEqual((yield* Effect.flip(sink.vet(`https://${host}/`)))._tag, "UrlRefused", host)
      }
      yield* sink.vet("https://hooks.example.com/")
    }).pipe(
      Effect.provide(HttpSink.layer({ allowPrivate: false, resolver: () => Effect.dieMessage("looked up") }))
    )
  )

  it.scopedLive("a name that does not resolve is a dns failure", () =>
    Effect.gen(function* () {
      const failure = { _tag: "Failed", status: null, error: "dns", retry_after: null } as const
      const nowhere = HttpSink.layer({ allowPrivate: false, resolver: answering() })
      assert.deepStrictEqual(yield* deliver("http://x.example/").pipe(Effect.provide(nowhere)), failure)
      // Longer than a label may be (RFC 1035), so that the system's resolver asks no server.
      const impossible = `http://${"x".repeat(64)}.example/`
      const system = HttpSink.layer({ allowPrivate: false })
      assert.deepStrictEqual(yield* deliver(impossible).pipe(Effect.provide(system)), failure)
    })
  )
})

describe.skipIf(process.platform !== "linux")("The address that was vetted is the one connected to", () => {
  /** Two receivers on one port of two addresses. */
  const pair = Effect.gen(function* () {
    const first = yield* listen(asText, ({ response }) => response.end(), { host: "127.0.0.1" })
    const second = yield* listen(asText, ({ response }) => response.end(), {
      host: "127.0.0.2",
      port: first.port
    })
    return { first, second, url: `http://hooks.example.com:${first.port}/` }
  })

  it.scopedLive("under the host name of the URL, and a kept connection never leads to another", () =>
    Effect.gen(function* () {
      const { first, second, url } = yield* pair
      const { resolver } = yield* scripted(["127.0.0.2"], ["127.0.0.1"], ["127.0.0.2"])
      yield* Effect.gen(function* () {
        yield* deliver(url)
        const { request } = yield* Queue.take(second.received)
        assert.strictEqual(request.headers.host, `hooks.example.com:${first.port}`)
        assert.strictEqual(first.connections(), 0)
        yield* deliver(url)
        assert.strictEqual(yield* Queue.size(first.received), 1)
        assert.strictEqual(yield* Queue.size(second.received), 0)
        yield* deliver(url)
        assert.strictEqual(yield* Queue.size(second.received), 1)
        assert.strictEqual(second.connections(), 1)
      }).pipe(Effect.provide(HttpSink.layer({ allowPrivate: true, resolver, resolutionTtl: 0 })))
    })
  )

  it.scopedLive("again without a look-up for five seconds", () =>
    Effect.gen(function* () {
      const { first, second, url } = yield* pair
      const { resolver, lookups } = yield* scripted(["127.0.0.2"], ["127.0.0.1"])
      yield* Effect.replicateEffect(deliver(url), 5).pipe(
        Effect.provide(HttpSink.layer({ allowPrivate: true, resolver }))
      )
      assert.strictEqual(yield* Ref.get(lookups), 1)
      assert.strictEqual(yield* Queue.size(second.received), 5)
      assert.strictEqual(first.connections(), 0)
    })
  )

  it.scopedLive("and where no process listens there, the next of the vetted ones", () =>
    Effect.gen(function* () {
      const only = yield* canaryServer
      const result = yield* deliver(`http://hooks.example.com:${only.port}/`).pipe(
        Effect.provide(
          HttpSink.layer({ allowPrivate: true, resolver: answering("127.0.0.3", "127.0.0.2", "127.0.0.1") })
        )
      )
      assert.deepStrictEqual(result, { _tag: "Acknowledged", status: 200 })
      assert.strictEqual(yield* Queue.size(only.received), 1)
    })
  )
})
