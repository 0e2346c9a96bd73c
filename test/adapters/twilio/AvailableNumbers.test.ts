import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Fiber, Layer, Queue, Redacted, TestClock } from "effect"
import * as Inventory from "../../../adapters/twilio/NumberInventory.ts"
import { type InventoryQuery, NumberInventory } from "../../../core/ports/NumberInventory.ts"
import { json } from "../../Listener.ts"
import { inventoryOf, serveNumbers } from "./NumberServer.ts"
import { type Asked, authToken, failure } from "./TwilioServer.ts"

const query = (more: Partial<InventoryQuery> = {}): InventoryQuery => ({
  country: "US",
  contains: null,
  cursor: null,
  limit: 10,
  ...more
})

const rig = Effect.fnUntraced(function* (more: Partial<Inventory.Options> = {}) {
  const server = yield* serveNumbers
  const context = yield* Layer.build(Inventory.layer(inventoryOf(server, more)))
  return { ...server, inventory: Context.get(context, NumberInventory) }
})

const isPricing = ({ path }: Asked) => path.startsWith("/v1/")
const tagOf = <A, E extends { readonly _tag: string }>(effect: Effect.Effect<A, E>) =>
  Effect.match(effect, { onSuccess: () => "Found", onFailure: ({ _tag }) => _tag })

describe("numbers for sale at Twilio", () => {
  it.scopedLive("have Twilio's own price, and need an identity where Twilio wants an address", () =>
    Effect.gen(function* () {
      const { asked, inventory } = yield* rig()
      const { numbers } = yield* inventory.search(query())
      assert.deepStrictEqual(
        numbers.slice(0, 4),
        [
          ["+14155550000", "CA", false],
          ["+14155557919", "Springfield", false],
          ["+14155555838", "CA", false],
          ["+14155553757", "", true]
        ].map(([number, region, needs_identity]) => ({
          number,
          country: "US",
          region,
          setup_price: "0.00",
          monthly_price: "1.10",
          currency: "USD",
          needs_identity
        })) as never
      )
      assert.strictEqual(asked[0]!.query.get("VoiceEnabled"), "true")
      const british = yield* inventory.search(query({ country: "gb", limit: 1 }))
      assert.deepInclude(british.numbers[0], { country: "GB", monthly_price: "1.15", currency: "USD" })
    })
  )

  it.scopedLive("are looked for in the country that is set when none is named", () =>
    Effect.gen(function* () {
      const { inventory } = yield* rig({ country: "GB" })
      const { numbers } = yield* inventory.search(query({ country: null }))
      assert.strictEqual(numbers[0]?.country, "GB")
    })
  )

  it.scoped("have prices that are asked for once by many, kept for an hour, and then asked for anew", () =>
    Effect.gen(function* () {
      const { asked, inventory } = yield* rig()
      const pricesAsked = () => asked.filter(isPricing).length
      yield* Effect.forEach(Array.from({ length: 50 }), () => inventory.search(query()), {
        concurrency: "unbounded"
      })
      assert.strictEqual(pricesAsked(), 1)
      yield* inventory.search(query({ country: "GB" }))
      assert.strictEqual(pricesAsked(), 2)
      yield* TestClock.adjust("59 minutes")
      yield* inventory.search(query())
      assert.strictEqual(pricesAsked(), 2)
      yield* TestClock.adjust("2 minutes")
      yield* inventory.search(query())
      assert.strictEqual(pricesAsked(), 3)
    })
  )

  it.scopedLive("have prices for the requests that still wait when the first is broken off", () =>
    Effect.gen(function* () {
      const { asked, inventory, others } = yield* rig()
      const waiting = yield* Queue.unbounded<Asked>()
      others.unshift((each) => {
        if (isPricing(each)) waiting.unsafeOffer(each)
        return isPricing(each)
      })
      const first = yield* Effect.fork(inventory.search(query()))
      const held = yield* Queue.take(waiting)
      const second = yield* Effect.fork(inventory.search(query()))
      yield* Fiber.interrupt(first)
      json(held, 200, {
        price_unit: "USD",
        phone_number_prices: [{ number_type: "local", current_price: "9" }]
      })
      assert.strictEqual((yield* Fiber.join(second)).numbers[0]?.monthly_price, "9")
      assert.strictEqual(asked.filter(isPricing).length, 1)
    })
  )

  it.scopedLive("are unavailable when nothing can be reached, and while Twilio wants to be left alone", () =>
    Effect.gen(function* () {
      const gone = yield* Effect.scoped(Effect.map(serveNumbers, ({ url }) => url))
      for (const more of [{ url: gone }, { pricingUrl: gone }, { url: "http://numbers.invalid" }]) {
        const { inventory } = yield* rig(more)
        assert.strictEqual(yield* tagOf(inventory.search(query())), "InventoryUnavailable")
      }
      for (const status of [429, 503]) {
        const { inventory, others } = yield* rig()
        others.unshift((each) => {
          failure(each, status, 20_429)
          return true
        })
        assert.strictEqual(yield* tagOf(inventory.search(query())), "InventoryUnavailable")
      }
      const { inventory, others } = yield* rig()
      others.unshift(({ response }) => {
        response.destroy()
        return true
      })
      assert.strictEqual(yield* tagOf(inventory.search(query())), "InventoryUnavailable")
    })
  )

  it.scopedLive("time out when numbers or prices do not come in time, slow drips included", () =>
    Effect.gen(function* () {
      const silences: ReadonlyArray<(asked: Asked) => boolean> = [
        () => true,
        isPricing,
        ({ response }) => {
          response.writeHead(200)
          response.write('{"available_phone_numbers":[')
          return true
        }
      ]
      for (const silent of silences) {
        const { inventory, others } = yield* rig({ timeout: "200 millis" })
        others.unshift(silent)
        assert.strictEqual(yield* tagOf(inventory.search(query())), "InventoryTimedOut")
      }
    })
  )

  const nonsense: Readonly<Record<string, (asked: Asked) => void>> = {
    "is not JSON": ({ response }) => response.end("<html>"),
    "has another shape": (asked) => json(asked, 200, { available_phone_numbers: [{ number: 1 }] }),
    "is an error of the server": (asked) => json(asked, 500, {}),
    "is a redirect": ({ response }) => response.writeHead(302, { location: "/elsewhere" }).end(),
    "turns the account away": (asked) => failure(asked, 401, 20_003)
  }
  for (const [what, behave] of Object.entries(nonsense)) {
    it.scopedLive(`are unusable when the answer ${what}, be it of numbers or of prices`, () =>
      Effect.gen(function* () {
        for (const isMeant of [() => true, isPricing]) {
          const { inventory, others } = yield* rig()
          others.unshift((each) => {
            if (isMeant(each)) behave(each)
            return isMeant(each)
          })
          const failed = yield* Effect.flip(inventory.search(query({ contains: "4155550" })))
          assert.strictEqual(failed._tag, "InventoryUnusable")
          assert.notInclude(failed.message, "415555")
        }
      })
    )
  }

  it.scopedLive("are unusable without a price, and found again once there is one", () =>
    Effect.gen(function* () {
      const { inventory, others } = yield* rig()
      let price_unit = "dollars"
      others.unshift((each) => {
        if (isPricing(each)) {
          json(each, 200, {
            price_unit,
            phone_number_prices: [{ number_type: "local", base_price: "1.15", current_price: null }]
          })
        }
        return isPricing(each)
      })
      assert.strictEqual(yield* tagOf(inventory.search(query())), "InventoryUnusable")
      price_unit = "USD"
      assert.strictEqual((yield* inventory.search(query())).numbers[0]?.monthly_price, "1.15")
    })
  )

  it.scopedLive(
    "are asked for with the account's credentials, which go to no address that an answer names",
    () =>
      Effect.gen(function* () {
        const elsewhere = yield* serveNumbers
        const { asked, inventory, others } = yield* rig({ password: Redacted.make(authToken) })
        yield* inventory.search(query())
        assert.isTrue(asked.every(({ headers }) => headers.authorization?.startsWith("Basic ")))
        others.unshift((each) => {
          json(each, 200, {
            available_phone_numbers: [],
            next_page_uri: `${elsewhere.url}/2010-04-01/Accounts/AC1/AvailablePhoneNumbers/US/Local.json`
          })
          return true
        })
        const { next } = yield* inventory.search(query())
        assert.deepStrictEqual(yield* inventory.search(query({ cursor: next })), { numbers: [], next: null })
        assert.strictEqual(elsewhere.asked.length, 0)
      })
  )
})
