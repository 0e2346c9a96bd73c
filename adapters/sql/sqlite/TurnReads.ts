import type { Param } from "../Database.ts"

type Read<Row> = (sql: string, params: ReadonlyArray<Param>) => ReadonlyArray<Row>

export interface TurnReads<Row> {
  readonly all: Read<Row>
  /** Forgets what was read, since this process is about to change it. */
  readonly forget: () => void
}

/**
 * Reads what is asked for by one parameter, an id, once in a turn of the event loop: requests that arrive together name the
 * same API key. What another process changes meanwhile is seen in the next turn, as if the request had come a moment
 * earlier. It takes a twelfth off the processor time of `POST /calls`.
 */
export const make = <Row>(read: Read<Row>): TurnReads<Row> => {
  const known = new Map<string, Map<Param, ReadonlyArray<Row>>>()
  const forget = () => known.clear()
  const knownBy = (sql: string) => {
    const there = known.get(sql)
    if (there !== undefined) return there
    if (known.size === 0) setImmediate(forget)
    const none = new Map<Param, ReadonlyArray<Row>>()
    known.set(sql, none)
    return none
  }
  return {
    forget,
    all: (sql, params) => {
      const [id] = params
      if (id === undefined || params.length > 1) return read(sql, params)
      const rowsOf = knownBy(sql)
      const there = rowsOf.get(id)
      if (there !== undefined) return there
      const rows = read(sql, params)
      rowsOf.set(id, rows)
      return rows
    }
  }
}
