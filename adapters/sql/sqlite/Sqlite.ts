import * as SqliteClient from "@effect/sql-sqlite-node/SqliteClient"
import BetterSqlite from "better-sqlite3"
import type { Param } from "../Database.ts"
import { make as aside } from "./AsideReader.ts"
import { layerOf, type SqliteDriver } from "./SqliteFile.ts"

export type { SqliteConfig } from "./SqliteFile.ts"

/** better-sqlite3, for Node. */
const driver: SqliteDriver = {
  aside,
  client: (filename) => SqliteClient.make({ filename }),
  open: (filename, readonly) => {
    const db = new BetterSqlite(filename, { readonly })
    return {
      prepare: (sql) => {
        const statement = db.prepare<Array<Param>>(sql)
        return {
          reader: statement.reader,
          all: (params) => statement.all(...params),
          run: (params) => statement.run(...params).changes
        }
      },
      exec: (sql) => void db.exec(sql),
      close: () => void db.close()
    }
  }
}

/** See `layerOf`. */
export const layer = layerOf(driver)
