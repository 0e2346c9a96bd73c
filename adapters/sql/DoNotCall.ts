import { Effect } from "effect"
import type { DoNotCallRows } from "../../core/ports/DoNotCallRows.ts"
import type { Database } from "./Database.ts"
import { asIs, changes, pageOf, placeholders, reader, sought } from "./Statements.ts"

const pageWhere = (where: string) =>
  pageOf({
    table: "do_not_call",
    key: ["customer_id", "number"],
    columns: ["number", "created_at"],
    where,
    order: "created_at desc, number desc"
  })

const sql = {
  add:
    "insert into do_not_call (customer_id, number, created_at) values (?, ?, ?) " +
    "on conflict (customer_id, number) do nothing",
  contains: "select 1 as found from do_not_call where customer_id = ? and number = ?",
  among: `select number from do_not_call where customer_id = ? and number in ${placeholders}`,
  remove: "delete from do_not_call where customer_id = ? and number = ?",
  page: pageWhere("customer_id = ?"),
  pageOfNumber: pageWhere("customer_id = ? and number = ?")
}

export const doNotCall = (database: Database["Type"]): DoNotCallRows => {
  const read = reader(database, asIs<{ readonly number: string; readonly created_at: number }>)
  const add = Effect.fnUntraced(function* (workspace_id: string, numbers: ReadonlyArray<string>, at: number) {
    let added = 0
    for (const number of numbers)
      added += yield* database.run(workspace_id, sql.add, [workspace_id, number, at])
    return added
  })
  return {
    add: (workspace_id, numbers, at) => database.unit(workspace_id, add(workspace_id, numbers, at)),
    contains: (workspace_id, number) =>
      Effect.map(database.all(workspace_id, sql.contains, [workspace_id, number]), (rows) => rows.length > 0),
    among: (workspace_id, numbers) =>
      Effect.map(
        sought<{ readonly number: string }>(database, workspace_id, sql.among, numbers),
        (rows) => new Set(rows.map(({ number }) => number))
      ),
    remove: (workspace_id, number) => changes(database, workspace_id, sql.remove, [workspace_id, number]),
    list: (workspace_id, { phone_number, ...page }) =>
      phone_number === undefined
        ? read.page(workspace_id, sql.page, page)
        : read.page(workspace_id, sql.pageOfNumber, page, phone_number)
  }
}
