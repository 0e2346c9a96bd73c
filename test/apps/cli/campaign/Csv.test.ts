import { parse } from "csv-parse/sync"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FastCheck, Stream } from "effect"
import * as Csv from "../../../../apps/cli/campaign/Csv.ts"
import type { RowError } from "../../../../core/model/campaigns/CampaignImport.ts"

const textOf = (errors: ReadonlyArray<RowError>) =>
  Effect.map(Stream.runCollect(Csv.ofErrors(errors)), (pieces) => Buffer.concat([...pieces]).toString("utf8"))

describe("row errors as CSV", () => {
  it.effect("have a header, and cells that no spreadsheet calculates", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* textOf([]), "row,error,value\r\n")
      const text = yield* textOf([
        { row: 2, error: "repeats the phone number of row 1", value: "+14155550123" },
        { row: 3, error: "must have a leading +, and digits", value: '=cmd|"/c"' },
        { row: 4, error: "a\nb", value: "" }
      ])
      assert.strictEqual(
        text,
        "row,error,value\r\n" +
          "2,repeats the phone number of row 1,'+14155550123\r\n" +
          `3,"must have a leading +, and digits","'=cmd|""/c"""\r\n` +
          '4,"a\nb",\r\n'
      )
    })
  )

  it.effect.prop(
    "are read again as they were written, and counted as they pass by, however they are cut",
    [
      FastCheck.array(
        FastCheck.string({ unit: FastCheck.constantFrom("a", '"', ",", ";", "\n", "\r", "日") }),
        {
          maxLength: 40
        }
      ),
      FastCheck.integer({ min: 1, max: 20 })
    ],
    ([values, step]) =>
      Effect.gen(function* () {
        const errors = values.map((value, i) => ({ row: i + 2, error: "wrong", value: `_${value}` }))
        const text = yield* textOf(errors)
        const [, ...rows] = parse(text) as Array<Array<string>>
        assert.deepStrictEqual(
          rows,
          errors.map(({ row, value }) => [String(row), "wrong", value])
        )
        const counter = Csv.counter()
        const bytes = Buffer.from(text)
        for (let at = 0; at < bytes.length; at += step) counter.push(bytes.subarray(at, at + step))
        assert.strictEqual(counter.count(), errors.length + 1)
      })
  )

  it("a last record without a line break counts too", () => {
    const counter = Csv.counter()
    counter.push(Buffer.from("a,b\n1,2"))
    assert.strictEqual(counter.count(), 2)
  })
})
