import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { faults, patchesOf } from "./Faults.ts"
import { plant, root } from "../programs/Programs.ts"

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
