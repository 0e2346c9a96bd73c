import { Layer } from "effect"
import type { ListedNumber } from "../../../core/model/numbers/AvailableNumber.ts"
import {
  type InventoryFailure,
  type InventoryQuery,
  InventoryTimedOut,
  InventoryUnavailable,
  InventoryUnusable,
  NumberInventory
} from "../../../core/ports/NumberInventory.ts"
import { type Answer, errors, lift, type OnError } from "./Lift.ts"

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

const inventoryError = errors<InventoryFailure>(
  [InventoryUnavailable, InventoryTimedOut, InventoryUnusable],
  () => new InventoryUnavailable({ message: "the inventory failed for a reason of its own" })
)

export const layer = ({ search }: Inventory, onError: OnError): Layer.Layer<NumberInventory> =>
  Layer.succeed(NumberInventory, {
    search: (query) =>
      lift(
        async (signal) => {
          const { next, numbers } = await search(query, signal)
          return { numbers, next: next ?? null }
        },
        inventoryError(onError, "inventory.search")
      )
  })
