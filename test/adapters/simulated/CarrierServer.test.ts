import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Deferred, Effect, Exit, Layer, Scope, Stream } from "effect"
import { fork } from "node:child_process"
import { appendFile, readFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import * as CarrierServer from "../../../adapters/simulated/CarrierServer.ts"
import * as SimulatedConfig from "../../../adapters/simulated/Config.ts"
import * as RemoteCarrier from "../../../adapters/simulated/RemoteCarrier.ts"
import { ConversationRunner } from "../../../core/engine/ConversationRunner.ts"
import { CallDialer } from "../../../core/ports/CallDialer.ts"
import { dialRequest, Ear, endOf, has, referTo } from "../../contracts/CallDialer.ts"
import { ledgerFile, parsedLines } from "./Fixtures.ts"

const entry = fileURLToPath(new URL("CarrierProcess.ts", import.meta.url))

/** A carrier server in a process of its own; `kill` is SIGKILL, and returns once it is dead. */
const carrierProcess = (file: string, speed: number) =>
  Effect.acquireRelease(
    Effect.async<{ readonly url: string; readonly kill: Effect.Effect<void> }>((resume) => {
      const child = fork(entry, [file, String(speed)], { execArgv: ["--import", "tsx"] })
      const dead = new Promise<void>((resolve) => child.once("exit", () => resolve()))
      child.once("message", (url) =>
        resume(
          Effect.succeed({
            url: String(url),
            kill: Effect.promise(() => {
              child.kill("SIGKILL")
              return dead
            })
          })
        )
      )
    }),
    ({ kill }) => kill
  )

const post = (url: string, body: string) =>
  Effect.promise(() => fetch(url, { method: "POST", body })).pipe(
    Effect.flatMap((response) =>
      Effect.map(
        Effect.promise(() => response.json() as Promise<{ error: { code: string } }>),
        ({ error }) => [response.status, error.code]
      )
    )
  )

const remote = (url: string) =>
  Layer.provideMerge(RemoteCarrier.layer({ url, circuit: { tries: 1 } }), Ear.layer)

describe("the carrier server", () => {
  it.scopedLive(
    "has every dial that it answered in its ledger when it is killed, and knows it afterwards",
    () =>
      Effect.gen(function* () {
        const file = yield* ledgerFile
        const answered: Array<string> = []
        const enough = yield* Deferred.make<void>()
        const first = yield* carrierProcess(file, 1)
        yield* Effect.gen(function* () {
          const dialer = yield* CallDialer
          const dialAll = Effect.forEach(
            Array.from({ length: 5_000 }, (_, i) => `att_${i}`),
            (key) =>
              dialer.dial(dialRequest(key, "+15550001234")).pipe(
                Effect.tap(() => {
                  answered.push(key)
                  if (answered.length === 300) Deferred.unsafeDone(enough, Effect.void)
                }),
                Effect.exit
              ),
            { concurrency: 64 }
          )
          const dialling = yield* Effect.fork(dialAll)
          yield* Deferred.await(enough)
          yield* first.kill
          const exits = yield* dialling
          assert.isTrue(exits.some(Exit.isFailure), "it was killed between dials")
        }).pipe(Effect.provide(remote(first.url)))

        const written = new Set(
          parsedLines((yield* Effect.promise(() => readFile(file, "utf8"))).replace(/[^\n]*$/, "")).map(
            ({ key }) => key
          )
        )
        assert.isAtLeast(answered.length, 300)
        assert.deepStrictEqual(
          answered.filter((key) => !written.has(key)),
          []
        )

        const second = yield* carrierProcess(file, 1)
        yield* Effect.gen(function* () {
          const dialer = yield* CallDialer
          const known = yield* Effect.forEach(answered, (key) => dialer.lookup(referTo(key)), {
            concurrency: 32
          })
          for (const [i, found] of known.entries()) {
            assert.deepInclude(found, { _tag: "Known", carrier_call_id: `sim_${answered[i]}` })
          }
          assert.deepStrictEqual(yield* dialer.lookup(referTo("att_none")), { _tag: "NeverReceived" })
        }).pipe(Effect.provide(remote(second.url)))
      })
  )

  it.scopedLive(
    "goes on with its calls after a restart: what fell due meanwhile is told late, but told",
    () =>
      Effect.gen(function* () {
        const file = yield* ledgerFile
        const life = yield* Scope.make()
        const { port, url } = yield* Scope.extend(CarrierServer.serve({ ledgerFile: file, speed: 20 }), life)
        yield* Effect.gen(function* () {
          const dialer = yield* CallDialer
          const ear = yield* Ear
          yield* dialer.dial(dialRequest("talk", "+15550001234"))
          yield* dialer.dial(dialRequest("cut", "+15550000006", { idle_timeout_end: 3_000 }))
          yield* ear.until("cut", has("Answered"))
          yield* dialer.hangUp(referTo("cut"))
          yield* Scope.close(life, Exit.void)
          const lost = yield* Effect.flip(dialer.dial(dialRequest("lost", "+15550001234")))
          assert.notStrictEqual(lost._tag, "DialRefused")
          yield* CarrierServer.serve({ ledgerFile: file, speed: 20, port })
          yield* dialer.awaitAvailable
          yield* ear.until("talk", has("RecordingReady"))
          yield* ear.until("cut", has("Ended"))
          for (const [key, sub_status] of [
            ["talk", "user_hangup"],
            ["cut", "agent_hangup"]
          ] as const) {
            const found = yield* dialer.lookup(referTo(key))
            assert.isTrue(found._tag === "Known" && endOf(found.progress).sub_status === sub_status)
          }
          assert.deepStrictEqual(yield* dialer.lookup(referTo("lost")), { _tag: "NeverReceived" })
        }).pipe(Effect.provide(remote(url)))
      })
  )

  it.scopedLive("skips a line that a crash has torn, and writes on after it", () =>
    Effect.gen(function* () {
      const file = yield* ledgerFile
      const oneLife = (key: string) =>
        Effect.gen(function* () {
          const { url } = yield* CarrierServer.serve({ ledgerFile: file, speed: Infinity })
          const { driver } = yield* RemoteCarrier.connect({ url })
          yield* driver.dial(dialRequest(key, "+15550001234"))
          return yield* Effect.forEach(["a", "b"], (known) =>
            Effect.map(driver.lookup(referTo(known)), ({ _tag }) => _tag)
          )
        }).pipe(Effect.scoped)
      assert.deepStrictEqual(yield* oneLife("a"), ["Known", "NeverReceived"])
      yield* Effect.promise(() => appendFile(file, '{"_tag":"Dial","key":"to'))
      assert.deepStrictEqual(yield* oneLife("b"), ["Known", "Known"])
      assert.deepStrictEqual(yield* oneLife("b"), ["Known", "Known"])
      const lines = (yield* Effect.promise(() => readFile(file, "utf8"))).split("\n")
      assert.strictEqual(lines.length, 5)
    })
  )

  it.scopedLive("streams progress after a number, what is still kept of it, then what comes", () =>
    Effect.gen(function* () {
      const { url } = yield* CarrierServer.serve({
        ledgerFile: yield* ledgerFile,
        speed: Infinity,
        replay: 100
      })
      const { driver } = yield* RemoteCarrier.connect({ url })
      const read = (query: string, lines: number) =>
        Stream.fromAsyncIterable(
          { [Symbol.asyncIterator]: () => follow(`${url}/progress${query}`) },
          (cause) => cause
        ).pipe(
          Stream.take(lines),
          Stream.runCollect,
          Effect.map((all) => [...all]),
          Effect.orDie
        )
      const dial = (key: string) => driver.dial(dialRequest(key, "+15550000001"))

      for (let i = 0; i < 50; i++) yield* dial(`att_${i}`)
      const all = yield* read("?after=0", 50)
      assert.deepStrictEqual(
        all.map(({ key }) => key),
        Array.from({ length: 50 }, (_, i) => `att_${i}`)
      )
      const rest = yield* read(`?after=${all[9]!.seq}`, 40)
      assert.deepStrictEqual(rest, all.slice(10))
      const live = yield* Effect.fork(read(`?after=${all[49]!.seq}`, 1))
      yield* dial("att_50")
      assert.deepStrictEqual(
        (yield* live).map(({ key, seq }) => [key, seq]),
        [["att_50", all[49]!.seq + 1]]
      )
      for (let i = 51; i < 400; i++) yield* dial(`att_${i}`)
      const kept = yield* read("?after=0", 100)
      assert.isAbove(kept[0]!.seq, all[49]!.seq + 1)
      assert.strictEqual(kept[99]!.seq, kept[0]!.seq + 99)
      assert.deepStrictEqual(yield* read("", 100), kept)
    })
  )

  it.scopedLive("refuses what it cannot read, and knows no other operation", () =>
    Effect.gen(function* () {
      const { url } = yield* CarrierServer.serve({ ledgerFile: yield* ledgerFile })
      assert.deepStrictEqual(yield* post(`${url}/dial`, "{"), [400, "invalid_request"])
      assert.deepStrictEqual(yield* post(`${url}/dial`, '{"key":"a"}'), [400, "invalid_request"])
      assert.deepStrictEqual(yield* post(`${url}/dial`, "a".repeat(2_000_000)), [400, "invalid_request"])
      assert.deepStrictEqual(yield* post(`${url}/hangup`, "[]"), [400, "invalid_request"])
      assert.deepStrictEqual(yield* post(`${url}/elsewhere`, ""), [404, "not_found"])
      assert.deepStrictEqual(
        yield* Effect.promise(() => fetch(`${url}/ledger`).then((response) => response.text())),
        ""
      )
    })
  )

  it.scopedLive("cannot be started on a port that is taken, nor with a ledger that is no file", () =>
    Effect.gen(function* () {
      const file = yield* ledgerFile
      const { port } = yield* CarrierServer.serve({ ledgerFile: file })
      const taken = yield* Effect.flip(CarrierServer.serve({ ledgerFile: file, port }))
      assert.strictEqual(taken._tag, "CarrierServerFailed")
      const directory = yield* Effect.flip(CarrierServer.serve({ ledgerFile: "/" }))
      assert.strictEqual(directory._tag, "CarrierServerFailed")
    })
  )

  it.scopedLive("is the carrier when OUTDIAL_SIMULATED_URL names it", () =>
    Effect.gen(function* () {
      const { url } = yield* CarrierServer.serve({ ledgerFile: yield* ledgerFile })
      const configured = (url: string) =>
        Effect.flatMap(CallDialer, (dialer) => dialer.dial(dialRequest("a", "+15550001234"))).pipe(
          Effect.provide(
            Layer.provide(SimulatedConfig.layerConfig, Layer.merge(Ear.layer, ConversationRunner.layer))
          ),
          Effect.withConfigProvider(ConfigProvider.fromMap(new Map([["OUTDIAL_SIMULATED_URL", url]])))
        )
      yield* configured(url)
      const ledger = yield* Effect.promise(() => fetch(`${url}/ledger`).then((response) => response.text()))
      assert.deepStrictEqual(
        parsedLines(ledger).map(({ key, to_number }) => [key, to_number]),
        [["a", "+15550001234"]]
      )
      assert.isTrue(Exit.isFailure(yield* Effect.exit(configured("not a url"))))
    })
  )

  it.scopedLive("lives as long as its layer", () =>
    Effect.gen(function* () {
      const file = yield* ledgerFile
      const { port, url } = yield* Effect.scoped(CarrierServer.serve({ ledgerFile: file }))
      const ping = Effect.tryPromise(() => fetch(`${url}/ping`))
      assert.isTrue(Exit.isFailure(yield* Effect.exit(ping)))
      yield* Effect.provide(
        Effect.gen(function* () {
          assert.strictEqual((yield* ping).status, 204)
        }),
        CarrierServer.layer({ ledgerFile: file, port })
      )
      assert.isTrue(Exit.isFailure(yield* Effect.exit(ping)))
    })
  )
})

async function* follow(url: string): AsyncGenerator<{ readonly key: string; readonly seq: number }> {
  const abort = new AbortController()
  try {
    const response = await fetch(url, { signal: abort.signal })
    let rest = ""
    for await (const bytes of response.body!) {
      const lines = (rest + Buffer.from(bytes).toString()).split("\n")
      rest = lines.pop()!
      for (const line of lines) if (line !== "") yield JSON.parse(line)
    }
  } finally {
    abort.abort()
  }
}
