import process from "node:process"
import v8 from "node:v8"
import { defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"
import { tiers } from "./test/tiers.ts"

/** The files that take longest: those that mostly wait, each beside one that keeps a core busy. */
const longest = [
  "torture/Torture",
  "runtime/Runtimes",
  "console/Console",
  "torture/Conversations",
  "cluster/Kubernetes",
  "cluster/Takeover",
  "library/Package",
  "library/Library",
  "server/Readme",
  "server/FirstStart",
  "cli/MigrateStore",
  "crash/Run",
  "sql/RateLimits",
  "torture/Faults",
  "library/Examples",
  "server/RollingUpdate",
  "torture/Outage",
  "cluster/Dispatcher",
  "testing/Readme",
  "server/Talking",
  "cluster/Away",
  "sql/PostgresAway",
  "sql/PostgresAnswers",
  "http/Import",
  "simulated/CallDialer",
  "tables/Readers",
  "sql/Repository",
  "simulated/CarrierServer",
  "simulate/Simulate",
  "http/NodeServer",
  "tables/Hostile",
  "meta/Send",
  "http/OnDisk",
  "simulation/Engine",
  "engine/Campaigns",
  "calls/CallingWindow"
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
  more: { pool?: "threads"; setupFiles?: Array<string>; globalSetup?: Array<string> } = {}
) => ({
  extends: true as const,
  test: { name, include: [...tiers[name]], ...more }
})

// Most of what a test makes is soon of no use: the rarer it is collected, the less of it is copied.
const collecting = ["--min-semi-space-size=16", "--max-semi-space-size=64"]
for (const flag of collecting) v8.setFlagsFromString(flag)
// The same for esbuild and the compiler, which are written in Go: a quarter of their processor time.
process.env["GOGC"] ??= "400"

export default defineConfig({
  test: {
    setupFiles: ["test/setup.ts"],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    pool: "forks",
    // A process tests one file after the other: half of the time would go into loading modules anew.
    poolOptions: {
      forks: { isolate: false, minForks: 3, maxForks: 3, execArgv: collecting },
      threads: { isolate: false, minThreads: 2, maxThreads: 2 }
    },
    sequence: { sequencer: LongestFirst },
    projects: [
      // Pools run beside each other, tiers in one pool one after the other: threads compute while processes wait.
      tier("unit", { pool: "threads", setupFiles: ["test/guard.ts", "test/timers.ts"] }),
      tier("adapters", {
        setupFiles: ["test/forks.ts"],
        globalSetup: ["test/programs/ClientContract.ts", "test/programs/Forked.ts"]
      }),
      tier("system", {
        setupFiles: ["test/forks.ts"],
        globalSetup: [
          "test/programs/ClientContract.ts",
          "test/programs/Forked.ts",
          "test/programs/Programs.ts"
        ]
      })
    ]
  }
})
