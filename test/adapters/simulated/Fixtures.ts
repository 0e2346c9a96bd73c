import { Effect, type Scope } from "effect"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** A directory that is gone when the scope ends. */
export const directory: Effect.Effect<string, never, Scope.Scope> = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "outdial-carrier-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
)

export const ledgerFile = Effect.map(directory, (path) => join(path, "ledger.ndjson"))

/** The lines of a body in which each is JSON. */
export const parsedLines = (text: string): ReadonlyArray<Record<string, unknown>> =>
  text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line))
