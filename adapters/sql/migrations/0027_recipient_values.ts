import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { reviewValues } from "../../../core/model/campaigns/RecipientValues.ts"
import type { RawJson } from "../../../core/model/json/RawJson.ts"

/** What recipients are found by: what was learnt of them, and those of their variables that the workspace names. */
const statements = [
  `create table recipient_values (
    list bigint not null,
    name text not null,
    value text not null,
    id text not null,
    primary key (list, name, value, id)
  )`,
  `create index recipient_values_of on recipient_values (list, id, name, value)`
]

const insert =
  "insert into recipient_values (list, name, value, id) values (?, ?, ?, ?) " +
  "on conflict (list, name, value, id) do nothing"

const slice = 1_000

interface Row {
  readonly list: number
  readonly id: string
  readonly review: string | null
}

/** Recipients that were reviewed before are found as well. They are read some at a time. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient
  for (const statement of statements) yield* sql.unsafe(statement)
  let last: Pick<Row, "list" | "id"> | undefined = { list: -1, id: "" }
  while (last !== undefined) {
    const rows: ReadonlyArray<Row> = yield* sql.unsafe<Row>(
      `select list, id, review from recipients where (list, id) > (?, ?) order by list, id limit ${slice}`,
      [last.list, last.id]
    )
    for (const { id, list, review } of rows) {
      for (const [name, value] of review === null ? [] : reviewValues(review as RawJson)) {
        yield* sql.unsafe(insert, [list, name, value, id])
      }
    }
    last = rows.at(-1)
  }
})
