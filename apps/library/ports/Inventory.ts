import { Effect, Layer, Schema } from "effect"
import type { ListedNumber } from "../../../core/model/numbers/AvailableNumber.ts"
import {
  type InventoryFailure,
  type InventoryQuery,
  InventoryTimedOut,
  InventoryUnavailable,
  InventoryUnusable,
  NumberInventory
} from "../../../core/ports/NumberInventory.ts"
import { type Answer, asking, type OnError } from "./Lift.ts"

/**
 * Numbers for sale, page by page; what may not be offered is filtered out afterwards. Throw `InventoryTimedOut` or
 * `InventoryUnusable` to say what went wrong; anything else that is thrown counts as `InventoryUnavailable`.
 */
export interface Inventory {
  readonly search: (
    query: InventoryQuery,
    signal: AbortSignal
  ) => Answer<{
    readonly numbers: ReadonlyArray<ListedNumber>
    /** The `cursor` of the next page; null, or nothing, when there is no more. */
    readonly next?: string | null
  }>
}

const Text = Schema.String
const PageSchema: Schema.Schema<Awaited<ReturnType<Inventory["search"]>>> = Schema.Struct({
  numbers: Schema.Array(
    Schema.Struct({
      number: Text,
      country: Text,
      region: Text,
      setup_price: Text,
      monthly_price: Text,
      currency: Text,
      needs_identity: Schema.Boolean
    })
  ),
  next: Schema.optionalWith(Schema.NullOr(Text), { exact: true })
})

const asked = asking<InventoryFailure>(
  [InventoryUnavailable, InventoryTimedOut, InventoryUnusable],
  () => new InventoryUnavailable({ message: "the inventory failed for a reason of its own" })
)

export const layer = (inventory: Inventory, onError: OnError): Layer.Layer<NumberInventory> => {
  const ask = asked(onError)
  return Layer.succeed(NumberInventory, {
    search: (query) =>
      Effect.map(
        ask("inventory.search", PageSchema, (signal) => inventory.search(query, signal)),
        ({ next, numbers }) => ({ numbers, next: next ?? null })
      )
  })
}
