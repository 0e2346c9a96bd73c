import * as SqliteClient from "@effect/sql-sqlite-node/SqliteClient"
import BetterSqlite from "better-sqlite3"
import type { Param } from "../Database.ts"
import { rowMaker } from "../RowMaker.ts"
import { make as aside } from "./AsideReader.ts"
import { layerOf, type SqliteDriver } from "./SqliteFile.ts"

export type { SqliteConfig } from "./SqliteFile.ts"

/**
 * The rows of a statement as objects. The driver's own way to make them takes as long as all the rest of a read: it sets
 * each property by its name, from C++. See https://github.com/WiseLibs/better-sqlite3/blob/v12.11.1/docs/api.md#rawtogglestate---this
 */
const rowsOf = (statement: BetterSqlite.Statement<Array<Param>>) => {
  const make = rowMaker(statement.columns().map(({ name }) => name))
  const raw = statement.raw()
  return (params: ReadonlyArray<Param>) =>
    (raw.all(...params) as ReadonlyArray<ReadonlyArray<unknown>>).map(make)
}

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
          all: statement.reader ? rowsOf(statement) : () => [],
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
