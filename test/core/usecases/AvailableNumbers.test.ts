import { Cause, Duration, Effect, Exit, Fiber, Layer, Ref, TestClock } from "effect"
import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import type { ListedNumber, Wanted } from "../../../core/model/numbers/AvailableNumber.ts"
import {
  InventoryTimedOut,
  InventoryUnavailable,
  InventoryUnusable,
  notConfigured,
  NumberInventory
} from "../../../core/ports/NumberInventory.ts"
import { AvailableNumbers } from "../../../core/usecases/AvailableNumbers.ts"
import { item, listing, malformed, plain, provider, restricted } from "./Listings.ts"

const any: Wanted = { country: null, contains: null }

const browse = (inventory: Layer.Layer<NumberInventory>, limit = 100, wanted = any) =>
  Effect.flatMap(AvailableNumbers, (numbers) => numbers.browse(wanted, limit)).pipe(
    Effect.provide(Layer.provide(AvailableNumbers.layer, inventory))
  )

const numbersOf = (pages: ReadonlyArray<ReadonlyArray<ListedNumber>>, limit?: number, wanted?: Wanted) =>
  Effect.map(browse(provider(pages).layer, limit, wanted), (found) => found.map(({ number }) => number))

/** Distinct good numbers. */
const good = (count: number, from = 0) =>
  Array.from({ length: count }, (_, i) => listing(`+1415${5_550_000 + from + i}`))

const split = <A>(items: ReadonlyArray<A>, size: number) =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size))

/** Up to twenty pages of good and bad listings, some of them twice. */
const inventory = FastCheck.tuple(
  FastCheck.constantFrom(null, "US", "IN"),
  FastCheck.integer({ min: 1, max: 30 })
).chain(([country, size]) =>
  FastCheck.array(item(country), { maxLength: size * 20 - 3 }).map((items) => ({
    country,
    size,
    items: [...items, ...items.slice(0, 3)]
  }))
)

describe("numbers for sale", () => {
  it.effect("are shown with their fields, the type of number being null", () =>
    Effect.gen(function* () {
      const listed = { ...listing("+14155550123"), needs_identity: false, sid: "PN1" }
      assert.deepStrictEqual(yield* browse(provider([[listed]]).layer), [
        {
          number: "+14155550123",
          country: "US",
          region: "California",
          number_type: null,
          setup_price: "0.00",
          monthly_price: "1.15",
          currency: "USD"
        }
      ])
    })
  )

  it.effect.prop(
    "are those of the provider that may be offered, in its order, each once, until there are enough",
    { inventory, limit: FastCheck.integer({ min: 1, max: 100 }) },
    ({ inventory: { country, items, size }, limit }) =>
      Effect.gen(function* () {
        const pages = split(
          items.map(({ listed }) => listed),
          size
        )
        const expected = [...new Set(items.flatMap(({ number }) => number ?? []))].slice(0, limit)
        assert.deepStrictEqual(yield* numbersOf(pages, limit, { country, contains: null }), expected)
      }),
    { fastCheck: { numRuns: 100 } }
  )

  it.effect.prop(
    "never belong to India's restricted series, however the provider writes them",
    { numbers: FastCheck.array(restricted, { minLength: 1, maxLength: 20 }) },
    ({ numbers }) =>
      Effect.map(numbersOf([numbers.map((number) => listing(number, { country: "IN" }))]), (found) =>
        assert.deepStrictEqual(found, [])
      )
  )

  it.effect.each([
    "+911401234567",
    "+91 140 123 4567",
    "+91-(140)-1234567",
    "+91 (0) 140 1234567",
    "+9101401234567",
    "+91\u00A01600\u2011123456",
    "+91\u200B1600123456",
    "\uFF0B\uFF19\uFF11\uFF11\uFF14\uFF101234567",
    "0091 140 1234567",
    "911401234567",
    "tel:+911401234567"
  ])("never are %j", (number) =>
    Effect.map(numbersOf([[listing(number, { country: "IN" })]]), (found) =>
      assert.deepStrictEqual(found, [])
    )
  )

  it.effect("may begin like the restricted series in another country, or elsewhere in India", () =>
    Effect.gen(function* () {
      const numbers = ["+14001234567", "+441400123456", "+16001234567", "+911412345678", "+911601234567"]
      assert.deepStrictEqual(yield* numbersOf([numbers.map((number) => listing(number))]), numbers)
    })
  )

  it.effect.prop("are strict E.164", { numbers: FastCheck.array(malformed) }, ({ numbers }) =>
    Effect.map(numbersOf([numbers.map((number) => listing(number))]), (found) =>
      assert.deepStrictEqual(found, [])
    )
  )

  it.effect("lose what a provider sets between the digits, and are not guessed at", () =>
    Effect.gen(function* () {
      const listed = ["+44 (20) 7946-0958", "+442079460958", "+33 6.12/34.56.78", "+44 (0)20 79460959"].map(
        (number) => listing(number)
      )
      assert.deepStrictEqual(yield* numbersOf([listed]), ["+442079460958", "+33612345678"])
    })
  )

  it.effect.prop(
    "contain the digits that were asked for, whatever the provider answers",
    { numbers: FastCheck.array(plain, { minLength: 1 }), at: FastCheck.nat(8) },
    ({ at, numbers }) =>
      Effect.gen(function* () {
        const contains = numbers[0]!.slice(at, at + 3)
        const found = yield* numbersOf([numbers.map((number) => listing(number))], 100, {
          country: null,
          contains
        })
        const expected = [...new Set(numbers)].filter((number) => number.includes(contains))
        assert.deepStrictEqual(found, expected.slice(0, 100))
      })
  )

  it.effect("are of the country that was asked for, in capitals, whatever the provider answers", () =>
    Effect.gen(function* () {
      const listed = [
        listing("+14155550100"),
        listing("+14165550100", { country: "CA" }),
        listing("+14165550101", { country: "ca" })
      ]
      const found = yield* browse(provider([listed]).layer, 100, { country: "CA", contains: null })
      assert.deepStrictEqual(
        found.map(({ country, number }) => [number, country]),
        [
          ["+14165550100", "CA"],
          ["+14165550101", "CA"]
        ]
      )
    })
  )
})

describe("a provider's pages", () => {
  it.effect("are asked for with the filters, in turn, and no further than needed", () =>
    Effect.gen(function* () {
      const { layer, queries } = provider([good(2), good(2, 2), good(2, 4)])
      const wanted = { country: "US", contains: "415" }
      assert.strictEqual((yield* browse(layer, 3, wanted)).length, 3)
      assert.deepStrictEqual(queries, [
        { ...wanted, cursor: null, limit: 100 },
        { ...wanted, cursor: "1", limit: 100 }
      ])
    })
  )

  it.effect("of which some are empty do not end the search", () =>
    Effect.gen(function* () {
      const found = yield* numbersOf([[], [listing("+911401234567")], [], good(3)], 3)
      assert.strictEqual(found.length, 3)
    })
  )

  it.effect("that go round in a circle are read twenty times at most", () =>
    Effect.gen(function* () {
      const asked = yield* Ref.make(0)
      const circle = Layer.succeed(NumberInventory, {
        search: () =>
          Effect.as(
            Ref.update(asked, (n) => n + 1),
            { numbers: good(2), next: "again" }
          )
      })
      assert.strictEqual((yield* browse(circle)).length, 2)
      assert.strictEqual(yield* Ref.get(asked), 20)
    })
  )

  it.effect("that stay away after the first are done without", () =>
    Effect.gen(function* () {
      for (const failure of [
        new InventoryUnavailable({ message: "down" }),
        new InventoryTimedOut({ message: "slow" }),
        new InventoryUnusable({ message: "odd" })
      ]) {
        const found = yield* browse(provider([good(2), Effect.fail(failure)]).layer)
        assert.strictEqual(found.length, 2)
      }
    })
  )

  it.effect("that fail before a number was found are the failure", () =>
    Effect.gen(function* () {
      for (const failure of [
        new InventoryUnavailable({ message: "down" }),
        new InventoryTimedOut({ message: "slow" }),
        new InventoryUnusable({ message: "odd" })
      ]) {
        for (const pages of [[Effect.fail(failure)], [[listing("+911401234567")], Effect.fail(failure)]]) {
          const told = yield* Effect.flip(browse(provider(pages).layer))
          assert.deepInclude(told, { _tag: failure._tag, message: failure.message })
        }
      }
    })
  )

  it.effect("that break are a defect, even when numbers were found", () =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(browse(provider([good(1), Effect.die("broken")]).layer))
      assert.isTrue(Exit.isFailure(exit) && Cause.isDie(exit.cause))
    })
  )

  it.effect("that take more than ten seconds are left: what was found by then is the answer", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.fork(browse(provider([good(2), Effect.never]).layer))
      yield* TestClock.adjust(Duration.millis(9_999))
      assert.isNull(fiber.unsafePoll())
      yield* TestClock.adjust(Duration.millis(1))
      assert.strictEqual((yield* Fiber.join(fiber)).length, 2)
    })
  )

  it.effect("of which none comes within ten seconds time out, even where nothing can interrupt them", () =>
    Effect.gen(function* () {
      const stuck = provider([Effect.uninterruptible(Effect.never)])
      const fiber = yield* Effect.fork(Effect.flip(browse(stuck.layer)))
      yield* TestClock.adjust(Duration.seconds(10))
      assert.instanceOf(yield* Fiber.join(fiber), InventoryTimedOut)
    })
  )
})

describe("an app without a provider", () => {
  it.effect("has no inventory: every search fails", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(browse(NumberInventory.layerNone))
      assert.deepInclude(failure, { _tag: "InventoryUnavailable", message: notConfigured })
    })
  )
})
