import process from "node:process"
import v8 from "node:v8"
import { defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"
import { tiers } from "./test/tiers.ts"

/** The files that take longest: first those that wait more than they compute, beside which the unit tier computes. */
const longest = [
  "torture/Torture",
  "runtime/Runtimes",
  "server/Readme",
  "library/Library",
  "server/FirstStart",
  "server/RollingUpdate",
  "sql/PostgresAway",
  "cluster/Away",
  "console/Console",
  "library/Package",
  "cluster/Kubernetes",
  "cluster/Takeover",
  "torture/Conversations",
  "cli/MigrateStore",
  "torture/Outage",
  "sql/RateLimits",
  "crash/Run",
  "server/FirstCall",
  "simulation/Forecast",
  "torture/Talks",
  "sql/PostgresRepository",
  "sql/PostgresRaces",
  "http/Import",
  "cli/Processes",
  "sql/Migrations",
  "sql/Postgres",
  "tables/Hostile",
  "testing/Readme",
  "server/Talking",
  "server/TalkingProcesses",
  "cluster/Dispatcher",
  "simulated/CarrierServer",
  "sql/Plans",
  "suite/Run",
  "testing/Properties",
  "meta/Send",
  "library/Examples",
  "library/Readme",
  "tables/Readers",
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
  more: { pool?: "threads"; setupFiles: Array<string>; globalSetup?: Array<string> }
) => ({
  extends: true as const,
  test: { name, include: [...tiers[name]], ...more }
})

const ofProcesses = {
  setupFiles: ["test/forks.ts"],
  globalSetup: ["test/programs/ClientContract.ts", "test/programs/Forked.ts", "test/programs/Programs.ts"]
}

// Most of what a test makes is soon of no use: the rarer it is collected, the less of it is copied.
const collecting = ["--min-semi-space-size=16", "--max-semi-space-size=64"]
for (const flag of collecting) v8.setFlagsFromString(flag)
// The same for esbuild and the compiler, which are written in Go: a quarter of their processor time.
process.env["GOGC"] ??= "400"

export default defineConfig({
  test: {
    setupFiles: ["test/setup.ts"],
    // On a machine with much else to do a start of processes takes many times as long.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: "forks",
    // A process tests one file after the other: half of the time would go into loading modules anew.
    poolOptions: {
      forks: { isolate: false, minForks: 4, maxForks: 4, execArgv: collecting },
      // One beside the processes; by itself the unit tier has two.
      threads: { isolate: false, minThreads: 1, maxThreads: 1 }
    },
    sequence: { sequencer: LongestFirst },
    projects: [
      // Pools run beside each other, tiers in one pool one after the other: a thread computes while processes wait.
      tier("unit", { pool: "threads", setupFiles: ["test/guard.ts", "test/timers.ts"] }),
      tier("adapters", ofProcesses),
      tier("system", ofProcesses)
    ]
  }
})
