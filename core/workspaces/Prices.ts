import { Context, Layer } from "effect"

/** What things cost, in whole credits. */
export class Prices extends Context.Tag("outdial/Prices")<Prices, { readonly minute: number }>() {
  static readonly layer = (prices: { readonly minute: number }) => Layer.succeed(this, prices)
}
