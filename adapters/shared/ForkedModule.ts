import { type ChildProcess, fork } from "node:child_process"
import { createRequire } from "node:module"
import { dirname, extname } from "node:path"
import process from "node:process"
import { fileURLToPath, pathToFileURL } from "node:url"

/** Of TypeScript from its sources, of JavaScript once it is built. */
const extension = extname(fileURLToPath(import.meta.url))

const loader = (): ReadonlyArray<string> =>
  extension === ".ts" ? ["--import", pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href] : []

/** What a runtime needs to start. The rest of the environment holds secrets, which such a process has no use for. */
const environment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    ["PATH", "SystemRoot", "TEMP", "TMP", "TMPDIR"].flatMap((name) =>
      process.env[name] === undefined ? [] : [[name, process.env[name]]]
    )
  )

/**
 * Starts a module of this package as a process of its own, which takes and answers messages. `module` is its place
 * without an extension, `memory` the limit of its heap in MiB, `flags` are others of Node's.
 */
export const forkModule = (module: URL, memory: number, flags: ReadonlyArray<string> = []): ChildProcess => {
  const entry = fileURLToPath(module) + extension
  return fork(entry, [], {
    cwd: dirname(entry),
    env: environment(),
    execArgv: [`--max-old-space-size=${memory}`, ...flags, ...loader()],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"]
  })
}
