import { Context, Layer } from "effect"

export interface PriceList {
  /** A started minute of talk. */
  readonly minute: number
  /** A message that was sent. */
  readonly message: number
  /** A generated test scenario. */
  readonly scenario: number
  /** An utterance of a test run, the agent's or the persona's; of the agent where a person tries it out. */
  readonly turn: number
  /** An utterance of the agent in the conversation of a call. */
  readonly conversation_turn: number
  /** The review of a call. */
  readonly review: number
}

/** What things cost, in whole credits. */
export class Prices extends Context.Tag("outdial/Prices")<Prices, PriceList>() {
  static readonly layer = (prices: PriceList) => Layer.succeed(this, prices)
}
