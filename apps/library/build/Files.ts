import { readdirSync } from "node:fs"
import { posix } from "node:path"
import { fileURLToPath } from "node:url"

export const root = fileURLToPath(new URL("../../..", import.meta.url))
export const dist = posix.join(root, "dist")

/** The files below a folder whose names end so, by their paths within it. */
export const filesOf = (folder: string, ending: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => path.endsWith(ending))
