import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { plant, root } from "../programs/Programs.ts"
import { faults } from "./talks/Faults.ts"
import * as Presets from "./talks/Presets.ts"
import * as Scenario from "./talks/Scenario.ts"
import { breached, table } from "./Verdict.ts"

const seed = Number(process.env["TORTURE_SEED"] ?? Math.floor(Math.random() * 1e9))

describe("the short form of the torture of talks", () => {
  const { kills, talks } = Presets.short
  it.scopedLive(
    `loses none of ${talks} talks whose process is killed ${kills} times`,
    () =>
      Effect.gen(function* () {
        const { drops, findings, uses } = yield* Scenario.run({
          ...Presets.short,
          seed,
          patches: [],
          say: () => undefined
        })
        assert.deepStrictEqual(breached(findings), [], `seed ${seed}\n${table(findings)}`)
        assert.isAbove(drops, 0, "connections broke")
        assert.isAbove(uses, 0, "tools were used")
      }),
    200_000
  )

  it("has a place in the sources for each fault that it must notice", () => {
    for (const { patches } of faults) {
      for (const patch of patches) {
        const source = readFileSync(join(root, patch.file), "utf8")
        assert.notStrictEqual(plant(source, patch), source)
      }
    }
  })
})
