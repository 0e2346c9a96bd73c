import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Either, Layer, TestClock } from "effect"
import { Buckets, layer, layerConfig } from "../../../adapters/memory/RateLimits.ts"
import { RateLimits } from "../../../core/ports/RateLimits.ts"
import { rateLimitsContract } from "../../contracts/RateLimits.ts"

rateLimitsContract("in memory", layer)

const tenAMinute = { limit: 10, window: "1 minute" } as const
const perToken = 6_000_000_000

/** Takes a token if there is one. Answers how many are left; below zero, how many it lacks. */
const take = (buckets: Buckets, key: string, now: number) => buckets.take(key, now) / perToken

describe("Buckets", () => {
  it("keeps those alone that were used within the window, whatever their number", () => {
    const buckets = new Buckets(tenAMinute)
    for (let n = 0; n < 100_000; n++) {
      take(buckets, `ws_${n}`, n * 10)
      if (n % 1_000 === 0) assert.isAtMost(buckets.size, 6_000)
    }
    take(buckets, "ws_0", 100_000 * 10 + 60_000)
    assert.strictEqual(buckets.size, 1)
  })

  it("keeps one until it is full again", () => {
    const buckets = new Buckets(tenAMinute)
    for (let n = 0; n < 10; n++) take(buckets, "busy", 0)
    take(buckets, "idle", 1)
    assert.isBelow(take(buckets, "busy", 5_999), 0)
    take(buckets, "other", 59_999)
    assert.strictEqual(buckets.size, 2)
    assert.closeTo(take(buckets, "busy", 59_999), 9, 1e-3)
    take(buckets, "other", 66_000)
    assert.strictEqual(buckets.size, 1)
  })

  it("gives nothing back when the clock is set back, and takes nothing more", () => {
    const buckets = new Buckets(tenAMinute)
    for (let n = 0; n < 10; n++) take(buckets, "a", 3_600_000)
    assert.strictEqual(take(buckets, "a", 0), -1)
    assert.strictEqual(take(buckets, "a", 3_000), -0.5)
    assert.strictEqual(take(buckets, "a", 6_000), 0)
  })
})

const settings = (values: Record<string, string>) =>
  Layer.provide(layerConfig, Layer.setConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(values)))))

const passing = (racers: number) =>
  Effect.gen(function* () {
    const { generation } = yield* RateLimits
    const answers = yield* Effect.replicateEffect(Effect.either(generation("ws_a")), racers)
    return answers.filter(Either.isRight).length
  })

describe("the settings of RateLimits", () => {
  it.effect("are ten a minute when there are none", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* passing(20), 10)
      yield* TestClock.adjust("30 seconds")
      assert.strictEqual(yield* passing(20), 5)
    }).pipe(Effect.provide(settings({})))
  )

  it.effect("set limit and window", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* passing(20), 3)
      yield* TestClock.adjust("40 minutes")
      assert.strictEqual(yield* passing(20), 2)
    }).pipe(Effect.provide(settings({ OUTDIAL_GENERATION_LIMIT: "3", OUTDIAL_GENERATION_WINDOW: "1 hour" })))
  )

  for (const [name, value] of [
    ["OUTDIAL_GENERATION_LIMIT", "0"],
    ["OUTDIAL_GENERATION_LIMIT", "2.5"],
    ["OUTDIAL_GENERATION_LIMIT", "1000001"],
    ["OUTDIAL_GENERATION_WINDOW", "0 seconds"],
    ["OUTDIAL_GENERATION_WINDOW", "31 days"],
    ["OUTDIAL_GENERATION_WINDOW", "Infinity"],
    ["OUTDIAL_GENERATION_WINDOW", "soon"]
  ] as const) {
    it.effect(`refuse ${value} as ${name}`, () =>
      Effect.gen(function* () {
        const built = yield* Effect.either(Effect.scoped(Layer.build(settings({ [name]: value }))))
        assert.isTrue(Either.isLeft(built))
        assert.include(String(Either.getOrThrow(Either.flip(built))), name)
      })
    )
  }
})
