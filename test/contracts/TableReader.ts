import { assert, layer as withLayer } from "@effect/vitest"
import { Effect, type Layer, Stream } from "effect"
import * as FastCheck from "effect/FastCheck"
import { TableReader } from "../../core/ports/TableReader.ts"
import { csvFile, numbered, readAll, refusalOf, xlsxFile } from "../adapters/tables/Fixtures.ts"

/** The same table, in both formats: text cells alone, the header first. */
const shapes: Record<string, ReadonlyArray<ReadonlyArray<string>>> = {
  "a header and a row": [
    ["phone", "name"],
    ["+14155550123", "Ada"]
  ],
  "a header alone": [["phone", "name"]],
  "one column": [["phone"], ["+14155550123"], ["+14155550124"]],
  "blank rows among the others": [
    ["phone", "name"],
    ["", ""],
    ["+14155550123", "Ada"],
    ["  ", "\t"],
    [" "],
    ["+14155550124", "Bob"],
    ["", ""]
  ],
  "rows with fewer and more cells than the header": [
    ["phone", "name"],
    ["+14155550123"],
    ["+14155550124", "Bob", "more", "still more"]
  ],
  "empty cells at every place": [
    ["phone", "", "city"],
    ["", "Ada", ""],
    ["+14155550124", "", "Bonn"]
  ],
  "quotes, delimiters and newlines in cells": [
    ["phone", 'the "name"', "a,b;c\td"],
    ['"', '""', "one\ntwo\n\nthree"],
    [",", ";", "\t."]
  ],
  "spaces at either end of a cell": [
    [" phone ", "name  "],
    ["  +14155550123 ", " Ada"]
  ],
  "text that looks like something else": [
    ["phone", "a", "b", "c", "d"],
    ["4.91512E+12", "007", "1,5", "TRUE", "2024-01-31"],
    ["+14155550123", "=1+1", "#N/A", "null", "-0"]
  ],
  "text of the whole of Unicode": [
    ["телефон", "نام", "名前"],
    ["+14155550123", "Zoë ☎", "👩‍👩‍👧 \u{10ffff}"],
    ["<&>'", "&amp;amp;", "]]>"]
  ],
  "names that objects have of themselves": [
    ["phone", "constructor", "__proto__", "toString", "__proto__"],
    ["+14155550123", "__proto__", "constructor", "hasOwnProperty", ""]
  ],
  "more rows than a slice holds": [
    ["phone", "n"],
    ...Array.from({ length: 1234 }, (_, n) => [`+1415555${n}`, String(n)])
  ],
  "as many columns as there may be": [
    Array.from({ length: 500 }, (_, n) => `c${n}`),
    Array.from({ length: 500 }, (_, n) => `v${n}`)
  ]
}

const character = FastCheck.oneof(
  FastCheck.constantFrom(..."\",;\t\r\n \ufeff=+-@'ab1"),
  FastCheck.fullUnicode().filter((each) => each !== "\0")
)
const cell = FastCheck.array(character, { maxLength: 6 }).map((each) => each.join(""))
const row = FastCheck.array(cell, { minLength: 1, maxLength: 5 })
const table = FastCheck.tuple(
  FastCheck.array(cell, { minLength: 1, maxLength: 4 }),
  FastCheck.array(row, { maxLength: 12 })
).map(([names, rows]) => [["phone", ...names], ...rows])

/** What every TableReader does with the files that people upload. */
export const tableReaderContract = (name: string, layer: Layer.Layer<TableReader>) =>
  withLayer(layer, { timeout: "20 seconds" })(`TableReader: ${name}`, (it) => {
    for (const [shape, rows] of Object.entries(shapes)) {
      it.effect(`reads ${shape} alike from CSV and from XLSX`, () =>
        Effect.gen(function* () {
          const expected = { header: rows[0], rows: numbered(rows.slice(1)) }
          assert.deepStrictEqual(yield* readAll(csvFile(rows)), { format: "csv", ...expected })
          assert.deepStrictEqual(yield* readAll(xlsxFile(rows, { bookSST: true })), {
            format: "xlsx",
            ...expected
          })
          assert.deepStrictEqual(yield* readAll(xlsxFile(rows, { bookSST: false })), {
            format: "xlsx",
            ...expected
          })
        })
      )
    }

    it.effect.prop(
      "reads any table of text as it was written, with any delimiter and newline",
      [table, FastCheck.constantFrom(",", ";", "\t"), FastCheck.constantFrom("\n", "\r\n", "\r")],
      ([rows, delimiter, newline]) =>
        Effect.gen(function* () {
          const { header, rows: read } = yield* readAll(csvFile(rows, { delimiter, newline }))
          assert.deepStrictEqual([header, ...read], [rows[0], ...numbered(rows.slice(1))])
        }),
      { fastCheck: { numRuns: 200 }, timeout: 60_000 }
    )

    it.effect("tells what a file is from its content, not from what it begins like", () =>
      Effect.gen(function* () {
        assert.strictEqual((yield* readAll(Buffer.from("PK,phone\n1,2"))).format, "csv")
        assert.deepStrictEqual((yield* readAll(Buffer.from("GIF8,phone\n1,2"))).header, ["GIF8", "phone"])
      })
    )

    it.effect("gives rows as they are pulled, a slice at a time", () =>
      Effect.scoped(
        Effect.gen(function* () {
          const reader = yield* TableReader
          const rows = Array.from({ length: 5000 }, (_, n) => [String(n), "x"])
          const opened = yield* reader.open("ws_1", csvFile([["phone", "name"], ...rows]))
          const slices = yield* Stream.runCollect(Stream.take(opened.rows, 2))
          const [first, second] = [...slices]
          assert.strictEqual(first![0]!.row, 2)
          assert.isAtMost(first!.length, 1000)
          assert.strictEqual(second![0]!.row, first!.length + 2)
        })
      )
    )

    it.effect("reads a file while the rows of another are still to be pulled", () =>
      Effect.scoped(
        Effect.gen(function* () {
          const reader = yield* TableReader
          const rows = Array.from({ length: 3000 }, (_, n) => [String(n)])
          const outer = yield* reader.open("ws_1", csvFile([["outer"], ...rows]))
          const inner = yield* readAll(csvFile([["inner"], ["1"]]))
          assert.deepStrictEqual(inner.header, ["inner"])
          const pulled = yield* Stream.runCollect(outer.rows)
          assert.deepStrictEqual([...pulled].flat(), numbered(rows))
        })
      )
    )

    it.effect("refuses a file without a table, and says why", () =>
      Effect.gen(function* () {
        for (const empty of ["", " \n\t\r\n", "\ufeff", "\n\n\n", ",,,\n ,\t\n"]) {
          assert.strictEqual(yield* refusalOf(Buffer.from(empty)), "the file is empty", JSON.stringify(empty))
        }
        assert.strictEqual(yield* refusalOf(xlsxFile([[]])), "the file is empty")
        assert.strictEqual(yield* refusalOf(xlsxFile([[" "], [""]])), "the file is empty")
        for (const headless of [csvFile([["", " "], ["phone"]]), xlsxFile([["", " "], ["phone"]])]) {
          assert.strictEqual(yield* refusalOf(headless), "the first row must be a header")
        }
      })
    )
  })
