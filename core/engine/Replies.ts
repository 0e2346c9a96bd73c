import { Context, Effect, Layer } from "effect"
import type { Reply } from "../ports/MessageSender.ts"
import { Repository } from "../ports/Repository.ts"

const make = Effect.gen(function* () {
  const { phoneNumbers, recipients, transaction } = yield* Repository

  const receive: RepliesShape["receive"] = Effect.fn("Replies.receive")(function* ({
    at,
    from_number,
    to_number
  }) {
    const holders = yield* phoneNumbers.holders(to_number)
    yield* Effect.forEach(
      holders,
      ({ customer_id, id }) => transaction(recipients.heard(customer_id, id, from_number, at)),
      { discard: true }
    )
  })

  return Replies.of({ receive })
})

export interface RepliesShape {
  /**
   * A customer has sent a message to a number of ours: whoever sent that customer messages from it knows when, and
   * that a service window is open. Late, twice and out of order change nothing wrongly: the latest counts.
   */
  readonly receive: (reply: Reply) => Effect.Effect<void>
}

/** What customers send back. */
export class Replies extends Context.Tag("outdial/Replies")<Replies, RepliesShape>() {
  static readonly layer = Layer.effect(this, make)
}
