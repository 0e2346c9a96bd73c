import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { Chunk, Effect, Exit, Fiber, Option, Scope, Stream, TestClock } from "effect"
import * as Readers from "../../../adapters/tables/Readers.ts"
import * as Tables from "../../../adapters/tables/TableReader.ts"
import { TableReader } from "../../../core/ports/TableReader.ts"
import { csvFile, inlineRow, numbered, readAll, refusalOf, sheetFile } from "./Fixtures.ts"

const small = csvFile([["phone"], ["+1"]])
const table = { format: "csv" as const, header: ["phone"], rows: [{ row: 2, cells: ["+1"] }] }

/** Takes a second and more to be read, and well over a hundred megabytes. */
const demanding = sheetFile(
  Array.from({ length: 30_000 }, (_, n) =>
    inlineRow(
      n + 1,
      Array.from({ length: 20 }, () => "a")
    )
  ).join("")
)

/** Opens a file in a scope of its own, to be closed by hand. */
const held = Effect.fnUntraced(function* (file: Uint8Array, workspace_id: string) {
  const scope = yield* Scope.make()
  const reader = yield* TableReader
  const opened = yield* reader.open(workspace_id, file).pipe(Scope.extend(scope))
  return { ...opened, close: Scope.close(scope, Exit.void) }
})

describe("Readers", () => {
  it.effect("refuses a file that uses the memory up, and reads the next", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* refusalOf(demanding), "the file is too large to be read")
      assert.deepStrictEqual(yield* readAll(small), table)
    }).pipe(Effect.provide(Tables.layerWith({ memory: 24 })))
  )

  it.effect("refuses a file that takes too long, and reads the next", () =>
    Effect.gen(function* () {
      const refusal = yield* Effect.fork(refusalOf(demanding))
      yield* TestClock.adjust("29 seconds")
      assert.isTrue(Option.isNone(yield* Fiber.poll(refusal)))
      yield* TestClock.adjust("1 seconds")
      assert.strictEqual(yield* Fiber.join(refusal), "the file takes too long to be read")
      assert.deepStrictEqual(yield* readAll(small), table)
    }).pipe(Effect.provide(Tables.layer))
  )

  it.effect("refuses a file for which no reader is free in time, and reads it once one is", () =>
    Effect.gen(function* () {
      const first = yield* held(small, "ws_1")
      const refusal = yield* Effect.fork(refusalOf(small))
      yield* TestClock.adjust("30 seconds")
      assert.strictEqual(
        yield* Fiber.join(refusal),
        "other files are being read; send the same file again later"
      )
      yield* first.close
      assert.deepStrictEqual(yield* readAll(small), table)
    }).pipe(Effect.provide(Tables.layerWith({ readers: 1 })))
  )

  it.effect("reads two files at once, and the third when one of them is done with", () =>
    Effect.gen(function* () {
      const first = yield* held(small, "ws_1")
      const second = yield* held(small, "ws_2")
      const third = yield* Effect.fork(readAll(small))
      yield* TestClock.adjust("1 seconds")
      assert.isTrue(Option.isNone(yield* Fiber.poll(third)))
      yield* first.close
      assert.deepStrictEqual(yield* Fiber.join(third), table)
      assert.deepStrictEqual(Chunk.toReadonlyArray(yield* Stream.runCollect(second.rows)), [table.rows])
      yield* second.close
    }).pipe(Effect.provide(Tables.layer))
  )

  it.effect("reads one file of a workspace at a time, and that of another meanwhile", () =>
    Effect.gen(function* () {
      const first = yield* held(small, "ws_1")
      const second = yield* Effect.fork(readAll(small, "ws_1"))
      assert.deepStrictEqual(yield* readAll(small, "ws_2"), table)
      assert.isTrue(Option.isNone(yield* Fiber.poll(second)))
      yield* first.close
      assert.deepStrictEqual(yield* Fiber.join(second), table)
    }).pipe(Effect.provide(Tables.layer))
  )

  it.effect("gives a file that has waited all its time to be read", () =>
    Effect.gen(function* () {
      const first = yield* held(small, "ws_1")
      const refusal = yield* Effect.fork(refusalOf(demanding))
      yield* TestClock.adjust("29 seconds")
      yield* first.close
      yield* Effect.repeatN(Effect.yieldNow(), 20)
      yield* TestClock.adjust("29 seconds")
      assert.isTrue(Option.isNone(yield* Fiber.poll(refusal)))
      yield* TestClock.adjust("1 seconds")
      assert.strictEqual(yield* Fiber.join(refusal), "the file takes too long to be read")
    }).pipe(Effect.provide(Tables.layerWith({ readers: 1 })))
  )

  it.effect("reads many files that come together, each for itself", () =>
    Effect.gen(function* () {
      const rows = (n: number) => Array.from({ length: 600 }, (_, k) => [`+${n}`, `${k}`])
      const tables = yield* Effect.forEach(
        Array.from({ length: 20 }, (_, n) => n),
        (n) => readAll(csvFile([[`phone${n}`, "k"], ...rows(n)]), `ws_${n}`),
        { concurrency: "unbounded" }
      )
      for (const [n, { header, rows: read }] of tables.entries()) {
        assert.deepStrictEqual([header, ...read], [[`phone${n}`, "k"], ...numbered(rows(n))])
      }
    }).pipe(Effect.provide(Tables.layer))
  )

  it.effect("is free again when a reading is interrupted, at whatever time", () =>
    Effect.gen(function* () {
      for (let round = 0; round < 6; round += 1) {
        const reading = yield* Effect.fork(readAll(demanding))
        for (let turn = 0; turn < round; turn += 1) yield* Effect.yieldNow()
        yield* Fiber.interrupt(reading)
      }
      assert.deepStrictEqual(yield* readAll(small), table)
    }).pipe(Effect.provide(Tables.layerWith({ readers: 1 })))
  )

  it.effect("gives no rows of a file that was left early to the reader of the next", () =>
    Effect.gen(function* () {
      const rows = Array.from({ length: 3000 }, (_, n) => [`${n}`])
      const left = yield* held(csvFile([["left"], ...rows]), "ws_1")
      yield* Stream.runDrain(Stream.take(left.rows, 1))
      yield* left.close
      assert.deepStrictEqual(yield* readAll(small), table)
    }).pipe(Effect.provide(Tables.layerWith({ readers: 1 })))
  )

  it.scoped("keeps one reader for the next file, and no other", () =>
    Effect.gen(function* () {
      const { take } = yield* Readers.make({ memory: 256, most: 2 })
      const first = yield* Effect.scoped(take("ws_1"))
      assert.strictEqual(yield* Effect.scoped(take("ws_1")), first)
      const [one, other] = yield* Effect.scoped(Effect.all([take("ws_1"), take("ws_2")]))
      assert.strictEqual(one, first)
      assert.notStrictEqual(other, first)
      assert.strictEqual([one, other].filter((each) => each.isAlive()).length, 1)
    })
  )

  it.scoped("puts another in the place of a reader that has died", () =>
    Effect.gen(function* () {
      const { take } = yield* Readers.make({ memory: 256, most: 1 })
      const first = yield* Effect.scoped(take("ws_1"))
      yield* first.kill
      const second = yield* Effect.scoped(take("ws_1"))
      assert.notStrictEqual(second, first)
      assert.isTrue(second.isAlive())
    })
  )

  it.effect("leaves no reader behind", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const { take } = yield* Readers.make({ memory: 256, most: 2 }).pipe(Scope.extend(scope))
      const taken = yield* Effect.all([take("ws_1"), take("ws_2")]).pipe(Scope.extend(scope))
      yield* Scope.close(scope, Exit.void)
      assert.deepStrictEqual(
        taken.map((reader) => reader.isAlive()),
        [false, false]
      )
    })
  )

  it.live("lets a program end that does not close it", () =>
    Effect.gen(function* () {
      const script = fileURLToPath(new URL("program.ts", import.meta.url))
      const run = Effect.promise(() => promisify(execFile)(process.execPath, ["--import", "tsx", script]))
      const { stdout } = yield* Effect.timeout(run, "20 seconds")
      assert.strictEqual(stdout.trim(), "3 rows")
    })
  )
})
