import { Effect } from "effect"
import type { PhoneNumber } from "../../core/model/numbers/PhoneNumber.ts"
import { type PhoneNumberRows, platformWide } from "../../core/ports/Repository.ts"
import type { Database } from "./Database.ts"
import { asIs, first, insertInto, pageOf, pick, readPage } from "./Statements.ts"

const columns = ["id", "customer_id", "number", "label", "created_at"] as const

const sql = {
  insert: `${insertInto("phone_numbers", columns)} on conflict (customer_id, number) do nothing`,
  get: "select * from phone_numbers where customer_id = ? and id = ?",
  holders: "select * from phone_numbers where number = ?",
  first: "select * from phone_numbers where customer_id = ? order by id limit 1",
  page: pageOf({
    table: "phone_numbers",
    columns,
    where: "customer_id = ?",
    order: "id desc"
  }),
  remove: "delete from phone_numbers where customer_id = ? and id = ?"
}

export const phoneNumbers = (database: Database["Type"]): PhoneNumberRows => ({
  insert: (number) =>
    Effect.map(
      database.run(number.customer_id, sql.insert, pick(number, columns)),
      (changed) => changed === 1
    ),
  get: (workspace_id, id) =>
    Effect.map(database.all<PhoneNumber>(workspace_id, sql.get, [workspace_id, id]), first(asIs)),
  holders: (number) => database.all<PhoneNumber>(platformWide, sql.holders, [number]),
  first: (workspace_id) =>
    Effect.map(database.all<PhoneNumber>(workspace_id, sql.first, [workspace_id]), first(asIs)),
  list: (workspace_id, page) =>
    readPage(database, workspace_id, sql.page, [workspace_id], page, asIs<PhoneNumber>),
  remove: (workspace_id, id) =>
    Effect.map(database.run(workspace_id, sql.remove, [workspace_id, id]), (changed) => changed === 1)
})
