import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as TableReader from "../../../adapters/tables/TableReader.ts"
import { readAll, refusalOf } from "./Fixtures.ts"

const csv = (text: string) => readAll(Buffer.from(text))

layer(TableReader.layer)("Csv", (it) => {
  it.effect("tells the delimiter from the header: the one that occurs most outside of quotes", () =>
    Effect.gen(function* () {
      const headers: ReadonlyArray<readonly [string, ReadonlyArray<string>]> = [
        ["a,b;c,d", ["a", "b;c", "d"]],
        ["a;b,c;d", ["a", "b,c", "d"]],
        ["a\tb,c\td;e\tf", ["a", "b,c", "d;e", "f"]],
        ['"a,b,c,d";e', ["a,b,c,d", "e"]],
        ['"a "",,,"" b";e', ['a ",,," b', "e"]],
        ['"two\nlines,,,";e', ["two\nlines,,,", "e"]],
        ['5" disc;b;c,d', ['5" disc', "b", "c,d"]],
        ["alone", ["alone"]]
      ]
      for (const [text, header] of headers) {
        assert.deepStrictEqual((yield* csv(`${text}\n`)).header, header, text)
      }
    })
  )

  it.effect("does not let the rows decide about the delimiter", () =>
    Effect.gen(function* () {
      const { rows } = yield* csv("phone,name\n+1;;;;;;,Ada\n")
      assert.deepStrictEqual(rows, [{ row: 2, cells: ["+1;;;;;;", "Ada"] }])
    })
  )

  it.effect("ends a row at LF, CRLF or a lone CR, and needs none at the end", () =>
    Effect.gen(function* () {
      const { rows } = yield* csv("phone\n1\r\n2\r3\n\r4")
      assert.deepStrictEqual(
        rows.map(({ cells, row }) => [row, ...cells]),
        [
          [2, "1"],
          [3, "2"],
          [4, "3"],
          [6, "4"]
        ]
      )
    })
  )

  it.effect("counts a row for each record, however many lines it has", () =>
    Effect.gen(function* () {
      const { rows } = yield* csv('phone,note\n1,"a\nb\r\nc"\n\n2,d\n')
      assert.deepStrictEqual(rows, [
        { row: 2, cells: ["1", "a\nb\r\nc"] },
        { row: 4, cells: ["2", "d"] }
      ])
    })
  )

  it.effect("keeps quotes that stand inside of cells", () =>
    Effect.gen(function* () {
      const { rows } = yield* csv('phone,size\n1,5" disc\n2,"5"" disc"\n3,"big" disc\n4,""\n5,""""\n')
      assert.deepStrictEqual(
        rows.map(({ cells }) => cells[1]),
        ['5" disc', '5" disc', '"big" disc', "", '"']
      )
    })
  )

  it.effect("neither trims cells nor makes numbers of them", () =>
    Effect.gen(function* () {
      const { rows } = yield* csv("phone,a,b\n 007 ,1e3,\u00a0x\u00a0\n")
      assert.deepStrictEqual(rows, [{ row: 2, cells: [" 007 ", "1e3", "\u00a0x\u00a0"] }])
    })
  )

  it.effect("names the row in which a quote begins that is not closed", () =>
    Effect.gen(function* () {
      const begins = (row: number) => `a quote that begins in row ${row} is not closed`
      assert.strictEqual(yield* refusalOf(Buffer.from('"phone')), begins(1))
      assert.strictEqual(yield* refusalOf(Buffer.from('phone,n\n1,"a\nb"\n\n2,"c\n3,d\n')), begins(4))
      assert.strictEqual(yield* refusalOf(Buffer.from('phone\n1\n"secret""\n2\n')), begins(3))
    })
  )

  it.effect("reads a table whose rows all differ from the header about as fast as any other", () =>
    Effect.gen(function* () {
      const rows = Array.from({ length: 150_000 }, (_, n) => `+1415555${n},Ada\n`).join("")
      const table = yield* csv(`phone,name,city\n${rows}`)
      assert.strictEqual(table.rows.length, 150_000)
      assert.strictEqual(table.rows.at(-1)!.row, 150_001)
    })
  )
})
