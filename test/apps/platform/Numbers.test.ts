import { ConfigError, ConfigProvider, Effect, Layer } from "effect"
import { assert, describe, it } from "@effect/vitest"
import { inventory } from "../../../apps/platform/Providers.ts"
import { AvailableNumbers } from "../../../core/usecases/AvailableNumbers.ts"

/** What an app of these settings answers when its numbers are listed. */
const browse = (settings: Readonly<Record<string, string>>) =>
  Effect.flatMap(AvailableNumbers, (numbers) => numbers.browse({ country: null, contains: null }, 10)).pipe(
    Effect.provide(Layer.provide(AvailableNumbers.layer, inventory)),
    Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(settings))))
  )

describe("OUTDIAL_NUMBERS", () => {
  it.effect("is simulated by default: there are numbers to browse", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* browse({})).length, 10)
      assert.deepStrictEqual(yield* browse({ OUTDIAL_NUMBERS: "simulated" }), yield* browse({}))
    })
  )

  it.effect("can be none: there is no inventory", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(browse({ OUTDIAL_NUMBERS: "none" }))
      assert.deepInclude(failure, { _tag: "InventoryUnavailable" })
    })
  )

  it.effect("names no other provider", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(browse({ OUTDIAL_NUMBERS: "acme" }))
      assert.isTrue(ConfigError.isConfigError(error))
    })
  )
})
