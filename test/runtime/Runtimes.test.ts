import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { freshDatabase } from "../adapters/sql/PostgresServer.ts"
import { onServer } from "../adapters/sql/PostgresSuite.ts"
import { temporaryFile } from "../adapters/sql/TemporaryFile.ts"
import { run, runtimes } from "../apps/library/Children.ts"
import * as Programs from "../programs/Programs.ts"

/** The stores of each runtime. Node is where all other tests use PostgreSQL; Deno has no SQLite that it can load. */
const storesOf = (runtime: string, postgres: string, file: string) => [
  "memory:",
  ...(runtime === "node" ? [] : [postgres]),
  ...(runtime === "deno" ? [] : [`sqlite:${file}`])
]

onServer("the library", (running) => {
  it.scopedLive.each(Object.entries(runtimes))(
    "does on %s what it does everywhere, in memory and on the stores that it has there",
    ([runtime, command]) =>
      Effect.gen(function* () {
        const { url } = yield* freshDatabase(running())
        const stores = storesOf(runtime, url, yield* temporaryFile)
        const { suite } = yield* Programs.programs
        const { code, output } = yield* run([...command, suite, ...stores])
        assert.strictEqual(code, 0, output)
        assert.notInclude(output, "not ok")
        for (const [n] of stores.entries()) {
          const passed = output.split("\n").filter((line) => line.startsWith(`ok ${n}: `))
          assert.isAbove(passed.length, 5, output)
        }
      }),
    // Each waits for members of a cluster more than it computes.
    { timeout: 120_000, concurrent: true }
  )
})
