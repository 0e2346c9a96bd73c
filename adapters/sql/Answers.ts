import { Effect, Option } from "effect"
import { type AnswerRows, carriedOut, type KeyedRequest } from "../../core/ports/AnswerRows.ts"
import type { Database } from "./Database.ts"
import { asIs, changes, insertInto, pick, reader, write } from "./Statements.ts"

const columns = ["customer_id", "key", "digest", "created_at", "status", "body"] as const

const sql = {
  expire:
    "delete from answers where customer_id = ? and key = ? " +
    "and (created_at <= ? or (status is null and created_at <= ?))",
  carryOut:
    `update answers set status = ${carriedOut} ` +
    "where customer_id = ? and key = ? and created_at = ? and status is null",
  insert: `${insertInto("answers", columns)} on conflict (customer_id, key) do nothing`,
  get: `select ${columns.join(", ")} from answers where customer_id = ? and key = ?`,
  finish: "update answers set status = ?, body = ? where customer_id = ? and key = ?",
  release: "delete from answers where customer_id = ? and key = ? and status is null",
  forget: "delete from answers where customer_id = ? and created_at <= ?"
}

export const answers = (database: Database["Type"]): AnswerRows => {
  const read = reader(database, asIs<KeyedRequest>)
  const begin = Effect.fnUntraced(function* (request: KeyedRequest, expired: number, abandoned: number) {
    const { customer_id, key } = request
    yield* write(database, customer_id, sql.expire, [customer_id, key, expired, abandoned])
    if ((yield* database.run(customer_id, sql.insert, pick(request, columns))) === 1) return Option.none()
    return yield* read.one(customer_id, sql.get, key)
  })
  return {
    begin: (request, expired, abandoned) =>
      database.unit(request.customer_id, begin(request, expired, abandoned)),
    carryOut: (workspace_id, key, created_at) =>
      changes(database, workspace_id, sql.carryOut, [workspace_id, key, created_at]),
    finish: (workspace_id, key, status, body) =>
      write(database, workspace_id, sql.finish, [status, body, workspace_id, key]),
    release: (workspace_id, key) => write(database, workspace_id, sql.release, [workspace_id, key]),
    forget: (workspace_id, until) => write(database, workspace_id, sql.forget, [workspace_id, until])
  }
}
