import { Clock, Effect } from "effect"
import type { Session } from "../model/conversations/Session.ts"
import type { EntryKind } from "../model/workspaces/Ledger.ts"
import { Ids } from "../ports/Ids.ts"
import { Prices } from "../ports/Prices.ts"
import { Repository } from "../ports/Repository.ts"
import type { Slice } from "../ports/SessionRows.ts"

/**
 * What storing a slice came to. `lost`: another process holds the conversation, and nothing was stored. `unpaid`: it
 * was stored, and the workspace could not pay for all of it.
 */
export type StoredSlice = "stored" | "lost" | "unpaid"

/** Charges what conversations and their reviews cost. */
export const makeTalkCharges = Effect.gen(function* () {
  const { credits, sessions, transaction } = yield* Repository
  const prices = yield* Prices
  const ids = yield* Ids

  const kinds = {
    call: { kind: "conversation", price: prices.conversation_turn },
    trial: { kind: "test", price: prices.turn }
  } as const

  /** Takes an amount that the balance covers, inside the caller's transaction. */
  const charge = Effect.fnUntraced(function* (session: Session, kind: EntryKind, amount: number) {
    if (amount === 0) return
    const { call_id, customer_id, session_id } = session
    const entry = {
      id: yield* ids.make("led"),
      customer_id,
      kind,
      amount: -amount,
      reference: call_id ?? session_id,
      created_at: yield* Clock.currentTimeMillis
    }
    if (!(yield* credits.append(customer_id, [entry]))) {
      return yield* Effect.dieMessage("what a conversation costs overdraws the balance")
    }
    yield* sessions.charge(customer_id, session_id, amount)
  })

  /**
   * Stores a slice of a journal with what the utterances cost that ended in it: an utterance is paid once, whichever
   * process goes on with the conversation. What the balance does not cover is waived.
   */
  const store = (session: Session, slice: Slice, utterances: number): Effect.Effect<StoredSlice> => {
    const { customer_id, session_id } = session
    const { kind, price } = kinds[session.kind]
    const append = sessions.append(customer_id, session_id, slice)
    /** A slice that was stored although its store failed is there when it is stored again, and paid. */
    const instead = Effect.map(sessions.slices(customer_id, session_id, slice.number - 1, 1), ([stored]) =>
      stored?.number === slice.number && stored.body === slice.body ? "stored" : "lost"
    )
    const cost = utterances * price
    if (cost === 0) return Effect.flatMap(append, (did) => (did ? Effect.succeed("stored") : instead))
    return transaction(
      customer_id,
      Effect.gen(function* () {
        if (!(yield* append)) return yield* instead
        const paid = Math.min(cost, yield* credits.balance(customer_id))
        yield* charge(session, kind, paid)
        return paid < cost ? "unpaid" : "stored"
      })
    )
  }

  return { charge, store }
})
