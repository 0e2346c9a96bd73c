import { Effect, Layer } from "effect"
import { assert, describe, it } from "@effect/vitest"
import * as FastCheck from "effect/FastCheck"
import { parsePhoneNumberFromString } from "libphonenumber-js/max"
import * as Catalogue from "../../../adapters/simulated/numbers/Catalogue.ts"
import { countries } from "../../../adapters/simulated/numbers/Countries.ts"
import { Substrings } from "../../../adapters/simulated/numbers/Substrings.ts"
import * as MemoryInventory from "../../../adapters/simulated/SimulatedInventory.ts"
import type { ListedNumber } from "../../../core/model/numbers/AvailableNumber.ts"
import { NumberInventory } from "../../../core/ports/NumberInventory.ts"
import { AvailableNumbers } from "../../../core/usecases/AvailableNumbers.ts"

const catalogue = Catalogue.make(1)
const all = catalogue.numbers.map((_, place) => catalogue.listed(place))
const substrings = new Substrings(catalogue.numbers)

const inventory = MemoryInventory.layerWith({ seed: 1 })
const searched = <A, E>(effect: Effect.Effect<A, E, NumberInventory>) => Effect.provide(effect, inventory)

/** Every page of a search, one after the other. */
const pages = (country: string | null, contains: string | null, limit = 100) =>
  Effect.gen(function* () {
    const { search } = yield* NumberInventory
    const found: Array<ReadonlyArray<ListedNumber>> = []
    let cursor: string | null = null
    do {
      const page: Effect.Effect.Success<ReturnType<typeof search>> = yield* search({
        country,
        contains,
        cursor,
        limit
      })
      found.push(page.numbers)
      cursor = page.next
    } while (cursor !== null)
    return found
  })

describe("the catalogue", () => {
  it("has a hundred thousand numbers, each once", () => {
    assert.strictEqual(catalogue.numbers.length, 100_000)
    assert.strictEqual(new Set(catalogue.numbers).size, 100_000)
  })

  it("is the same for the same seed, and another for another", () => {
    assert.deepStrictEqual(Catalogue.make(1).numbers, catalogue.numbers)
    assert.notDeepEqual(Catalogue.make(2).numbers.slice(0, 100), catalogue.numbers.slice(0, 100))
  })

  it("has numbers that the numbering plan of their country knows", () => {
    for (const { country, number, region } of all.filter((_, place) => place % 7 === 0)) {
      const parsed = parsePhoneNumberFromString(number)
      assert.isTrue(parsed?.isValid(), `${country} ${region}`)
      assert.strictEqual(parsed?.country, country, region)
    }
  })

  it("has prices as decimal text, regions, and numbers that must not be offered", () => {
    for (const listed of all) {
      assert.match(listed.setup_price, /^\d+\.\d\d$/)
      assert.match(listed.monthly_price, /^\d+\.\d\d$/)
      assert.notStrictEqual(listed.region, "")
    }
    const share = (country: string) => {
      const numbers = all.filter((listed) => listed.country === country)
      return numbers.filter(({ needs_identity }) => needs_identity).length / numbers.length
    }
    for (const { code, identity } of countries) assert.closeTo(share(code), identity, 0.05, code)
    assert.isAbove(all.filter(({ number }) => number.startsWith("+91140")).length, 500)
    assert.isAbove(all.filter(({ number }) => number.startsWith("+911600")).length, 500)
  })
})

describe("the index", () => {
  const digits = (max: number) =>
    FastCheck.stringOf(FastCheck.constantFrom(..."0123456789"), { maxLength: max })
  const piece = FastCheck.tuple(
    FastCheck.nat(99_999),
    FastCheck.nat(12),
    FastCheck.integer({ min: 1, max: 13 })
  ).map(([place, at, length]) => catalogue.numbers[place]!.slice(at, at + length))
  const sought = FastCheck.oneof(
    piece,
    digits(7),
    digits(3).map((rest) => `+${rest}`),
    FastCheck.constantFrom("", "+", "+9", "+91140", "415+", "4a5", "٤١٥", "\uD800", "000000000000")
  )

  it.prop(
    "finds what looking at every number finds, from and to wherever it is asked",
    {
      sought,
      range: FastCheck.tuple(FastCheck.nat(100_000), FastCheck.nat(100_000)),
      most: FastCheck.nat(200)
    },
    ({ most, range: [from, until], sought: text }) => {
      const expected: Array<number> = []
      for (let place = from; place < until && expected.length < most; place++) {
        if (catalogue.numbers[place]!.includes(text)) expected.push(place)
      }
      assert.deepStrictEqual(substrings.find(text, from, until, most), expected)
    },
    { fastCheck: { numRuns: 300 } }
  )

  it("takes at most five megabytes", () => {
    assert.isBelow(substrings.bytes, 5_000_000)
  })
})

describe("NumberInventory in memory", () => {
  it.effect("lists every number of a country, or of all, page by page", () =>
    searched(
      Effect.gen(function* () {
        const sizes = (found: ReadonlyArray<ReadonlyArray<ListedNumber>>) => found.map(({ length }) => length)
        const southAfrica = yield* pages("ZA", null)
        assert.deepStrictEqual(sizes(southAfrica), [100, 100, 100, 100, 100])
        assert.deepStrictEqual(
          southAfrica.flat(),
          all.filter(({ country }) => country === "ZA")
        )
        assert.deepStrictEqual(sizes(yield* pages("ZA", null, 99)), [99, 99, 99, 99, 99, 5])
        assert.deepStrictEqual((yield* pages(null, null)).flat(), all)
      })
    )
  )

  it.effect("finds every number of a country that contains digits, page by page", () =>
    searched(
      Effect.gen(function* () {
        for (const [country, contains] of [
          ["IN", "140"],
          ["IN", "+91140"],
          ["US", "555"],
          ["US", "+1415"],
          ["PL", "7"],
          [null, "1600"]
        ] as const) {
          const expected = all.filter(
            (listed) => (country === null || listed.country === country) && listed.number.includes(contains)
          )
          assert.isNotEmpty(expected)
          assert.deepStrictEqual((yield* pages(country, contains, 7)).flat(), expected)
        }
      })
    )
  )

  it.effect(
    "has nothing of a country that it does not know, or behind a cursor that no page ended with",
    () =>
      searched(
        Effect.gen(function* () {
          const { search } = yield* NumberInventory
          for (const [country, contains, cursor] of [
            ["ZZ", null, null],
            ["ZZ", "1", null],
            ["ZA", "+1", null],
            ["US", null, "99999"],
            [null, "1", "100000"],
            [null, null, "first"],
            [null, "1", "-1"]
          ] as const) {
            const page = yield* search({ country, contains, cursor, limit: 100 })
            assert.deepStrictEqual(page, { numbers: [], next: null })
          }
        })
      )
  )

  it.effect("gives customers nothing restricted, and full pages all the same", () =>
    Effect.gen(function* () {
      const { browse } = yield* AvailableNumbers
      for (const country of [null, ...countries.map(({ code }) => code)]) {
        const found = yield* browse({ country, contains: null }, 100)
        assert.strictEqual(found.length, 100, String(country))
      }
      assert.deepStrictEqual(yield* browse({ country: "IN", contains: "+91140" }, 100), [])
      assert.deepStrictEqual(yield* browse({ country: null, contains: "+911600" }, 100), [])
    }).pipe(Effect.provide(Layer.provide(AvailableNumbers.layer, inventory)))
  )
})
