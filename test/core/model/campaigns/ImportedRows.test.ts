import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import * as FastCheck from "effect/FastCheck"
import { accept, type Columns, columnsOf, phoneOf } from "../../../../core/model/campaigns/ImportedRows.ts"

const right = <A, E>(either: Either.Either<A, E>): A => Either.getOrThrow(either)
const left = <A, E>(either: Either.Either<A, E>): E => Either.getOrThrow(Either.flip(either))

describe("a phone cell", () => {
  it.each([
    ["+14155550123", "+14155550123"],
    [" +1 415 555 0123 ", "+14155550123"],
    ["+1 (415) 555-0123", "+14155550123"],
    ["+1.415.555.0123", "+14155550123"],
    ["+1\u00a0415\u00a0555\u00a00123", "+14155550123"],
    ["+1\u2010415\u2013555\u20140123", "+14155550123"],
    ["+49 30 1234567", "+49301234567"]
  ])("%j is the number %s", (cell, number) => {
    assert.strictEqual(right(phoneOf(cell)), number)
  })

  it.each([
    ["", "missing"],
    ["   ", "missing"],
    ["4155550123", "leading +"],
    ["0014155550123", "leading +"],
    ["+0123456789", "leading +"],
    ["+1415555O123", "leading +"],
    ["call me", "leading +"],
    ["=A1", "leading +"],
    ["+1415555012345678", "leading +"],
    ["+1415", "length"],
    ["+141555501234", "length"],
    ["1.41556E+10", "enter it again as text, with the leading + and the country code"],
    ["1,41556E+10", "enter it again as text"],
    ["+1.4e10", "enter it again as text"],
    [14155550123, "enter it again as text, with the leading + and the country code"]
  ])("%j is refused: %s", (cell, why) => {
    assert.include(left(phoneOf(cell)), why)
  })
})

describe("a header", () => {
  it.each([
    [["phone"], 0],
    [["Name", " PHONE_NUMBER "], 1],
    [["number", "mobile"], 1],
    [["mobile", "phone", "phone_number"], 2],
    [["number", "Mobile", "Phone"], 2],
    [["phone", "number", "number"], null],
    [["__proto__", "constructor", "phone"], 2]
  ] as const)("%j has its phone column at %s", (header, at) => {
    const columns = columnsOf(header)
    if (at === null) assert.isTrue(Either.isLeft(columns))
    else assert.strictEqual(right(columns).phone, at)
  })

  it.each([
    [[""], "first row is empty"],
    [["", " "], "first row is empty"],
    [["name", "city"], "no phone column: one column must be named phone_number, phone, mobile, number"],
    [["Ada", "+14155550123"], "no header: its first row holds a phone number"],
    [["phone", "name", "Phone "], "columns A and C are both named phone"],
    [["phone", "Timezone", "timezone"], "columns B and C are both named timezone"],
    [["phone", "name", "name"], "columns B and C have the same name"]
  ])("%j is refused: %s", (header, why) => {
    assert.include(left(columnsOf(header)).message, why)
  })

  it("names columns as a spreadsheet does", () => {
    const header = ["phone", ...Array.from({ length: 700 }, (_, i) => `v${i}`), "v0"]
    assert.include(left(columnsOf(header)).message, "columns B and ZZ")
  })
})

describe("a row", () => {
  const columns: Columns = right(columnsOf(["name", "phone", "timezone", "", "__proto__"]))
  const phone = "+14155550123"

  it("becomes a recipient with every other column as a variable, empty where the row is short", () => {
    const { timezone, variables } = right(accept(columns, { row: 2, cells: ["Ada", phone] }))
    assert.strictEqual(variables, '{"name":"Ada","timezone":"","__proto__":""}')
    assert.isNull(timezone)
  })

  it.each([
    [["Ada", phone, "Europe/Paris"], null],
    [["Ada", phone, "CET"], "timezone"],
    [["Ada", phone, "+02:00"], "timezone"],
    [["Ada", phone, "", "x"], "column D has no name"],
    [["Ada", phone, "", "", "", ""], null],
    [["Ada", phone, "", "", "", "", "x"], "column G is beyond the header"],
    [["Ada\u0000", phone], "NUL"],
    [["Ada\ud800", phone], "surrogates"],
    [["x".repeat(40_000), phone], "30000 bytes"],
    [["é".repeat(14_990), phone], "30000 bytes"],
    [["é".repeat(14_900), phone], null]
  ])("%# is taken or refused by its rule", (cells, why) => {
    const read = accept(columns, { row: 7, cells })
    if (why === null) assert.isTrue(Either.isRight(read))
    else {
      const { error, row, value } = left(read)
      assert.strictEqual(row, 7)
      assert.include(error, why)
      assert.isAtMost(value.length, 257)
    }
  })

  it.prop(
    "keeps every variable intact",
    {
      names: FastCheck.uniqueArray(FastCheck.string({ unit: "grapheme", minLength: 1, maxLength: 8 }), {
        maxLength: 6,
        selector: (name) => name
      }),
      text: FastCheck.string({ unit: "grapheme", maxLength: 30 })
    },
    ({ names, text }) => {
      const own = names.filter(
        (name) => name.trim() !== "" && !/^\s*(phone_number|phone|mobile|number|timezone)\s*$/i.test(name)
      )
      const header = ["phone", ...own]
      const { variables } = right(
        accept(right(columnsOf(header)), { row: 2, cells: [phone, ...own.map((name) => text + name)] })
      )
      const parsed = JSON.parse(variables) as Record<string, string>
      for (const name of own)
        assert.strictEqual(Object.getOwnPropertyDescriptor(parsed, name)?.value, text + name)
      assert.strictEqual(Object.keys(parsed).length, own.length)
    }
  )
})
