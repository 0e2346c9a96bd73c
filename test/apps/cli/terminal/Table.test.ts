import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { moment, pairs, printable, table, widthOf, wrap } from "../../../../apps/cli/terminal/Table.ts"

interface Row {
  readonly name: string
  readonly count: number
}

const columns = [
  { title: "NAME", value: ({ name }: Row) => name },
  { title: "COUNT", value: ({ count }: Row) => count }
]
const rows = [
  { name: "short", count: 5 },
  { name: "rather a long name", count: 1_000 }
]

describe("tables", () => {
  it("align texts to the left and numbers to the right", () => {
    assert.strictEqual(
      table(columns, rows),
      ["NAME                COUNT", "short                   5", "rather a long name   1000"].join("\n")
    )
  })

  it("turn into blocks, with nothing cut off, where the terminal is too narrow", () => {
    assert.strictEqual(
      table(columns, rows, 24),
      ["NAME   short", "COUNT  5", "", "NAME   rather a long name", "COUNT  1000"].join("\n")
    )
    assert.include(table(columns, rows, 25), "NAME                COUNT")
  })

  it("count the cells that wide and combining characters take", () => {
    assert.strictEqual(widthOf("日本"), 4)
    assert.strictEqual(widthOf("e\u0301"), 1)
    assert.strictEqual(widthOf("👩‍👩‍👧"), 2)
    const [, wide, narrow] = table(columns, [
      { name: "日本", count: 1 },
      { name: "abcd", count: 1 }
    ]).split("\n")
    assert.strictEqual(widthOf(wide!), widthOf(narrow!))
  })

  it("show characters that could steer the terminal instead of obeying them", () => {
    const hostile = "a\u001b[2Jb\nc\r\u202ed"
    assert.strictEqual(printable(hostile), "a\\u001b[2Jb\\u000ac\\u000d\\u202ed")
    assert.strictEqual(table(columns, [{ name: hostile, count: 1 }]).split("\n").length, 2)
  })

  it("keep every row on one line of equal places, whatever the names", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.array(FastCheck.string({ unit: "grapheme" }), { minLength: 1 }),
        (names) => {
          const lines = table(
            [
              { title: "NAME", value: (name: string) => name },
              { title: "END", value: () => "|" }
            ],
            names
          ).split("\n")
          assert.strictEqual(lines.length, names.length + 1)
          assert.strictEqual(new Set(lines.slice(1).map(widthOf)).size, 1)
        }
      )
    )
  })

  it("name and value pairs are aligned", () => {
    assert.strictEqual(
      pairs([
        ["ID", "ws_1"],
        ["NAME", "Acme"]
      ]),
      "ID    ws_1\nNAME  Acme"
    )
  })

  it("wrapping loses no word and exceeds the width with single words alone", () => {
    FastCheck.assert(
      FastCheck.property(
        FastCheck.array(FastCheck.stringMatching(/^[a-z]{1,12}$/), { minLength: 1 }),
        FastCheck.integer({ min: 5, max: 40 }),
        (words, width) => {
          const lines = wrap(words.join(" "), width)
          assert.deepStrictEqual(lines.join(" ").split(" "), words)
          assert.isTrue(lines.every((line) => line.length <= width || !line.includes(" ")))
        }
      )
    )
  })

  it("moments are given to the second, in UTC", () => {
    assert.strictEqual(moment(Date.UTC(2026, 1, 3, 4, 5, 6, 789)), "2026-02-03 04:05:06Z")
  })
})
