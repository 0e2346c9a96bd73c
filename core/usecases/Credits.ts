import { Clock, Context, Effect, Layer } from "effect"
import type { Page, PageRequest } from "../model/Page.ts"
import type { LedgerEntry } from "../model/workspaces/Ledger.ts"
import { InsufficientCredits } from "../model/workspaces/WorkspaceErrors.ts"
import type { LedgerFilter } from "../ports/CreditRows.ts"
import { Ids } from "../ports/Ids.ts"
import { Repository } from "../ports/Repository.ts"

const make = Effect.gen(function* () {
  const repository = yield* Repository
  const ids = yield* Ids

  const topUp: CreditsShape["topUp"] = Effect.fn("Credits.topUp")(
    function* (workspace_id, amount, reference) {
      const entry: LedgerEntry = {
        id: yield* ids.make("led"),
        customer_id: workspace_id,
        kind: "top_up",
        amount,
        reference,
        created_at: yield* Clock.currentTimeMillis
      }
      return yield* repository.transaction(
        workspace_id,
        Effect.gen(function* () {
          const added = yield* repository.credits.append(workspace_id, [entry])
          const balance = yield* repository.credits.balance(workspace_id)
          return added ? balance : yield* new InsufficientCredits({ required: -amount, balance })
        })
      )
    }
  )

  return Credits.of({ topUp, balance: repository.credits.balance, ledger: repository.credits.list })
})

export interface CreditsShape {
  readonly balance: (workspace_id: string) => Effect.Effect<number>
  readonly ledger: (
    workspace_id: string,
    filter: LedgerFilter,
    page: PageRequest
  ) => Effect.Effect<Page<LedgerEntry>>
  /** Adds credits (takes them, when negative) and answers the new balance. */
  readonly topUp: (
    workspace_id: string,
    amount: number,
    reference: string | null
  ) => Effect.Effect<number, InsufficientCredits>
}

/** A workspace's credits: a ledger whose sum is the balance. */
export class Credits extends Context.Tag("outdial/Credits")<Credits, CreditsShape>() {
  static readonly layer = Layer.effect(this, make)
}
