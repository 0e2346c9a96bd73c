import { Effect, Layer } from "effect"
import { InventoryUnavailable, NumberInventory } from "../ports/NumberInventory.ts"

/** What an inventory says that is not there at all. */
export const notConfigured = "no number inventory is configured"

/** For an app without a provider: every search fails. */
export const layer: Layer.Layer<NumberInventory> = Layer.succeed(NumberInventory, {
  search: () => Effect.fail(new InventoryUnavailable({ message: notConfigured }))
})
