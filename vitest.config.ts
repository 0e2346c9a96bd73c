import { defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"
import { tiers } from "./test/tiers.ts"

/** The files that take longest: those that mostly wait, each beside one that keeps a core busy. */
const longest = [
  "torture/Torture",
  "library/Package",
  "cluster/Kubernetes",
  "runtime/Runtimes",
  "cluster/Takeover",
  "torture/Faults",
  "library/Library",
  "http/Import",
  "crash/Run",
  "tables/Readers",
  "server/Readme",
  "sql/PostgresAnswers",
  "testing/Readme",
  "sql/RateLimits",
  "library/Examples",
  "sql/Repository",
  "http/OnDisk",
  "cli/MigrateStore",
  "simulated/CallDialer",
  "engine/Campaigns",
  "simulation/Engine"
]

/** Begins with them, so that at the end no file is left that takes long by itself. */
class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = longest.findIndex((name) => moduleId.includes(`/${name}.test.`))
      return at === -1 ? longest.length : at
    }
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b))
  }
}

const tier = (
  name: keyof typeof tiers,
  more: { setupFiles?: Array<string>; globalSetup?: Array<string> } = {}
) => ({
  extends: true as const,
  test: { name, include: [...tiers[name]], ...more }
})

export default defineConfig({
  test: {
    setupFiles: ["test/setup.ts"],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    pool: "forks",
    // A process tests one file after the other: half of the time would go into loading modules anew.
    poolOptions: { forks: { isolate: false, minForks: 3, maxForks: 3 } },
    sequence: { sequencer: LongestFirst },
    projects: [
      tier("unit", { setupFiles: ["test/guard.ts", "test/timers.ts"] }),
      tier("adapters", { globalSetup: ["test/programs/ClientContract.ts"] }),
      tier("system", { globalSetup: ["test/programs/ClientContract.ts", "test/programs/Programs.ts"] })
    ]
  }
})
