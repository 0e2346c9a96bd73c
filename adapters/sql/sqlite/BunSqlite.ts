import { Database as BunDatabase } from "bun:sqlite"
import * as SqlClient from "@effect/sql/SqlClient"
import type { Connection } from "@effect/sql/SqlConnection"
import { SqlError } from "@effect/sql/SqlError"
import * as Statement from "@effect/sql/Statement"
import { Effect, Stream } from "effect"
import type { Param } from "../Database.ts"
import { layerOf, type SqliteDriver } from "./SqliteFile.ts"

const connectionOf = (db: BunDatabase): Connection => {
  const execute = (sql: string, params: ReadonlyArray<unknown>) =>
    Effect.try({
      try: () => db.prepare(sql).all(...(params as ReadonlyArray<Param>)) as ReadonlyArray<never>,
      catch: (cause) => new SqlError({ cause, message: "Failed to execute statement" })
    })
  return {
    execute,
    executeRaw: execute,
    executeUnprepared: execute,
    executeValues: (sql, params) =>
      Effect.try({
        try: () => db.prepare(sql).values(...(params as ReadonlyArray<Param>)),
        catch: (cause) => new SqlError({ cause, message: "Failed to execute statement" })
      }),
    executeStream: () => Stream.dieMessage("migrations stream nothing")
  }
}

/** Bun's own SQLite. @effect/sql-sqlite-bun has no release for this line of Effect. */
const driver: SqliteDriver = {
  client: (filename) =>
    Effect.flatMap(
      Effect.acquireRelease(
        Effect.sync(() => new BunDatabase(filename, { create: true, readwrite: true })),
        (db) => Effect.sync(() => db.close())
      ),
      (db) => {
        db.run("pragma journal_mode = WAL")
        return SqlClient.make({
          acquirer: Effect.succeed(connectionOf(db)),
          compiler: Statement.makeCompilerSqlite(),
          spanAttributes: []
        })
      }
    ),
  open: (filename, readonly) => {
    const db = new BunDatabase(filename, readonly ? { readonly } : { readwrite: true, create: true })
    return {
      prepare: (sql) => {
        const statement = db.prepare(sql)
        return {
          reader: statement.columnNames.length > 0,
          all: (params) => statement.all(...params),
          run: (params) => statement.run(...params).changes
        }
      },
      exec: (sql) => void db.run(sql),
      close: () => db.close()
    }
  }
}

/** See `layerOf`. */
export const layer = layerOf(driver)
