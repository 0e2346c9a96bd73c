import { defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"
import { tiers } from "./test/tiers.ts"

/** What takes longest, and mostly waits, begins first. */
class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => moduleId.includes("/test/torture/Torture")
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

const tier = (name: keyof typeof tiers, more: { setupFiles?: Array<string>; globalSetup?: string } = {}) => ({
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
      tier("unit", { setupFiles: ["test/guard.ts"] }),
      tier("adapters"),
      tier("system", { globalSetup: "test/programs/Programs.ts" })
    ]
  }
})
