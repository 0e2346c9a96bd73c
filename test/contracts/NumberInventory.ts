import { assert, layer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import type { ListedNumber } from "../../core/model/numbers/AvailableNumber.ts"
import { type InventoryQuery, NumberInventory } from "../../core/ports/NumberInventory.ts"

/** What an inventory is known to have. */
export interface Stock {
  /** A country in which there are numbers, more than one page of those that contain `contains`. */
  readonly country: string
  /** Digits, at least two, that some tens of the country's numbers contain. */
  readonly contains: string
  /** With which the country's numbers begin. */
  readonly callingCode: string
  /** A country in which there are none. */
  readonly without: string
}

const query = (more: Partial<InventoryQuery>): InventoryQuery => ({
  country: null,
  contains: null,
  cursor: null,
  limit: 100,
  ...more
})

/** All that is found, page by page, and how many numbers each page had. */
const everything = Effect.fnUntraced(function* (more: Partial<InventoryQuery>) {
  const inventory = yield* NumberInventory
  const found: Array<ListedNumber> = []
  const sizes: Array<number> = []
  let cursor: string | null = null
  do {
    const page: Effect.Effect.Success<ReturnType<typeof inventory.search>> = yield* inventory.search(
      query({ ...more, cursor })
    )
    found.push(...page.numbers)
    sizes.push(page.numbers.length)
    cursor = page.next
  } while (cursor !== null)
  return { found, sizes }
})

const numbersOf = (found: ReadonlyArray<ListedNumber>) => found.map(({ number }) => number)

/** What every inventory does, whatever it has. */
export const numberInventoryContract = <E>(
  name: string,
  inventory: Layer.Layer<NumberInventory, E>,
  { callingCode, contains, country, without }: Stock
) =>
  layer(inventory, { excludeTestServices: true })(`NumberInventory: ${name}`, (it) => {
    it.effect("lists numbers of E.164 with their country, and prices as decimal text in a currency", () =>
      Effect.gen(function* () {
        const inventory = yield* NumberInventory
        const { numbers } = yield* inventory.search(query({ country }))
        assert.isNotEmpty(numbers)
        for (const listed of numbers) {
          assert.match(listed.number, /^\+[1-9]\d{1,14}$/)
          assert.isTrue(listed.number.startsWith(`+${callingCode}`))
          assert.strictEqual(listed.country, country)
          assert.isString(listed.region)
          assert.match(listed.setup_price, /^\d+(\.\d+)?$/)
          assert.match(listed.monthly_price, /^\d+(\.\d+)?$/)
          assert.match(listed.currency, /^[A-Z]{3}$/)
          assert.isBoolean(listed.needs_identity)
        }
      })
    )

    it.effect(
      "lists no more than it is asked for, and every number once, whatever the size of its pages",
      () =>
        Effect.gen(function* () {
          const large = yield* everything({ country, contains })
          const numbers = numbersOf(large.found)
          assert.isAbove(numbers.length, 7)
          assert.strictEqual(new Set(numbers).size, numbers.length)
          const small = yield* everything({ country, contains, limit: 7 })
          assert.isTrue(small.sizes.every((size) => size <= 7))
          assert.deepStrictEqual(numbersOf(small.found).sort(), numbers.sort())
        })
    )

    it.effect("lists numbers that contain what is sought; behind a plus sign it is how they begin", () =>
      Effect.gen(function* () {
        const { found } = yield* everything({ country, contains })
        for (const { number } of found) assert.include(number, contains)
        const start = `+${numbersOf(found)[0]!.slice(1, 6)}`
        const beginning = yield* everything({ country, contains: start })
        assert.isNotEmpty(beginning.found)
        for (const { number } of beginning.found) assert.isTrue(number.startsWith(start))
        assert.deepStrictEqual((yield* everything({ country, contains: `+${contains}9999999` })).found, [])
      })
    )

    it.effect("finds a number by all of its digits, and by one of them", () =>
      Effect.gen(function* () {
        const inventory = yield* NumberInventory
        const { numbers } = yield* inventory.search(query({ country, limit: 1 }))
        const number = numbers[0]!.number
        for (const whole of [number, number.slice(1)]) {
          assert.deepStrictEqual(numbersOf((yield* everything({ country, contains: whole })).found), [number])
        }
        const digit = number.at(-1)!
        const page = yield* inventory.search(query({ country, contains: digit }))
        for (const each of numbersOf(page.numbers)) assert.include(each, digit)
      })
    )

    it.effect("has none in a country in which there are none, nor in one that does not exist", () =>
      Effect.gen(function* () {
        const inventory = yield* NumberInventory
        for (const none of [without, "ZZ", "", "../..", "U"]) {
          assert.deepStrictEqual(yield* inventory.search(query({ country: none })), {
            numbers: [],
            next: null
          })
        }
      })
    )

    it.effect("looks wherever it does by itself when no country is named", () =>
      Effect.gen(function* () {
        const inventory = yield* NumberInventory
        assert.isNotEmpty((yield* inventory.search(query({}))).numbers)
      })
    )

    it.effect("has nothing behind a cursor that no page ended with", () =>
      Effect.gen(function* () {
        const inventory = yield* NumberInventory
        for (const cursor of [
          "",
          "nowhere",
          "-1",
          "https://elsewhere.example/",
          "//elsewhere.example",
          "\0"
        ]) {
          assert.deepStrictEqual(yield* inventory.search(query({ country, cursor })), {
            numbers: [],
            next: null
          })
        }
      })
    )

    it.effect("answers requests of the same time each by itself", () =>
      Effect.gen(function* () {
        const alone = numbersOf((yield* everything({ country, contains })).found)
        const all = yield* Effect.forEach(
          Array.from({ length: 20 }, (_, i) => i),
          (i) => everything({ country: i % 2 === 0 ? country : without, contains }),
          { concurrency: "unbounded" }
        )
        all.forEach(({ found }, i) => assert.deepStrictEqual(numbersOf(found), i % 2 === 0 ? alone : []))
      })
    )
  })
