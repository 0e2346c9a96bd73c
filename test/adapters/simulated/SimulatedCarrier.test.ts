import { assert, describe, it } from "@effect/vitest"
import { Chunk, ConfigProvider, Effect, Exit, Fiber, Layer, Stream, TestClock } from "effect"
import { CarrierLedger } from "../../../adapters/simulated/CarrierLedger.ts"
import * as SimulatedConfig from "../../../adapters/simulated/Config.ts"
import * as SimulatedCarrier from "../../../adapters/simulated/SimulatedCarrier.ts"
import { ConversationRunner } from "../../../core/engine/ConversationRunner.ts"
import { CallDialer } from "../../../core/ports/CallDialer.ts"
import { dialRequest, Ear, endOf, has, referTo, tags } from "../../contracts/CallDialer.ts"

const on = (options: SimulatedCarrier.SimulatedCarrierOptions) =>
  Effect.provide(Layer.provideMerge(SimulatedCarrier.layer(options), Ear.layer))

const progressOf = (key: string) =>
  Effect.flatMap(CallDialer, (dialer) => dialer.lookup(referTo(key))).pipe(
    Effect.map((found) => (found._tag === "Known" ? found.progress : null))
  )
const tagsOf = (key: string) => Effect.map(progressOf(key), (progress) => progress && tags(progress))

describe("the simulated carrier", () => {
  it.effect("plays a call at its own pace: busy after a second, no answer after half a minute", () =>
    Effect.gen(function* () {
      const dialer = yield* CallDialer
      yield* dialer.dial(dialRequest("busy", "+15550000001"))
      yield* dialer.dial(dialRequest("unanswered", "+15550000002"))
      yield* TestClock.adjust("999 millis")
      assert.deepStrictEqual(yield* tagsOf("busy"), [])
      yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual(yield* tagsOf("busy"), ["Ended"])
      yield* TestClock.adjust("28999 millis")
      assert.deepStrictEqual(yield* tagsOf("unanswered"), ["Ringing"])
      yield* TestClock.adjust("1 millis")
      assert.deepStrictEqual(yield* tagsOf("unanswered"), ["Ringing", "Ended"])
    }).pipe(on({ speed: 1 }))
  )

  it.effect("tells by itself what falls due, an earlier call that comes later first", () =>
    Effect.gen(function* () {
      const dialer = yield* CallDialer
      const ear = yield* Ear
      yield* dialer.dial(dialRequest("slow", "+15550000002"))
      yield* TestClock.adjust("2 seconds")
      yield* dialer.dial(dialRequest("quick", "+15550000001"))
      yield* TestClock.adjust("1 second")
      const quick = endOf(yield* ear.until("quick", has("Ended")))
      yield* TestClock.adjust("27 seconds")
      const slow = endOf(yield* ear.until("slow", has("Ended")))
      assert.strictEqual(slow.at - quick.at, 27_000)
    }).pipe(on({ speed: 1 }))
  )

  it.effect("without delays a call is over when its dial returns, and many come in one chunk", () =>
    Effect.gen(function* () {
      const { driver, progress } = yield* SimulatedCarrier.engine({ speed: Infinity })
      for (let i = 0; i < 100; i++) yield* driver.dial(dialRequest(`att_${i}`, "+15550001234"))
      const found = yield* driver.lookup(referTo("att_0"))
      assert.deepStrictEqual(found._tag === "Known" && tags(found.progress), [
        "Ringing",
        "Answered",
        "Ended",
        "RecordingReady"
      ])
      const chunk = yield* progress.pipe(Stream.chunks, Stream.runHead, Effect.flatten)
      assert.strictEqual(Chunk.size(chunk), 400)
    }).pipe(Effect.scoped)
  )

  it.effect("keeps a ledger of dials, hang-ups and look-ups, and counts dials under a known key", () =>
    Effect.gen(function* () {
      const dialer = yield* CallDialer
      const ledger = yield* CarrierLedger
      yield* TestClock.setTime(1_000)
      yield* dialer.dial(dialRequest("a", "+15550001234"))
      yield* dialer.dial(dialRequest("b", "+15550001234"))
      yield* dialer.dial(dialRequest("a", "+15550001234"))
      yield* dialer.hangUp(referTo("a"))
      yield* dialer.lookup(referTo("c"))
      const [first] = yield* ledger.dials
      assert.deepInclude(first, {
        key: "a",
        workspace_id: "ws_1",
        call_id: "call_of_a",
        to_number: "+15550001234",
        from_number: "+15557654321",
        at: 1_000
      })
      assert.deepStrictEqual(
        (yield* ledger.dials).map(({ key }) => key),
        ["a", "b", "a"]
      )
      assert.deepStrictEqual(
        (yield* ledger.hangUps).map(({ key }) => key),
        ["a"]
      )
      assert.deepStrictEqual(
        (yield* ledger.lookups).map(({ key }) => key),
        ["c"]
      )
      assert.deepStrictEqual(yield* ledger.counts, { dials: 3, repeated: 1, hang_ups: 1, lookups: 1 })
    }).pipe(on({ speed: 1 }))
  )

  it.effect("keeps its ledger within bounds", () =>
    Effect.gen(function* () {
      const dialer = yield* CallDialer
      const ledger = yield* CarrierLedger
      for (let i = 0; i < 1_000; i++) yield* dialer.dial(dialRequest(`att_${i}`, "+15550000001"))
      const dials = yield* ledger.dials
      assert.isAtMost(dials.length, 20)
      assert.strictEqual(dials.at(-1)?.key, "att_999")
      assert.strictEqual((yield* ledger.counts).dials, 1_000)
    }).pipe(on({ speed: Infinity, keepAtMost: 10 }))
  )

  it.effect("out of reach, nothing arrives; once it has recovered, the key was never received", () =>
    Effect.gen(function* () {
      const dialer = yield* CallDialer
      const ledger = yield* CarrierLedger
      yield* ledger.fail("unreachable")
      const failed = yield* Effect.flip(dialer.dial(dialRequest("a", "+15550001234")))
      assert.strictEqual(failed._tag, "CarrierUnreachable")
      yield* TestClock.adjust("1 second")
      assert.isFalse(yield* dialer.available)
      yield* ledger.recover
      const waiting = yield* Effect.fork(dialer.awaitAvailable)
      yield* TestClock.adjust("2 seconds")
      yield* Fiber.join(waiting)
      assert.isNull(yield* progressOf("a"))
      assert.deepStrictEqual(yield* ledger.dials, [])
    }).pipe(on({ speed: 1 }))
  )

  it.effect("timing out, a dial is in doubt and was never received", () =>
    Effect.gen(function* () {
      const dialer = yield* CallDialer
      const ledger = yield* CarrierLedger
      yield* ledger.fail("time_out")
      const dial = yield* Effect.fork(Effect.flip(dialer.dial(dialRequest("a", "+15550001234"))))
      yield* TestClock.adjust("15 seconds")
      assert.strictEqual((yield* Fiber.join(dial))._tag, "DialInDoubt")
      const lookup = yield* Effect.fork(Effect.flip(dialer.lookup(referTo("a"))))
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* Fiber.join(lookup))._tag, "CarrierUnreachable")
      yield* ledger.recover
      assert.isNull(yield* progressOf("a"))
    }).pipe(on({ speed: 1 }))
  )

  it.effect("losing its answers, a dial is in doubt, and a look-up finds the call", () =>
    Effect.gen(function* () {
      const dialer = yield* CallDialer
      const ledger = yield* CarrierLedger
      yield* ledger.fail("lost_answers")
      const failed = yield* Effect.flip(dialer.dial(dialRequest("a", "+15550000001")))
      assert.strictEqual(failed._tag, "DialInDoubt")
      yield* TestClock.adjust("1 second")
      assert.deepStrictEqual(yield* tagsOf("a"), ["Ended"])
      assert.strictEqual((yield* ledger.dials).length, 1)
    }).pipe(on({ speed: 1 }))
  )

  it.effect("what its journal may not have kept is in doubt, and nothing comes of it", () =>
    Effect.gen(function* () {
      const { driver, ledger } = yield* SimulatedCarrier.engine({
        speed: Infinity,
        journal: () => new SimulatedCarrier.JournalFailed({ cause: new Error("no space left on device") })
      })
      const dial = yield* Effect.flip(driver.dial(dialRequest("a", "+15550001234")))
      assert.strictEqual(dial._tag, "DialInDoubt")
      assert.strictEqual((yield* Effect.flip(driver.lookup(referTo("a"))))._tag, "LookupFailed")
      assert.strictEqual((yield* ledger.counts).dials, 0)
    }).pipe(Effect.scoped)
  )

  it.effect("takes its speed from OUTDIAL_SIMULATED_SPEED: a positive number, 1 if there is none", () =>
    Effect.gen(function* () {
      const speedOf = (value: string | undefined) =>
        Effect.exit(SimulatedConfig.speed).pipe(
          Effect.withConfigProvider(
            ConfigProvider.fromMap(new Map(value === undefined ? [] : [["OUTDIAL_SIMULATED_SPEED", value]]))
          )
        )
      assert.deepStrictEqual(yield* speedOf(undefined), Exit.succeed(1))
      assert.deepStrictEqual(yield* speedOf("2.5"), Exit.succeed(2.5))
      assert.deepStrictEqual(yield* speedOf("Infinity"), Exit.succeed(Infinity))
      for (const wrong of ["0", "-1", "fast", "NaN"]) {
        assert.isTrue(Exit.isFailure(yield* speedOf(wrong)), wrong)
      }
    })
  )

  it.effect("is in this process unless OUTDIAL_SIMULATED_URL names another", () =>
    Effect.gen(function* () {
      const dialer = yield* CallDialer
      yield* dialer.dial(dialRequest("a", "+15550001234"))
      assert.deepStrictEqual(yield* tagsOf("a"), ["Ringing", "Answered", "Ended", "RecordingReady"])
    }).pipe(
      Effect.provide(
        Layer.provideMerge(SimulatedConfig.layerConfig, Layer.merge(Ear.layer, ConversationRunner.layer))
      ),
      Effect.withConfigProvider(ConfigProvider.fromMap(new Map([["OUTDIAL_SIMULATED_SPEED", "Infinity"]]))),
      Effect.asVoid
    )
  )
})
