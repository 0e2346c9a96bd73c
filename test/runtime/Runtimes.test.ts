import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { freshDatabase } from "../adapters/sql/PostgresServer.ts"
import { onServer } from "../adapters/sql/PostgresSuite.ts"
import { temporaryFile } from "../adapters/sql/TemporaryFile.ts"
import { root, run, runtimes } from "../apps/library/Children.ts"

const passesOn = Effect.fnUntraced(function* (command: ReadonlyArray<string>, store: string) {
  const { code, output } = yield* run([...command, "test/runtime/suite.ts", store])
  assert.strictEqual(code, 0, output)
  assert.notInclude(output, "not ok")
  assert.isAbove(output.match(/^ok /gm)!.length, 5)
})

onServer("the library on PostgreSQL", (running) => {
  it.live.each(Object.entries(runtimes))(
    "does on %s what it does everywhere",
    ([, command]) =>
      Effect.gen(function* () {
        const { url } = yield* freshDatabase(running())
        yield* passesOn(command, url)
      }),
    60_000
  )
})

describe("the library", () => {
  it.live.each(Object.entries(runtimes))(
    "does on %s what it does everywhere",
    ([, command]) => passesOn(command, "memory:"),
    60_000
  )

  it.scopedLive.each([
    ["node", runtimes.node],
    ["bun", runtimes.bun]
  ] as const)(
    "does the same on %s in a SQLite file",
    ([, command]) => Effect.flatMap(temporaryFile, (file) => passesOn(command, `sqlite:${file}`)),
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
          ...["library", "client", "testing"].map((name) => `apps/${name}/main.ts`)
        ])
        assert.strictEqual(code, 0, output)
      }),
    120_000
  )
})
