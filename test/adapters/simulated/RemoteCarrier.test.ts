import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Stream } from "effect"
import * as RemoteCarrier from "../../../adapters/simulated/RemoteCarrier.ts"
import { CallDialer } from "../../../core/ports/CallDialer.ts"
import { dialRequest, Ear, referTo } from "../../contracts/CallDialer.ts"
import { type Answer, asText, listen } from "../../Listener.ts"

const serverOf = (answer: Answer) => Effect.map(listen(asText, answer), ({ url }) => url)

const answering = (status: number, body: string) =>
  serverOf(({ response }) => response.writeHead(status).end(body))

const dialAt = (url: string) =>
  Effect.flatMap(RemoteCarrier.connect({ url }), ({ driver: { dial } }) =>
    Effect.flip(dial(dialRequest("a", "+15550001234")))
  )
const lookupAt = (url: string) =>
  Effect.flatMap(RemoteCarrier.connect({ url }), ({ driver: { lookup } }) =>
    Effect.flip(lookup(referTo("a")))
  )

const refusal = JSON.stringify({
  error: { code: "blocked", message: "no", outcome: "failed", sub_status: "destination_blocked" }
})

describe("the carrier behind HTTP", () => {
  it.scopedLive("is unreachable when the connection is refused or its name has no address", () =>
    Effect.gen(function* () {
      const gone = yield* Effect.scoped(answering(200, ""))
      for (const url of [gone, gone.replace("127.0.0.1", "localhost"), "http://carrier.invalid:80"]) {
        const failure = yield* dialAt(url)
        assert.strictEqual(failure._tag, "CarrierUnreachable", url)
        assert.strictEqual((yield* lookupAt(url))._tag, "CarrierUnreachable")
        const { driver } = yield* RemoteCarrier.connect({ url })
        assert.strictEqual((yield* Effect.flip(driver.ping))._tag, "CarrierUnreachable")
      }
    })
  )

  it.scopedLive("leaves a dial in doubt when the connection is lost after it was made", () =>
    Effect.gen(function* () {
      const before = yield* serverOf(({ request }) => request.socket.destroy())
      assert.strictEqual((yield* dialAt(before))._tag, "DialInDoubt")
      const halfWay = yield* serverOf(({ request, response }) => {
        response.writeHead(200, { "content-length": 100 })
        response.write('{"carrier_call_id"', () => request.socket.destroy())
      })
      assert.strictEqual((yield* dialAt(halfWay))._tag, "DialInDoubt")
    })
  )

  for (const [what, status, body, lookup] of [
    ["fails", 502, refusal, "CarrierUnreachable"],
    ["fails in its own words", 500, "oops", "CarrierUnreachable"],
    ["is asked too often", 429, "", "CarrierUnreachable"],
    ["accepts in unknown words", 200, "<html>", "LookupFailed"],
    ["accepts without an id", 200, "{}", "LookupFailed"],
    ["is not the carrier", 404, "<html>not found</html>", "LookupFailed"],
    ["redirects", 302, "", "LookupFailed"]
  ] as const) {
    it.scopedLive(`leaves a dial in doubt, and a look-up without an answer, when it ${what}`, () =>
      Effect.gen(function* () {
        const url = yield* answering(status, body)
        assert.strictEqual((yield* dialAt(url))._tag, "DialInDoubt")
        assert.strictEqual((yield* lookupAt(url))._tag, lookup)
      })
    )
  }

  it.scopedLive("refuses with a coded 4xx, and its reason is the dial's", () =>
    Effect.gen(function* () {
      const refused = yield* dialAt(yield* answering(403, refusal))
      assert.deepInclude(refused, {
        _tag: "DialRefused",
        code: "blocked",
        outcome: "failed",
        sub_status: "destination_blocked"
      })
      const bare = yield* dialAt(yield* answering(400, '{"error":{"code":"odd","message":"no"}}'))
      assert.deepInclude(bare, { _tag: "DialRefused", outcome: "failed", sub_status: "carrier_error" })
    })
  )

  it.scopedLive("leaves a dial in doubt when no answer comes in time", () =>
    Effect.gen(function* () {
      const url = yield* serverOf(() => undefined)
      yield* Effect.gen(function* () {
        const dialer = yield* CallDialer
        const failure = yield* Effect.flip(dialer.dial(dialRequest("a", "+15550001234")))
        assert.strictEqual(failure._tag, "DialInDoubt")
      }).pipe(
        Effect.provide(
          Layer.provide(RemoteCarrier.layer({ url, circuit: { dialTimeout: "50 millis" } }), Ear.layer)
        )
      )
    })
  )

  it.scopedLive(
    "connects again when its progress breaks off, from where it was, and skips what it cannot read",
    () =>
      Effect.gen(function* () {
        const asked: Array<string> = []
        const line = (seq: number) =>
          `${JSON.stringify({ seq, workspace_id: "ws_1", key: `k${seq}`, progress: { _tag: "Ringing", at: seq } })}\n`
        const url = yield* serverOf(({ request, response }) => {
          asked.push(request.url!)
          response.writeHead(200)
          switch (asked.length) {
            case 1:
              response.write(line(7))
              response.write(`\n{"seq":8,"what":1}\nnot json\n${line(9).slice(0, 20)}`, () =>
                response.destroy()
              )
              break
            case 2:
              response.end(line(9))
              break
            case 3:
              response.socket!.destroy()
              break
            default:
              response.write(line(10) + line(11))
          }
        })
        const { progress } = yield* RemoteCarrier.connect({ url })
        const heard = yield* progress.pipe(Stream.take(4), Stream.runCollect)
        assert.deepStrictEqual(
          [...heard].map(({ key }) => key),
          ["k7", "k9", "k10", "k11"]
        )
        assert.deepStrictEqual(asked, [
          "/progress",
          "/progress?after=7",
          "/progress?after=9",
          "/progress?after=9"
        ])
      })
  )

  it.scopedLive("stops listening at once, also while the carrier is silent", () =>
    Effect.gen(function* () {
      const connected = yield* Deferred.make<void>()
      const left = yield* Deferred.make<void>()
      const url = yield* serverOf(({ response }) => {
        response.writeHead(200).flushHeaders()
        response.on("close", () => Deferred.unsafeDone(left, Effect.void))
        Deferred.unsafeDone(connected, Effect.void)
      })
      const { progress } = yield* RemoteCarrier.connect({ url })
      const listening = yield* Effect.fork(Stream.runDrain(progress))
      yield* Deferred.await(connected)
      yield* Fiber.interrupt(listening)
      yield* Deferred.await(left)
    })
  )

  it.scopedLive("asks below the path of its address", () =>
    Effect.gen(function* () {
      const asked: Array<string> = []
      const url = yield* serverOf(({ request, response }) => {
        asked.push(`${request.method} ${request.url}`)
        response.writeHead(204).end()
      })
      const { driver } = yield* RemoteCarrier.connect({ url: `${url}/carrier/` })
      yield* driver.ping
      yield* driver.hangUp(referTo("a"))
      assert.deepStrictEqual(asked, ["GET /carrier/ping", "POST /carrier/hangup"])
    })
  )
})
