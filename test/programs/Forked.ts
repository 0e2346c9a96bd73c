import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { Effect } from "effect"
import { root } from "../../apps/server/build/Programs.ts"
import { bundled } from "./Bundled.ts"

/** What many tests fork: compiling the sources anew takes most of such a process's time. */
const modules = {
  reader: join(root, "adapters/tables/reader/main.ts"),
  simulation: join(root, "apps/simulation/child.ts"),
  carrier: join(root, "test/adapters/simulated/CarrierProcess.ts")
}

/** Before the tests begin: bundles them, once for all tiers; `forks.ts` is told where. */
export default async () => {
  if (process.env["TEST_FORKED"] !== undefined) return undefined
  const folder = mkdtempSync(join(tmpdir(), "outdial-forked-"))
  await Effect.runPromise(bundled(folder, modules))
  const bundles = Object.entries(modules).map(([name, path]) => [path, join(folder, `${name}.mjs`)])
  process.env["TEST_FORKED"] = JSON.stringify(Object.fromEntries(bundles))
  return () => rmSync(folder, { recursive: true, force: true })
}
