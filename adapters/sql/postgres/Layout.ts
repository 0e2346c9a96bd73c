import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"
import { migrate } from "../Migrations.ts"

/**
 * Texts are ordered and compared byte by byte, whatever the language of the database, and integers are as wide as
 * the numbers that they hold: what SQLite does of itself.
 */
const asSqlite = (statement: string): string =>
  statement.replace(/\btext\b/g, 'text collate "C"').replace(/\binteger\b/g, "bigint")

const adapted = (client: SqlClient): SqlClient =>
  new Proxy(client, {
    get: (target, key, receiver) => {
      const own: unknown = Reflect.get(target, key, receiver)
      if (key !== "unsafe") return own
      return (text: string, params?: ReadonlyArray<unknown>) => target.unsafe(asSqlite(text), params)
    }
  })

/** Brings a database to the newest layout, through a client whose owner has the lock of the layout. */
export const layOut = Effect.updateService(migrate, SqlClient, adapted)
