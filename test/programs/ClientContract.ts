import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { isFresh, root } from "../../apps/client/generator/Freshness.ts"

/** Before the tests begin: the client's contract, unless it is fresh. */
export default () => {
  if (isFresh()) return
  const generator = join(root, "apps/client/generator/main.ts")
  execFileSync(process.execPath, ["--import", "tsx", generator], { cwd: root, stdio: "inherit" })
}
