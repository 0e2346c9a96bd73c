import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { CarrierReports } from "../../../core/engine/CarrierReports.ts"
import { CallDialer } from "../../../core/ports/CallDialer.ts"
import {
  CarrierSide,
  dialRequest,
  Ear,
  endOf,
  has,
  newKey,
  progressOf,
  referTo,
  tags
} from "../../contracts/CallDialer.ts"
import { courses } from "../../contracts/CallDialerSafety.ts"

/**
 * What the simulated carrier does beyond what every carrier must: it files dials under our keys, takes each once,
 * and its look-up answers all that was reported, of refused dials too.
 */
export const simulatedBehaviour = <E>(
  name: string,
  carrier: Layer.Layer<CallDialer | CarrierSide, E, CarrierReports>
) =>
  layer(Layer.provideMerge(carrier, Ear.layer), { excludeTestServices: true })(`${name} files keys`, (it) => {
    for (const [digits, what, course] of courses) {
      it.effect(`a number that ends in ${digits} ${what}; each thing is reported once, and filed so`, () =>
        Effect.gen(function* () {
          const dialer = yield* CallDialer
          const ear = yield* Ear
          const key = newKey()
          const carrier_call_id = yield* dialer.dial(dialRequest(key, `+1555000${digits}`))
          const progress = yield* ear.until(key, has(course.at(-1)!))
          assert.deepStrictEqual(tags(progress), course)
          const found = yield* dialer.lookup(referTo(key))
          assert.deepStrictEqual(found, { _tag: "Known", carrier_call_id, progress })
        })
      )
    }

    it.effect("a number that ends in 0007 is refused, and a look-up answers that it failed", () =>
      Effect.gen(function* () {
        const dialer = yield* CallDialer
        const key = newKey()
        yield* Effect.flip(dialer.dial(dialRequest(key, "+15550000007")))
        const end = endOf(progressOf(yield* dialer.lookup(referTo(key))))
        assert.deepStrictEqual([end.outcome, end.sub_status], ["failed", "invalid_number"])
      })
    )

    it.effect("a number that ends in 0008 is accepted, known, and silent even when it is hung up", () =>
      Effect.gen(function* () {
        const dialer = yield* CallDialer
        const ear = yield* Ear
        const [silent, other] = [newKey(), newKey()]
        yield* dialer.dial(dialRequest(silent, "+15550000008"))
        yield* dialer.hangUp(referTo(silent))
        yield* dialer.dial(dialRequest(other, "+15550001234"))
        yield* ear.until(other, has("RecordingReady"))
        assert.deepStrictEqual(progressOf(yield* dialer.lookup(referTo(silent))), [])
      })
    )

    it.effect("a number that ends in 0009 is in doubt, and a look-up cannot tell", () =>
      Effect.gen(function* () {
        const dialer = yield* CallDialer
        const { dials } = yield* CarrierSide
        const key = newKey()
        const dial = yield* Effect.flip(dialer.dial(dialRequest(key, "+15550000009")))
        assert.strictEqual(dial._tag, "DialInDoubt")
        const lookup = yield* Effect.flip(dialer.lookup(referTo(key)))
        assert.strictEqual(lookup._tag, "LookupFailed")
        assert.strictEqual(yield* dials(key), 1)
      })
    )

    it.effect("a number that ends in 0010 is busy at a call's first attempt and answered at its second", () =>
      Effect.gen(function* () {
        const dialer = yield* CallDialer
        const ear = yield* Ear
        const [first, second, other] = [newKey(), newKey(), newKey()]
        const call_id = `call_of_${first}`
        yield* dialer.dial(dialRequest(first, "+15550000010", { call_id }))
        assert.strictEqual(endOf(yield* ear.until(first, has("Ended"))).outcome, "busy")
        yield* dialer.dial(dialRequest(second, "+15550000010", { call_id }))
        assert.strictEqual(endOf(yield* ear.until(second, has("Ended"))).outcome, "answered")
        yield* dialer.dial(dialRequest(other, "+15550000010"))
        assert.strictEqual(endOf(yield* ear.until(other, has("Ended"))).outcome, "busy")
      })
    )

    it.effect(
      "at every stage a look-up by key answers what was reported so far, and no more than there is",
      () =>
        Effect.gen(function* () {
          const dialer = yield* CallDialer
          const ear = yield* Ear
          const key = newKey()
          yield* dialer.dial(dialRequest(key, "+15550001234"))
          const stages = [progressOf(yield* dialer.lookup(referTo(key)))]
          for (const tag of ["Ringing", "Answered", "Ended", "RecordingReady"] as const) {
            yield* ear.until(key, has(tag))
            const stage = progressOf(yield* dialer.lookup(referTo(key)))
            assert.isTrue(has(tag)(stage), `${tag} is in the look-up`)
            stages.push(stage)
          }
          const whole = yield* ear.until(key, has("RecordingReady"))
          for (const stage of stages) assert.deepStrictEqual(stage, whole.slice(0, stage.length))
        })
    )

    it.effect("hanging up is filed as it is reported, while it rings and after its end", () =>
      Effect.gen(function* () {
        const dialer = yield* CallDialer
        const ear = yield* Ear
        const [ringing, ended] = [newKey(), newKey()]
        yield* dialer.dial(dialRequest(ringing, "+15550000002"))
        yield* dialer.dial(dialRequest(ended, "+15550000001"))
        yield* ear.until(ringing, has("Ringing"))
        yield* ear.until(ended, has("Ended"))
        for (const key of [ringing, ended]) {
          yield* dialer.hangUp(referTo(key))
          yield* dialer.hangUp(referTo(key))
          const heard = yield* ear.until(key, has("Ended"))
          assert.deepStrictEqual(progressOf(yield* dialer.lookup(referTo(key))), heard)
        }
      })
    )

    it.effect("a key that is dialled twice is filed once, and the second dial is on record", () =>
      Effect.gen(function* () {
        const dialer = yield* CallDialer
        const { dials } = yield* CarrierSide
        const ear = yield* Ear
        const key = newKey()
        const request = dialRequest(key, "+15550001234")
        const first = yield* dialer.dial(request)
        assert.strictEqual(yield* dials(key), 1)
        assert.strictEqual(yield* dialer.dial(request), first)
        assert.strictEqual(yield* dials(key), 2)
        const heard = yield* ear.until(key, has("RecordingReady"))
        assert.deepStrictEqual(tags(heard), ["Ringing", "Answered", "Ended", "RecordingReady"])
        assert.deepStrictEqual(progressOf(yield* dialer.lookup(referTo(key))), heard)
      })
    )
  })
