import { Effect } from "effect"
import type { DoNotCallRows } from "../../core/ports/Repository.ts"
import type { Database } from "./Database.ts"
import { asIs, readPage } from "./Statements.ts"

const sql = {
  add:
    "insert into do_not_call (customer_id, number, created_at) values (?, ?, ?) " +
    "on conflict (customer_id, number) do nothing",
  contains: "select 1 as found from do_not_call where customer_id = ? and number = ?",
  remove: "delete from do_not_call where customer_id = ? and number = ?",
  // The index of the list holds all of a row.
  page: {
    count: "select count(*) as total from do_not_call where customer_id = ?",
    rows:
      "select number, created_at from do_not_call where customer_id = ? " +
      "order by created_at desc, number desc limit ? offset ?"
  }
}

export const doNotCall = (database: Database["Type"]): DoNotCallRows => {
  const add = Effect.fnUntraced(function* (workspace_id: string, numbers: ReadonlyArray<string>, at: number) {
    let added = 0
    for (const number of numbers) added += yield* database.run(sql.add, [workspace_id, number, at])
    return added
  })
  return {
    add: (workspace_id, numbers, at) => database.unit(add(workspace_id, numbers, at)),
    contains: (workspace_id, number) =>
      Effect.map(database.all(sql.contains, [workspace_id, number]), (rows) => rows.length > 0),
    remove: (workspace_id, number) =>
      Effect.map(database.run(sql.remove, [workspace_id, number]), (changed) => changed === 1),
    list: (workspace_id, page) =>
      readPage(
        database,
        sql.page,
        [workspace_id],
        page,
        asIs<{ readonly number: string; readonly created_at: number }>
      )
  }
}
