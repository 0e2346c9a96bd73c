import { Effect, Layer } from "effect"
import { join } from "node:path"
import { mkdtempSync, rmSync } from "node:fs"
import { copyFile, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { layer as repository } from "../../../adapters/sql/Repository.ts"
import { layer as sqlite } from "../../../adapters/sql/sqlite/Sqlite.ts"

/** The path of a database file in a folder of its own, removed at the end. */
export const temporaryFile = Effect.map(
  Effect.acquireRelease(
    Effect.promise(() => mkdtemp(join(tmpdir(), "outdial-"))),
    (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
  ),
  (folder) => join(folder, "outdial.db")
)

/** The Repository and its Database on a file. */
export const onFile = (filename: string) => Layer.provideMerge(repository, sqlite({ filename }))

let made: Promise<string> | undefined

/** A file that has all tables, once for each process: to make them takes longer than most tests. */
const empty = Effect.promise(() => {
  const make = async () => {
    const folder = mkdtempSync(join(tmpdir(), "outdial-"))
    process.once("exit", () => rmSync(folder, { recursive: true, force: true }))
    const file = join(folder, "empty.db")
    await Effect.runPromise(Effect.scoped(Layer.build(onFile(file))))
    return file
  }
  return (made ??= make())
})

/** The same, on a fresh file each time. */
export const onFreshFile = Layer.unwrapScoped(
  Effect.gen(function* () {
    const file = yield* temporaryFile
    const from = yield* empty
    yield* Effect.promise(() => copyFile(from, file))
    return onFile(file)
  })
)
