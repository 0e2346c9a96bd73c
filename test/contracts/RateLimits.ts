import { assert, describe, it } from "@effect/vitest"
import { Duration, Effect, Either, FastCheck, type Layer, TestClock } from "effect"
import { RateLimits, TooManyRequests } from "../../core/ports/RateLimits.ts"

interface Rate {
  readonly limit: number
  readonly window: Duration.Duration
}

const tenAMinute: Rate = { limit: 10, window: Duration.minutes(1) }

const generate = (workspace_id = "ws_a") =>
  Effect.flatMap(RateLimits, ({ generation }) => Effect.either(generation(workspace_id)))

/** How many of so many racers get one. */
const race = (racers: number, workspace_id = "ws_a") =>
  Effect.map(
    Effect.replicateEffect(generate(workspace_id), racers, { concurrency: "unbounded" }),
    (answers) => answers.filter(Either.isRight).length
  )

/** What a refused one is told. */
const refused = Effect.flatMap(generate(), (answer) => {
  assert.isTrue(Either.isLeft(answer))
  const error = Either.getOrThrow(Either.flip(answer))
  assert.instanceOf(error, TooManyRequests)
  return Effect.succeed(error.retry_after)
})

const rates = FastCheck.record({
  limit: FastCheck.integer({ min: 1, max: 40 }),
  window: FastCheck.integer({ min: 1_000, max: 600_000 }).map(Duration.millis)
})
/** Pauses between one and the next, most of them far shorter than a window. */
const pauses = FastCheck.array(
  FastCheck.oneof(
    FastCheck.constant(0),
    FastCheck.integer({ min: 0, max: 20_000 }),
    FastCheck.integer({ min: 0, max: 900_000 })
  ),
  { minLength: 1, maxLength: 60 }
)

/** What every RateLimits does. `layerOf` makes a fresh one, of which nothing is used. */
export const rateLimitsContract = (
  name: string,
  layerOf: (rate: Rate, requests?: Rate | null) => Layer.Layer<RateLimits>
) =>
  describe(`RateLimits: ${name}`, () => {
    it.effect("lets of a hundred racers pass exactly as many as the limit says", () =>
      Effect.gen(function* () {
        assert.strictEqual(yield* race(100), 10)
        assert.strictEqual(yield* race(100), 0)
      }).pipe(Effect.provide(layerOf(tenAMinute)))
    )

    it.effect("gives each workspace its own", () =>
      Effect.gen(function* () {
        const passed = yield* Effect.forEach(["ws_a", "ws_b", "__proto__", ""], (id) => race(100, id), {
          concurrency: "unbounded"
        })
        assert.deepStrictEqual(passed, [10, 10, 10, 10])
        yield* TestClock.adjust("6 seconds")
        assert.strictEqual(yield* race(5, "ws_b"), 1)
        assert.strictEqual(yield* race(5, "ws_a"), 1)
      }).pipe(Effect.provide(layerOf(tenAMinute)))
    )

    it.effect("gives them back one by one, evenly over the window, and never more than the limit", () =>
      Effect.gen(function* () {
        yield* race(100)
        yield* TestClock.adjust(5_999)
        assert.strictEqual(yield* race(100), 0)
        yield* TestClock.adjust(1)
        assert.strictEqual(yield* race(100), 1)
        yield* TestClock.adjust("18 seconds")
        assert.strictEqual(yield* race(100), 3)
        yield* TestClock.adjust("1 minute")
        assert.strictEqual(yield* race(100), 10)
        yield* TestClock.adjust("365 days")
        assert.strictEqual(yield* race(100), 10)
      }).pipe(Effect.provide(layerOf(tenAMinute)))
    )

    it.effect("takes nothing from those that it refuses", () =>
      Effect.gen(function* () {
        yield* race(10)
        for (let n = 0; n < 60; n++) {
          assert.strictEqual(yield* race(7), n > 0 && n % 12 === 0 ? 1 : 0, `${n}`)
          yield* TestClock.adjust(500)
        }
      }).pipe(Effect.provide(layerOf(tenAMinute)))
    )

    it.effect("tells in whole seconds when one comes back", () =>
      Effect.gen(function* () {
        yield* race(10)
        assert.strictEqual(yield* refused, 6)
        yield* TestClock.adjust(1)
        assert.strictEqual(yield* refused, 6)
        yield* TestClock.adjust(2_999)
        assert.strictEqual(yield* refused, 3)
        yield* TestClock.adjust(2_999)
        assert.strictEqual(yield* refused, 1)
        yield* TestClock.adjust(1)
        assert.isTrue(Either.isRight(yield* generate()))
      }).pipe(Effect.provide(layerOf(tenAMinute)))
    )

    it.effect.prop(
      "lets one pass that waited as long as it was told to, and none that waited a second less",
      [rates, pauses],
      ([rate, waits]) =>
        Effect.gen(function* () {
          for (const wait of waits) {
            yield* TestClock.adjust(wait)
            if (Either.isRight(yield* generate())) continue
            const retry_after = yield* refused
            assert.isTrue(Number.isInteger(retry_after) && retry_after >= 1)
            yield* TestClock.adjust(Duration.seconds(retry_after - 1))
            if (retry_after > 1) yield* refused
            yield* TestClock.adjust(Duration.seconds(1))
            assert.isTrue(Either.isRight(yield* generate()))
          }
        }).pipe(Effect.provide(layerOf(rate))),
      { fastCheck: { numRuns: 40 } }
    )

    it.effect.prop(
      "lets in no time pass more than the limit and what comes back meanwhile",
      [rates, pauses],
      ([rate, waits]) =>
        Effect.gen(function* () {
          const passed: Array<number> = []
          let now = 0
          for (const wait of waits) {
            yield* TestClock.adjust(wait)
            now += wait
            const count = yield* race(1 + (wait % (rate.limit + 2)))
            for (let n = 0; n < count; n++) passed.push(now)
          }
          const perMillisecond = rate.limit / Duration.toMillis(rate.window)
          for (const [from, first] of passed.entries()) {
            for (let to = from; to < passed.length; to++) {
              const most = rate.limit + (passed[to]! - first) * perMillisecond
              assert.isAtMost(to - from + 1, most + 1e-6)
            }
          }
        }).pipe(Effect.provide(layerOf(rate))),
      { fastCheck: { numRuns: 40 } }
    )

    it.effect("limits the requests of each credential by itself, and tells what is left", () =>
      Effect.gen(function* () {
        const request = (yield* RateLimits).request!
        const first = yield* request("ws_a", "key_1")
        const window = { limit: 4, window: 60 }
        assert.deepStrictEqual(first, { ...window, allowed: true, remaining: 3, reset: 15, retry_after: 0 })
        const racers = yield* Effect.replicateEffect(request("ws_a", "key_1"), 9, {
          concurrency: "unbounded"
        })
        assert.strictEqual(racers.filter(({ allowed }) => allowed).length, 3)
        const none = { ...window, allowed: false, remaining: 0, reset: 60, retry_after: 15 }
        assert.deepStrictEqual(yield* request("ws_a", "key_1"), none)
        assert.isTrue((yield* request("ws_a", "key_2")).allowed)
        assert.isTrue((yield* request("ws_b", "key_1")).allowed)
        yield* TestClock.adjust("15 seconds")
        const again = yield* request("ws_a", "key_1")
        assert.deepInclude(again, { allowed: true, remaining: 0, reset: 60 })
        yield* TestClock.adjust("1 hour")
        assert.deepInclude(yield* request("ws_a", "key_1"), { allowed: true, remaining: 3 })
      }).pipe(Effect.provide(layerOf(tenAMinute, { limit: 4, window: Duration.minutes(1) })))
    )

    it.effect("does not limit requests unless that is set", () =>
      Effect.map(RateLimits, ({ request }) => assert.isNull(request)).pipe(
        Effect.provide(layerOf(tenAMinute))
      )
    )
  })
