import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { blocksOf, runPage } from "./Blocks.ts"

const page = "apps/library/README.md"

describe("the page about embedding it", () => {
  it.scopedLive(
    "has no block that does not run, from the first call to the end",
    () =>
      Effect.gen(function* () {
        assert.isAbove(blocksOf(page, "ts").length, 5)
        const { code, output } = yield* runPage(page)
        assert.strictEqual(code, 0, output)
        assert.match(output, /^call_started call_\w+ \{ order: 1 \}$/m)
        assert.match(output, /^answered$/m)
        const mine = output.split("\n").filter((line) => line.startsWith("my carrier: "))
        assert.sameMembers(mine, [
          "my carrier: call_started null",
          "my carrier: call_completed busy",
          "my carrier: call_completed answered",
          "my carrier: recording_completed 42"
        ])
        assert.match(output, /^placed before, not dialled again: call_/m)
        assert.match(output, /^200 \{/m)
        assert.include(output, "{ data: [], total: 0 }")
      }),
    60_000
  )
})
