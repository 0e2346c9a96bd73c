import type { PhoneNumber } from "../../core/model/numbers/PhoneNumber.ts"
import type { PhoneNumberRows } from "../../core/ports/PhoneNumberRows.ts"
import { platformWide } from "../../core/ports/Repository.ts"
import type { Database } from "./Database.ts"
import { asIs, changes, insertInto, pageOf, pick, reader, write } from "./Statements.ts"

const columns = ["id", "customer_id", "number", "label", "created_at"] as const

const sql = {
  insert: `${insertInto("phone_numbers", columns)} on conflict (customer_id, number) do nothing`,
  get: `select ${columns.join(", ")} from phone_numbers where customer_id = ? and id = ?`,
  holders: `select ${columns.join(", ")} from phone_numbers where number = ?`,
  first: `select ${columns.join(", ")} from phone_numbers where customer_id = ? order by id limit 1`,
  page: pageOf({
    table: "phone_numbers",
    columns,
    where: "customer_id = ?",
    order: "id desc"
  }),
  update: "update phone_numbers set label = ? where customer_id = ? and id = ?",
  remove: "delete from phone_numbers where customer_id = ? and id = ?"
}

export const phoneNumbers = (database: Database["Type"]): PhoneNumberRows => {
  const read = reader(database, asIs<PhoneNumber>)
  return {
    insert: (number) => changes(database, number.customer_id, sql.insert, pick(number, columns)),
    get: (workspace_id, id) => read.one(workspace_id, sql.get, id),
    holders: (number) => database.all<PhoneNumber>(platformWide, sql.holders, [number]),
    first: (workspace_id) => read.one(workspace_id, sql.first),
    list: (workspace_id, page) => read.page(workspace_id, sql.page, page),
    update: ({ customer_id, id, label }) =>
      write(database, customer_id, sql.update, [label, customer_id, id]),
    remove: (workspace_id, id) => changes(database, workspace_id, sql.remove, [workspace_id, id])
  }
}
