import { execFileSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { serialize } from "node:v8"
import Database from "better-sqlite3"

/** Statements in the order in which they were run. `of` are their places among the texts. */
export interface Runs {
  readonly texts: ReadonlyArray<string>
  readonly of: ReadonlyArray<number>
  readonly params: ReadonlyArray<ReadonlyArray<unknown>>
}

/** Statements that were recorded, in a file. */
export interface Recorded {
  readonly path: string
  readonly statements: number
  readonly commits: number
}

const writes = /^\s*(insert|update|delete|begin|commit|rollback|with[\s\S]*\b(insert|update|delete)\b)/i

/** Records what is written through better-sqlite3 from now on, transactions included. What is answered ends it. */
export const trace = (): ((path: string) => Recorded) => {
  const places = new Map<string, number>()
  const of: Array<number> = []
  const runs: Array<ReadonlyArray<unknown>> = []
  const record = (sql: string, params: ReadonlyArray<unknown>) => {
    const place = places.get(sql) ?? places.size
    places.set(sql, place)
    of.push(place)
    runs.push(params)
  }
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
        record(sql, params)
        return original(...params)
      }
    }
    return statement
  }
  prototype.exec = function (this: unknown, sql: string) {
    if (writes.test(sql)) record(sql, [])
    return exec.call(this as never, sql)
  }
  return (path) => {
    prototype.prepare = prepare
    prototype.exec = exec
    const texts = [...places.keys()]
    writeFileSync(path, serialize({ texts, of, params: runs } satisfies Runs))
    const commits = of.filter((place) => /^\s*commit/i.test(texts[place]!)).length
    const statements = of.length
    // They leave the heap, though the caller may keep this function.
    for (const kept of [of, runs]) kept.length = 0
    return { path, statements, commits }
  }
}

/**
 * Runs the same statements in the same transactions, prepared, with nothing around them. Answers seconds. A process of its
 * own does it, so that what is measured beside it has none of the statements in its heap.
 */
export const replay = (filename: string, { path }: Recorded): number =>
  Number(
    execFileSync(
      process.execPath,
      ["--import", "tsx", fileURLToPath(new URL("./replay.ts", import.meta.url)), filename, path],
      { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] }
    )
  )
