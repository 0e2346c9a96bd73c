import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { root, run, runtimes } from "../apps/library/Children.ts"

describe("the library", () => {
  it.live.each(Object.entries(runtimes))(
    "does on %s what it does everywhere",
    ([, command]) =>
      Effect.gen(function* () {
        const { code, output } = yield* run([...command, "test/runtime/suite.ts"])
        assert.strictEqual(code, 0, output)
        assert.notInclude(output, "not ok")
        assert.isAbove(output.match(/^ok /gm)!.length, 5)
      }),
    60_000
  )

  it.live(
    "is typed for Deno's own compiler",
    () =>
      Effect.gen(function* () {
        const { code, output } = yield* run([
          `${root}node_modules/.bin/deno`,
          "check",
          "--no-config",
          "--node-modules-dir=manual",
          "apps/library/main.ts"
        ])
        assert.strictEqual(code, 0, output)
      }),
    120_000
  )
})
