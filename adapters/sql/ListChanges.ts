import { Effect } from "effect"
import type { Database } from "./Database.ts"

/** Characters of an id that ids of the same second begin with: the prefix, a line and eight digits of the time. */
const ofSecond = (id: string) => id.slice(0, id.indexOf("_") + 9)

const sql = {
  note:
    "insert into list_changes (customer_id, list, noted) values (?, ?, 1) " +
    "on conflict (customer_id, list) do update set noted = list_changes.noted + 1",
  noted:
    "select list, noted from list_changes where customer_id = ? and list in (?, '') union all " +
    "select list, noted from list_changes where customer_id = ? and list > ? and list < ?",
  forget: "delete from list_changes where customer_id = ? and list >= ? and list < ?"
}

/** Changes of a list so far. */
export interface ListChanges {
  /** How often any of its rows may have changed. */
  readonly all: number
  /** How often those have whose ids begin so. */
  readonly parts: ReadonlyMap<string, number>
}

/**
 * Notes, in the unit that does it, a change of rows that were stored long ago: of one list, or (`""`) of any. With an id
 * only those rows of it may have changed whose ids were made in the same second.
 */
export const noteChange = (database: Database["Type"], workspace_id: string, list: string, id?: string) => {
  const name = id === undefined ? list : `${list} ${ofSecond(id)}`
  return Effect.asVoid(database.run(workspace_id, sql.note, [workspace_id, name], false))
}

/** Forgets the changes of a list that is gone. */
export const forgetChanges = (database: Database["Type"], workspace_id: string, list: string) =>
  Effect.asVoid(database.run(workspace_id, sql.forget, [workspace_id, list, `${list}!`], false))

/** The changes of a list that have been noted, those of any list among them. */
export const notedChanges = (database: Database["Type"], workspace_id: string, list: string) =>
  Effect.map(
    database.all<{ readonly list: string; readonly noted: number }>(workspace_id, sql.noted, [
      workspace_id,
      list,
      workspace_id,
      `${list} `,
      `${list}!`
    ]),
    (rows): ListChanges => {
      const isAll = (name: string) => name === list || name === ""
      return {
        all: rows.reduce((sum, row) => (isAll(row.list) ? sum + row.noted : sum), 0),
        parts: new Map(
          rows.flatMap((row) => (isAll(row.list) ? [] : [[row.list.slice(list.length + 1), row.noted]]))
        )
      }
    }
  )
