import { Effect } from "effect"
import type { DoNotCallRows } from "../../core/ports/Repository.ts"
import type { Database } from "./Database.ts"
import { asIs, readPage } from "./Statements.ts"

/** Numbers looked for by one statement. */
const together = 100

const sql = {
  add:
    "insert into do_not_call (customer_id, number, created_at) values (?, ?, ?) " +
    "on conflict (customer_id, number) do nothing",
  contains: "select 1 as found from do_not_call where customer_id = ? and number = ?",
  among:
    "select number from do_not_call where customer_id = ? and number in " +
    `(${Array.from({ length: together }, () => "?").join(", ")})`,
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
    for (const number of numbers)
      added += yield* database.run(workspace_id, sql.add, [workspace_id, number, at])
    return added
  })
  const among = Effect.fnUntraced(function* (workspace_id: string, numbers: ReadonlyArray<string>) {
    const found = new Set<string>()
    for (let start = 0; start < numbers.length; start += together) {
      // The text has room for a full slice: the last number fills it.
      const sought = Array.from({ length: together }, (_, n) => numbers[start + n] ?? numbers.at(-1)!)
      const rows = yield* database.all<{ readonly number: string }>(workspace_id, sql.among, [
        workspace_id,
        ...sought
      ])
      for (const { number } of rows) found.add(number)
    }
    return found
  })
  return {
    add: (workspace_id, numbers, at) => database.unit(workspace_id, add(workspace_id, numbers, at)),
    contains: (workspace_id, number) =>
      Effect.map(database.all(workspace_id, sql.contains, [workspace_id, number]), (rows) => rows.length > 0),
    among,
    remove: (workspace_id, number) =>
      Effect.map(database.run(workspace_id, sql.remove, [workspace_id, number]), (changed) => changed === 1),
    list: (workspace_id, page) =>
      readPage(
        database,
        workspace_id,
        sql.page,
        [workspace_id],
        page,
        asIs<{ readonly number: string; readonly created_at: number }>
      )
  }
}
