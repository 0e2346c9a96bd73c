import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { root } from "../../apps/server/build/Programs.ts"
import { bundled } from "./Bundled.ts"

/** What many tests fork: compiling the sources anew takes most of such a process's time. */
const modules = [
  "adapters/tables/reader/main.ts",
  "apps/simulation/child.ts",
  "test/adapters/simulated/CarrierProcess.ts"
].map((path) => join(root, path))

/** Before the tests begin: bundles them, once for all tiers; `forks.ts` is told where. */
export default async () => {
  if (process.env["TEST_FORKED"] !== undefined) return undefined
  const folder = mkdtempSync(join(tmpdir(), "outdial-forked-"))
  const bundles = await Effect.runPromise(bundled(folder, modules))
  process.env["TEST_FORKED"] = JSON.stringify(
    Object.fromEntries(modules.map((path, n) => [path, bundles[n]]))
  )
  return () => rmSync(folder, { recursive: true, force: true })
}
