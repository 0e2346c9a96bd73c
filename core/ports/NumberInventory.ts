import { Context, Data, Effect, Layer } from "effect"
import type { ListedNumber } from "../model/numbers/AvailableNumber.ts"

/** What is looked for. */
export interface InventoryQuery {
  /** ISO 3166 alpha-2, as the provider understands it; null: wherever the provider looks by itself. */
  readonly country: string | null
  /** Digits, with or without a leading +, that the number contains. */
  readonly contains: string | null
  /** Where the page before ended; null for the first. */
  readonly cursor: string | null
  /** 1 to 100 */
  readonly limit: number
}

/** No provider is configured, or it cannot be reached. */
export class InventoryUnavailable extends Data.TaggedError("InventoryUnavailable")<{
  readonly message: string
}> {}
/** The provider did not answer in time. */
export class InventoryTimedOut extends Data.TaggedError("InventoryTimedOut")<{ readonly message: string }> {}
/** The provider answered with something that cannot be understood. */
export class InventoryUnusable extends Data.TaggedError("InventoryUnusable")<{ readonly message: string }> {}
export type InventoryFailure = InventoryUnavailable | InventoryTimedOut | InventoryUnusable

/** What an inventory says that is not there at all. */
export const notConfigured = "no number inventory is configured"

/** Numbers that could be bought, page by page, as a provider lists them: nothing is filtered out yet. */
export class NumberInventory extends Context.Tag("outdial/NumberInventory")<
  NumberInventory,
  {
    readonly search: (query: InventoryQuery) => Effect.Effect<
      {
        readonly numbers: ReadonlyArray<ListedNumber>
        /** Where the next page begins; null when there is no more. */
        readonly next: string | null
      },
      InventoryFailure
    >
  }
>() {
  /** For an app without a provider: every search fails. */
  static readonly layerNone: Layer.Layer<NumberInventory> = Layer.succeed(this, {
    search: () => Effect.fail(new InventoryUnavailable({ message: notConfigured }))
  })
}
