import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { load } from "../../../apps/server/KeptCode.ts"
import * as Processes from "../../programs/Processes.ts"
import * as Programs from "../../programs/Programs.ts"

describe("the code that is kept of a program", () => {
  let folder: string
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "outdial-kept-"))))
  afterEach(() => rmSync(folder, { recursive: true }))

  const cache = () => join(folder, "program.cache")
  /** Writes the program anew, and runs it. */
  const start = (answer: string) => {
    const program = join(folder, "program.cjs")
    writeFileSync(
      program,
      `(function (require, module, importMetaUrl) { module.exports = { answer: "${answer}", eol: require("node:os").EOL } })`
    )
    return load<{ answer: string; eol: string }>(pathToFileURL(program), pathToFileURL(cache()))
  }

  it("is that of its first start", () => {
    const first = start("one")
    assert.strictEqual(first.exports.answer, "one")
    first.keep!()
    const second = start("one")
    assert.strictEqual(second.exports.answer, "one")
    assert.isUndefined(second.keep)
  })

  it("is not used for another source of the same length", () => {
    start("one").keep!()
    const other = start("two")
    assert.strictEqual(other.exports.answer, "two")
    other.keep!()
    assert.isUndefined(start("two").keep)
  })

  it("is not used when a part of it is missing or another", () => {
    start("one").keep!()
    const whole = readFileSync(cache())
    const changed = Buffer.from(whole)
    changed[changed.length - 9]! ^= 1
    for (const damaged of [changed, whole.subarray(0, -1), whole.subarray(0, 16), Buffer.alloc(0)]) {
      writeFileSync(cache(), damaged)
      const { exports, keep } = start("one")
      assert.strictEqual(exports.answer, "one")
      assert.isDefined(keep)
    }
  })

  it("is left out where its file can be neither read nor written", () => {
    mkdirSync(cache())
    for (const _ of [1, 2]) {
      const { exports, keep } = start("one")
      assert.strictEqual(exports.answer, "one")
      keep!()
    }
  })

  it.scopedLive(
    "is what the server's second start runs",
    () =>
      Effect.gen(function* () {
        const { server } = yield* Programs.programs
        const kept = join(folder, "server.cache")
        cpSync(dirname(server), folder, { recursive: true })
        rmSync(kept, { force: true })
        const settings = { PORT: "0", OUTDIAL_DATABASE_URL: `sqlite:${join(folder, "outdial.db")}` }
        const startAndStop = Effect.gen(function* () {
          const running = yield* Processes.scoped(join(folder, "server.mjs"), [], settings, /Listening/)
          yield* Processes.kill(running, "SIGTERM")
          return statSync(kept).mtimeMs
        })
        assert.strictEqual(yield* startAndStop, yield* startAndStop)
      }),
    60_000
  )
})
