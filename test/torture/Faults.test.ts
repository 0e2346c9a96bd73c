import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { faults, patchesOf, scenarioOf } from "./Faults.ts"
import { plant, root } from "../programs/Programs.ts"
import * as Scenario from "./Scenario.ts"
import { breached } from "./Verdict.ts"

describe("the planted faults", () => {
  it("are at least ten, each with its place in the sources", () => {
    assert.isAtLeast(faults.length, 10)
    for (const fault of faults) {
      const texts = new Map<string, string>()
      for (const patch of patchesOf(fault)) {
        const before = texts.get(patch.file) ?? readFileSync(join(root, patch.file), "utf8")
        texts.set(patch.file, plant(before, patch))
      }
    }
  })

  it("are refused where their place is gone, or not the only one", () => {
    const patch = { file: "a.ts", find: "b", put: "c" }
    assert.throws(() => plant("a", patch), "no place")
    assert.throws(() => plant("b b", patch), "more than one place")
  })
})

/** The quickest of them; `npm run torture -- --only faults` has them all. */
describe.concurrent("the torture", () => {
  for (const name of ["the calling window is ignored", "one retry too many"]) {
    const fault = faults.find((fault) => fault.name === name)!
    it.scopedLive(
      `notices when ${name}`,
      () =>
        Effect.gen(function* () {
          const outcome = yield* Scenario.run(scenarioOf(fault, 1, () => undefined))
          Scenario.discard(outcome)
          const broken = breached(outcome.findings).map(({ promise }) => promise)
          assert.isNotEmpty(broken.filter((promise) => fault.breaks.includes(promise)))
        }),
      120_000
    )
  }
})
