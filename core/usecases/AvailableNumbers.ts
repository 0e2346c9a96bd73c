import { Context, Effect, Layer } from "effect"
import { second } from "../model/Codecs.ts"
import { type AvailableNumber, offered, type Wanted } from "../model/numbers/AvailableNumber.ts"
import { type InventoryFailure, InventoryTimedOut, NumberInventory } from "../ports/NumberInventory.ts"

/** The largest page that a provider is asked for: most of one may be of no use. */
const pageSize = 100
const maxRequests = 20
const maxMillis = 10 * second

const make = Effect.gen(function* () {
  const inventory = yield* NumberInventory

  const fill = Effect.fnUntraced(function* (
    found: Map<string, AvailableNumber>,
    wanted: Wanted,
    limit: number
  ) {
    let cursor: string | null = null
    for (let requests = 0; requests < maxRequests; requests++) {
      const page: Effect.Effect.Success<ReturnType<typeof inventory.search>> = yield* inventory.search({
        ...wanted,
        cursor,
        limit: pageSize
      })
      for (const listed of page.numbers) {
        const number = offered(listed, wanted)
        if (number !== null && !found.has(number.number)) found.set(number.number, number)
        if (found.size === limit) return
      }
      if (page.next === null) return
      cursor = page.next
    }
  })

  const browse: AvailableNumbersShape["browse"] = Effect.fn("AvailableNumbers.browse")(
    function* (wanted, limit) {
      const found = new Map<string, AvailableNumber>()
      yield* fill(found, wanted, limit).pipe(
        Effect.disconnect,
        Effect.timeoutFail({
          duration: maxMillis,
          onTimeout: () => new InventoryTimedOut({ message: "the pages did not come in time" })
        }),
        Effect.catchAll((failure) => (found.size > 0 ? Effect.void : Effect.fail(failure)))
      )
      return [...found.values()]
    }
  )

  return AvailableNumbers.of({ browse })
})

export interface AvailableNumbersShape {
  /**
   * Up to `limit` (1 to 100) numbers, in the provider's order, each once. Pages are read until there are enough,
   * within 20 requests and ten seconds. What was found by then is the answer; when a page fails, or time is up,
   * before anything was found, that is the failure.
   */
  readonly browse: (
    wanted: Wanted,
    limit: number
  ) => Effect.Effect<ReadonlyArray<AvailableNumber>, InventoryFailure>
}

/** The numbers that could be bought: what a provider lists, less what may not be offered. */
export class AvailableNumbers extends Context.Tag("outdial/AvailableNumbers")<
  AvailableNumbers,
  AvailableNumbersShape
>() {
  static readonly layer = Layer.effect(this, make)
}
