import { Cause, Effect } from "effect"
import { constants } from "node:fs"
import { access, stat, statfs } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import { Database } from "../../../adapters/sql/Database.ts"
import { platformWide, type Repository } from "../../../core/ports/Repository.ts"
import { sentence } from "../../platform/Explain.ts"
import * as Store from "../../platform/Store.ts"
import { broken, type Finding, ok, warning } from "./Finding.ts"
import { postgres } from "./Postgres.ts"
import { wrong } from "./Settings.ts"

const attempt = <A>(work: () => Promise<A>) => Effect.option(Effect.tryPromise(work))

const megabyte = 1_048_576
const leastFree = 256 * megabyte
const sizeOf = (bytes: number): string => `${(bytes / megabyte).toFixed(1)} MB`

const pragma = Effect.fnUntraced(function* (name: string) {
  const [row] = yield* (yield* Database).all<Record<string, string | number>>(
    platformWide,
    `pragma ${name}`,
    []
  )
  return row === undefined ? undefined : Object.values(row)[0]
})

const layout = Effect.fnUntraced(function* () {
  const [row] = yield* (yield* Database).all<{ readonly id: number; readonly applied: number }>(
    platformWide,
    "select max(migration_id) as id, count(*) as applied from outdial_migrations",
    []
  )
  return row?.id ?? 0
})

/** A file whose journal is another is not opened: see adapters/sql/sqlite. */
const journal = Effect.map(pragma("journal_mode"), (mode) =>
  mode === "wal"
    ? ok("journal", "write-ahead log, flushed to the disk before a commit is answered")
    : broken("journal", `its journal is ${mode}: commits are not flushed to the disk`)
)

const integrity = Effect.fnUntraced(function* () {
  const verdict = yield* pragma("quick_check(1)")
  return verdict === "ok"
    ? ok("integrity", "no damage found (quick_check)")
    : broken("integrity", "the database is damaged: stop the server and restore a backup")
})

/** What is looked at in a store that can be opened. */
export type Inside = Effect.Effect<ReadonlyArray<Finding>, never, Repository>

const opened = Effect.fnUntraced(function* (filename: string, inside: Inside) {
  const applied = yield* layout()
  const bytes = Number(yield* pragma("page_count")) * Number(yield* pragma("page_size"))
  return [
    ok("database", `${filename} can be read and written: layout ${applied}, ${sizeOf(bytes)}`),
    yield* journal,
    yield* integrity(),
    ...(yield* inside)
  ]
})

const unusable = (cause: Cause.Cause<unknown>): Finding =>
  broken("database", sentence(Cause.squash(cause)) ?? Cause.pretty(cause).split("\n")[0]!)

const disk = Effect.fnUntraced(function* (folder: string) {
  const disk = yield* attempt(() => statfs(folder))
  if (disk._tag === "None") return []
  const free = disk.value.bavail * disk.value.bsize
  return free < leastFree ? [warning("disk", `only ${sizeOf(free)} are free where the database is`)] : []
})

const file = Effect.fnUntraced(function* (filename: string, inside: Inside) {
  const folder = dirname(resolve(filename))
  const canWrite = yield* attempt(() => access(folder, constants.W_OK))
  if (canWrite._tag === "None")
    return [broken("database", `its folder ${folder} is not there or cannot be written`)]
  const found = yield* attempt(() => stat(filename))
  if (found._tag === "None") {
    return [warning("database", `there is none yet: the server makes ${filename} when it first starts`)]
  }
  if (!found.value.isFile()) return [broken("database", `${filename} is not a file`)]
  const findings = yield* opened(filename, inside).pipe(
    Effect.provide(Store.sqlite(filename)),
    Effect.catchAllCause((cause) => Effect.succeed([unusable(cause)]))
  )
  return [...findings, ...(yield* disk(folder))]
})

/** Checks the store and what is in it. A store that does not exist is not made. */
export const storage = (inside: Inside): Effect.Effect<ReadonlyArray<Finding>> =>
  Effect.gen(function* () {
    const issues = yield* wrong("store")
    if (issues.length > 0) return issues.map((message) => broken("database", message))
    const place = yield* Store.location
    if (place._tag === "Postgres") return yield* postgres(place.url, inside)
    return place._tag === "Sqlite"
      ? yield* file(place.filename, inside)
      : [warning("database", "OUTDIAL_DATABASE_URL is memory: everything is lost when the server stops")]
  }).pipe(Effect.catchAllCause((cause) => Effect.succeed([unusable(cause)])))
