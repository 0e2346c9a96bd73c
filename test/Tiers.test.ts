import { execFileSync } from "node:child_process"
import { readdirSync } from "node:fs"
import { createServer, Socket } from "node:net"
import { Worker } from "node:worker_threads"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { tiers } from "./tiers.ts"

const files = readdirSync(fileURLToPath(new URL(".", import.meta.url)), { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".test.ts"))
  .map((path) => `test/${path.replaceAll("\\", "/")}`)

/** A place as vitest reads it: `**` is any folders, `*` any part of a name, `{a,b}` either. */
const patternOf = (place: string) =>
  new RegExp(
    `^${place
      .replaceAll(".", "\\.")
      .replaceAll("**/", "(?:.+/)?")
      .replaceAll(/(?<!\.)\*/g, "[^/]*")
      .replaceAll("{", "(?:")
      .replaceAll("}", ")")
      .replaceAll(",", "|")}$`
  )

const places = Object.entries(tiers).flatMap(([tier, places]) =>
  places.map((place) => ({ tier, place, pattern: patternOf(place) }))
)

describe("the tiers of the tests", () => {
  it("have every file exactly once", () => {
    const tiersOf = (file: string) =>
      places.filter(({ pattern }) => pattern.test(file)).map(({ tier }) => tier)
    assert.include(files, "test/Tiers.test.ts")
    assert.deepStrictEqual(
      files.map((file) => [file, tiersOf(file)]).filter(([, tiers]) => tiers!.length !== 1),
      []
    )
  })

  it("name no place without a file", () => {
    assert.deepStrictEqual(
      places.filter(({ pattern }) => !files.some((file) => pattern.test(file))).map(({ place }) => place),
      []
    )
  })

  it("have unit tests that start no process and no thread, open no socket and load nothing native", () => {
    assert.throws(() => execFileSync("true"), "a unit test may not start a process")
    assert.throws(() => new Worker("process.exit()", { eval: true }), "a unit test may not start a thread")
    assert.throws(() => createServer().listen(0), "a unit test may not listen")
    assert.throws(() => new Socket().connect(9), "a unit test may not connect")
    assert.throws(() => process.dlopen({ exports: {} }, "a.node"), "a unit test may not load a native module")
  })
})
