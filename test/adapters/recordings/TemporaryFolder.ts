import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"

/** The path of a folder that is removed at the end with all that is in it. */
export const temporaryFolder = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "outdial-recordings-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
)
