import { readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

export const root = fileURLToPath(new URL("../../..", import.meta.url))

/** Where the client's contract is. */
export const contract = join(root, "apps/client/contract")

/** All that it is made of. */
const sources = ["core", "adapters/http", "apps/client/generator", "package-lock.json"]

const changedAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

const lastChange = (path: string): number =>
  Math.max(
    changedAt(path),
    ...(statSync(path).isDirectory()
      ? readdirSync(path, { recursive: true, encoding: "utf8" }).map((name) => changedAt(join(path, name)))
      : [])
  )

/** Whether it is there, and was written after the last change of what it is made of. */
export const isFresh = (): boolean =>
  changedAt(contract) > Math.max(...sources.map((path) => lastChange(join(root, path))))
