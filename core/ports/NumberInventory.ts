import { Context, Data, type Effect } from "effect"

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

/** A number that could be bought. Prices are decimal text, in `currency`. */
export interface ListedNumber {
  readonly number: string
  readonly country: string
  readonly region: string
  readonly setup_price: string
  readonly monthly_price: string
  readonly currency: string
  /** Who buys it has to prove an identity or an address. */
  readonly needs_identity: boolean
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
>() {}
