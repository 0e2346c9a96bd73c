import Database from "better-sqlite3"

/** One statement as it was run. */
export interface Run {
  readonly sql: string
  readonly params: ReadonlyArray<unknown>
}

const writes = /^\s*(insert|update|delete|begin|commit|rollback|with[\s\S]*\b(insert|update|delete)\b)/i

/** Records what is written through better-sqlite3 from now on, transactions included, until `stop`. */
export const trace = () => {
  const runs: Array<Run> = []
  const prototype = Database.prototype as unknown as {
    prepare: (sql: string) => Record<"run" | "all", (...params: ReadonlyArray<unknown>) => unknown>
    exec: (sql: string) => unknown
  }
  const { exec, prepare } = prototype
  prototype.prepare = function (this: unknown, sql: string) {
    const statement = prepare.call(this as never, sql)
    if (!writes.test(sql)) return statement
    for (const method of ["run", "all"] as const) {
      const original = statement[method].bind(statement)
      statement[method] = (...params) => {
        runs.push({ sql, params })
        return original(...params)
      }
    }
    return statement
  }
  prototype.exec = function (this: unknown, sql: string) {
    if (writes.test(sql)) runs.push({ sql, params: [] })
    return exec.call(this as never, sql)
  }
  return {
    runs,
    stop: () => {
      prototype.prepare = prepare
      prototype.exec = exec
    }
  }
}

/** Runs the same statements in the same transactions, prepared, with nothing around them. Answers seconds. */
export const replay = (filename: string, runs: ReadonlyArray<Run>): number => {
  const database = new Database(filename)
  database.pragma("journal_mode = WAL")
  database.pragma("synchronous = FULL")
  const prepared = new Map<string, Database.Statement<Array<unknown>>>()
  for (const { sql } of runs) if (!prepared.has(sql)) prepared.set(sql, database.prepare(sql))
  const start = performance.now()
  for (const { params, sql } of runs) {
    const statement = prepared.get(sql)!
    if (statement.reader) statement.all(...params)
    else statement.run(...params)
  }
  const seconds = (performance.now() - start) / 1_000
  database.close()
  return seconds
}
