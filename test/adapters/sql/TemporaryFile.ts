import { Effect, Layer } from "effect"
import { join } from "node:path"
import { mkdtemp, rm } from "node:fs/promises"
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

/** The same, on a fresh file each time. */
export const onFreshFile = Layer.unwrapScoped(Effect.map(temporaryFile, onFile))
