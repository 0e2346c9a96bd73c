import { Effect } from "effect"
import { type EntryKind, type LedgerEntry, sum } from "../../core/model/workspaces/Ledger.ts"
import { idsFrom } from "../../core/ports/Ids.ts"
import type { CreditRows } from "../../core/ports/CreditRows.ts"
import type { Database } from "./Database.ts"
import { make as makeTotals } from "./KeptTotals.ts"
import { asIs, changes, filtered, insertRows, pageOf, pick, reader } from "./Statements.ts"

const columns = ["id", "customer_id", "kind", "amount", "reference", "created_at"] as const

const conditions = { kind: "kind = ?", reference: "reference = ?" } as const

/** Each call has movements of these kinds; the others have an index of their own. */
const ofCalls: ReadonlyArray<EntryKind> = ["hold", "settle", "release"]
const rare = `kind not in (${ofCalls.map((kind) => `'${kind}'`).join(", ")})`

/** Times are looked for among the ids, which begin with them. */
const idAt = (at: number | undefined) => (at === undefined ? undefined : idsFrom("led", at))

const sql = {
  balance: "select amount from balances where customer_id = ?",
  move: "update balances set amount = amount + ? where customer_id = ? and amount + ? >= 0",
  open: "insert into balances (customer_id, amount) values (?, ?) on conflict (customer_id) do nothing"
}
const insert = insertRows("ledger", columns)

export const credits = (database: Database["Type"]): CreditRows => {
  const read = reader(database, asIs<LedgerEntry>, { totals: makeTotals(database) })
  /** A workspace without a balance has none to take from: the first movement opens it. */
  const move = (workspace_id: string, amount: number): Effect.Effect<boolean> =>
    amount === 0
      ? Effect.succeed(true)
      : Effect.flatMap(database.run(workspace_id, sql.move, [amount, workspace_id, amount]), (moved) =>
          moved === 1 || amount < 0
            ? Effect.succeed(moved === 1)
            : changes(database, workspace_id, sql.open, [workspace_id, amount])
        )
  const append = (workspace_id: string, entries: ReadonlyArray<LedgerEntry>): Effect.Effect<boolean> =>
    Effect.flatMap(move(workspace_id, sum(entries)), (moved) => {
      if (!moved) return Effect.succeed(false)
      const rows = entries.map((entry) => pick(entry, columns))
      return Effect.as(insert(database, workspace_id, rows, false), true)
    })
  return {
    balance: (workspace_id) =>
      Effect.map(
        database.all<{ readonly amount: number }>(workspace_id, sql.balance, [workspace_id]),
        ([row]) => row?.amount ?? 0
      ),
    append: (workspace_id, entries) => database.unit(workspace_id, append(workspace_id, entries)),
    list: (workspace_id, { created_after, created_before, kind, reference }, page) => {
      const isRare = kind !== undefined && !ofCalls.includes(kind)
      const always = ["customer_id = ?", ...(isRare ? [rare] : [])]
      const { params, where } = filtered(always, conditions, { kind, reference })
      const texts = pageOf({
        table: "ledger",
        columns,
        where,
        order: "id desc",
        prefix: "led",
        since: idAt(created_after),
        until: idAt(created_before)
      })
      return read.page(workspace_id, texts, page, ...params)
    }
  }
}
