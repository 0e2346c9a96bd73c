import { execFileSync } from "node:child_process"
import { readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { root } from "./Programs.ts"

const sources = ["core", "adapters/http", "apps/client/generator"]

const changedAt = (path: string): number =>
  statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0

const lastChange = () =>
  Math.max(
    ...sources.flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((path) =>
        changedAt(join(folder, path))
      )
    )
  )

/** Before the tests begin: the client's contract, unless it is newer than all that it is made of. */
export default () => {
  if (changedAt("apps/client/contract") > lastChange()) return
  const generator = join(root, "apps/client/generator/main.ts")
  execFileSync(process.execPath, ["--import", "tsx", generator], { cwd: root, stdio: "inherit" })
}
