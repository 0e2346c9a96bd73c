import { constants, deflateRawSync } from "node:zlib"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as TableReader from "../../../adapters/tables/TableReader.ts"
import {
  csvFile,
  inlineRow,
  numbered,
  packageFile,
  readAll,
  refusalOf,
  relationships,
  sheetFile,
  sheetXml,
  soundParts,
  stringsXml,
  workbookXml,
  xlsxFile,
  type ZipEntry,
  zipFile
} from "./Fixtures.ts"

const megabytes = (count: number, text: string) => text.repeat(Math.floor((count * 1_000_000) / text.length))

const damaged = "the .xlsx spreadsheet is damaged: open it in a spreadsheet program and save it again"
const tooLarge = "the file is too large to be read"

/** A raw deflate stream of spaces, `gigabytes` of them, of about a thousandth of that size. */
const deflatedSpaces = (gigabytes: number): Buffer => {
  const block = deflateRawSync(Buffer.alloc(16_000_000, " "), { finishFlush: constants.Z_SYNC_FLUSH })
  const blocks = Math.ceil((gigabytes * 1000) / 16)
  return Buffer.concat([...Array.from({ length: blocks }, () => block), Buffer.from([0x03, 0x00])])
}

const sheetPart = "xl/worksheets/sheet1.xml"

const declaredWrong = (declared: ZipEntry["declared"]): Uint8Array =>
  packageFile({}, [{ name: sheetPart, data: soundParts[sheetPart]!, ...(declared && { declared }) }])

/** Refused for being damaged, one like the other. */
const broken: Record<string, Uint8Array> = {
  "cut off in the middle": packageFile().subarray(0, 700),
  "cut off in its directory": packageFile().subarray(0, -30),
  "cut off after its first bytes": Buffer.from("PK\x03\x04"),
  "with two parts of one name": packageFile({}, [
    { name: sheetPart, data: soundParts[sheetPart]! },
    { name: sheetPart.toUpperCase(), data: sheetXml(inlineRow(1, ["other"])) }
  ]),
  "with a part outside of it": packageFile({ "../../etc/passwd": "x" }),
  "with a part outside of it in another spelling": packageFile({ "xl\\..\\..\\etc\\passwd": "x" }),
  "with a part that ends past the file": declaredWrong({ compressed: 0x7fffffff }),
  "with a part of which less is said to be there": declaredWrong({ compressed: 40 }),
  "with a compression that is none": packageFile({}, [
    { name: sheetPart, data: "x".repeat(100), method: 99 }
  ]),
  "with noise for a compressed part": packageFile({}, [
    { name: sheetPart, data: Buffer.from("ÿ".repeat(5000), "latin1"), deflated: true }
  ]),
  "with entities that grow": sheetFile(inlineRow(1, ["&lol9;"]), {
    "xl/workbook.xml": `<!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol9 "${"&lol;".repeat(1000)}">]>${soundParts["xl/workbook.xml"]}`
  }),
  "with an entity from elsewhere": packageFile({
    [sheetPart]: `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>${sheetXml(inlineRow(1, ["&e;"]))}`
  }),
  "with a string that there is not": sheetFile('<row r="1"><c r="A1" t="s"><v>7</v></c></row>', {
    "xl/sharedStrings.xml": stringsXml(["<t>phone</t>"])
  }),
  "without its sheet's part": packageFile({
    "xl/_rels/workbook.xml.rels": relationships([["rId1", "worksheet", "worksheets/none.xml"]])
  }),
  "with a sheet that has no data": packageFile({ [sheetPart]: "<worksheet/>" }),
  "with a sheet that has no end": packageFile({
    [sheetPart]: sheetXml(inlineRow(1, ["phone"])).replace("</sheetData></worksheet>", "")
  }),
  "with a workbook of five megabytes of tags": packageFile({
    "xl/workbook.xml": workbookXml(megabytes(5, '<sheet name="a" r:id="a"/>'))
  })
}

/** Refused for what would come of it. */
const bombs: Record<string, () => Uint8Array> = {
  "of a sheet of three gigabytes": () =>
    packageFile({}, [{ name: sheetPart, data: deflatedSpaces(3), deflated: true }]),
  "whose sizes are declared small": () =>
    packageFile({}, [{ name: sheetPart, data: deflatedSpaces(3), deflated: true, declared: { size: 1000 } }]),
  "of shared strings": () =>
    packageFile({}, [{ name: "xl/sharedStrings.xml", data: deflatedSpaces(1), deflated: true }]),
  "of a few kilobytes whose parts are all one": () =>
    zipFile([
      ...Object.entries(soundParts)
        .filter(([name]) => name !== sheetPart)
        .map(([name, data]) => ({ name, data })),
      ...[sheetPart, "xl/sharedStrings.xml", "xl/styles.xml"].map((name, index) => ({
        name,
        data: deflateRawSync(sheetXml(megabytes(60, " "))),
        deflated: true,
        overlaps: index > 0
      }))
    ]),
  "of one long string that every cell repeats": () =>
    sheetFile(
      inlineRow(1, ["phone"]) +
        Array.from(
          { length: 5000 },
          (_, n) => `<row r="${n + 2}"><c r="A${n + 2}" t="s"><v>0</v></c></row>`
        ).join(""),
      { "xl/sharedStrings.xml": stringsXml([`<t>${megabytes(1, "lol")}</t>`]) }
    )
}

layer(TableReader.layer, { timeout: "60 seconds" })("a hostile .xlsx", (it) => {
  for (const [name, file] of Object.entries(broken)) {
    it.effect(`${name} is refused as damaged`, () =>
      Effect.gen(function* () {
        assert.strictEqual(yield* refusalOf(file), damaged)
      })
    )
  }

  for (const [name, make] of Object.entries(bombs)) {
    it.effect(
      `${name} is refused as too large`,
      () =>
        Effect.gen(function* () {
          const file = make()
          assert.isAtMost(file.length, 5_000_000)
          assert.strictEqual(yield* refusalOf(file), tooLarge)
        }),
      30_000
    )
  }

  it.effect("that is encrypted is refused as such", () =>
    Effect.gen(function* () {
      const file = packageFile({}, [{ name: sheetPart, data: soundParts[sheetPart]!, flags: 1 }])
      assert.strictEqual(yield* refusalOf(file), "the .xlsx spreadsheet is encrypted")
    })
  )

  it.effect("with more parts than a spreadsheet has is refused", () =>
    Effect.gen(function* () {
      const parts = Object.fromEntries(Array.from({ length: 1001 }, (_, n) => [`xl/media/${n}.png`, ""]))
      assert.strictEqual(yield* refusalOf(packageFile(parts)), "the .xlsx spreadsheet has too many parts")
    })
  )

  it.effect("in UTF-16 is refused, and not read as an empty sheet", () =>
    Effect.gen(function* () {
      const wide = Buffer.from(`\ufeff${soundParts[sheetPart]!.replace("UTF-8", "UTF-16")}`, "utf16le")
      assert.match(yield* refusalOf(packageFile({ [sheetPart]: wide })), /parts are not UTF-8/)
    })
  )

  it.effect("whose headers lie about what comes out is read for what comes out", () =>
    Effect.gen(function* () {
      const sound = yield* readAll(packageFile())
      for (const size of [0, 1, 0x7fffffff]) {
        assert.deepStrictEqual(yield* readAll(declaredWrong({ size })), sound)
      }
    })
  )

  it.effect("with a part of gigabytes that no table needs is read without it", () =>
    Effect.gen(function* () {
      const file = packageFile({}, [{ name: "xl/media/image1.png", data: deflatedSpaces(2), deflated: true }])
      assert.deepStrictEqual((yield* readAll(file)).header, ["phone", "name"])
    })
  )

  it.effect("that says it is as large as a sheet can be is read for what it holds", () =>
    Effect.gen(function* () {
      const around = [
        '<dimension ref="A1:XFD1048576"/>',
        '<hyperlinks><hyperlink ref="A1:XFD1048576" r:id="rId1" location="x"/></hyperlinks>'
      ] as const
      const file = sheetFile(inlineRow(1, ["phone"]) + inlineRow(2, ["+1"]), {}, around)
      assert.deepStrictEqual((yield* readAll(file)).rows, numbered([["+1"]]))
    })
  )

  it.effect("with one cell in the last corner is refused without walking there", () =>
    Effect.gen(function* () {
      const cell = (at: string, row: number) => `<row r="${row}"><c r="${at}${row}"><v>1</v></c></row>`
      const header = inlineRow(1, ["phone"])
      assert.strictEqual(
        yield* refusalOf(sheetFile(header + cell("XFD", 1_048_576))),
        "the file has too many rows: at most 500,000 rows"
      )
      assert.strictEqual(
        yield* refusalOf(sheetFile(header + cell("XFD", 5))),
        "row 5 has too many cells: at most 2,000 cells"
      )
      assert.strictEqual(
        yield* refusalOf(sheetFile(header + cell("A", 99_999_999_999))),
        "the file has too many rows: at most 500,000 rows"
      )
    })
  )

  it.effect("with a NUL in a cell is refused, and the row is named", () =>
    Effect.gen(function* () {
      const file = sheetFile(inlineRow(1, ["phone"]) + inlineRow(2, ["a_x0000_b"]))
      assert.strictEqual(yield* refusalOf(file), "row 2 holds a NUL character")
    })
  )

  it.effect("with half of a surrogate pair is read as well-formed text", () =>
    Effect.gen(function* () {
      const file = sheetFile(inlineRow(1, ["phone"]) + inlineRow(2, ["a_xD800_b"]))
      for (const { cells } of (yield* readAll(file)).rows) {
        assert.isTrue(cells.every((cell) => String(cell).isWellFormed()))
      }
    })
  )

  it.effect("is never repeated in the message, whatever is wrong with it", () =>
    Effect.gen(function* () {
      const secret = "+14155550123"
      const files = [
        Buffer.from(`phone\n"${secret}`),
        Buffer.from(`phone,${secret}\0`),
        Buffer.concat([Buffer.from(`phone\n${secret}`), Buffer.from([0xff])]),
        csvFile([["phone"], Array.from({ length: 2001 }, () => secret)]),
        sheetFile(inlineRow(1, [secret, "_x0000_"])),
        zipFile([{ name: `${secret}.csv`, data: secret }]),
        packageFile({ [`${secret}/../x`]: secret })
      ]
      for (const file of files) assert.notInclude(yield* refusalOf(file), "4155550123")
    })
  )
})

const wide = (columns: number) => Array.from({ length: columns }, (_, n) => `c${n}`)

layer(TableReader.layer, { timeout: "60 seconds" })("a hostile table", (it) => {
  it.effect("with more columns than there may be is refused", () =>
    Effect.gen(function* () {
      const message = "the file has too many columns: at most 500 columns"
      for (const columns of [501, 16_384]) {
        assert.strictEqual(yield* refusalOf(csvFile([wide(columns)])), message)
        assert.strictEqual(yield* refusalOf(xlsxFile([wide(columns)])), message)
      }
    })
  )

  it.effect("with a row far wider than its header is refused, and the row is named", () =>
    Effect.gen(function* () {
      const message = "row 3 has too many cells: at most 2,000 cells"
      const rows = (columns: number) => [["phone"], ["+1"], wide(columns)]
      assert.strictEqual(yield* refusalOf(csvFile(rows(2001))), message)
      assert.strictEqual(yield* refusalOf(xlsxFile(rows(2001))), message)
      assert.strictEqual((yield* readAll(csvFile(rows(2000)))).rows[1]!.cells.length, 2000)
      assert.strictEqual((yield* readAll(xlsxFile(rows(2000)))).rows[1]!.cells.length, 2000)
    })
  )

  it.effect("with one cell of five megabytes is read", () =>
    Effect.gen(function* () {
      const cell = megabytes(5, "x")
      assert.deepStrictEqual((yield* readAll(csvFile([["phone"], [cell]]))).rows, numbered([[cell]]))
    })
  )

  it.effect("of five megabytes of quotes is read as a cell of quotes, or refused as unclosed", () =>
    Effect.gen(function* () {
      const even = yield* readAll(Buffer.from(megabytes(4, '"')))
      assert.deepStrictEqual(even.header, [megabytes(4, '"').slice(0, 1_999_999)])
      assert.strictEqual(
        yield* refusalOf(Buffer.from(`${megabytes(4, '"')}"`)),
        "a quote that begins in row 1 is not closed"
      )
    })
  )

  it.effect(
    "of five megabytes of delimiters or newlines is refused as empty",
    () =>
      Effect.gen(function* () {
        for (const text of [",", ";", "\t", "\n", "\r\n", " "]) {
          assert.strictEqual(yield* refusalOf(Buffer.from(megabytes(5, text))), "the file is empty")
        }
      }),
    60_000
  )

  it.effect(
    "of a header and five megabytes of blank rows has no rows",
    () =>
      Effect.gen(function* () {
        const table = yield* readAll(Buffer.from(`phone,name\n${megabytes(5, "\n")}`))
        assert.deepStrictEqual(table, { format: "csv", header: ["phone", "name"], rows: [] })
      }),
    30_000
  )

  it.effect("of five megabytes of delimiters in one row is refused", () =>
    Effect.gen(function* () {
      assert.strictEqual(
        yield* refusalOf(Buffer.from(`phone\nx${megabytes(5, ",")}`)),
        "row 2 has too many cells: at most 2,000 cells"
      )
    })
  )

  it.effect("of more rows than there may be is refused, wherever the last of them stands", () =>
    Effect.gen(function* () {
      const message = "the file has too many rows: at most 500,000 rows"
      const rows = (count: number) => Buffer.from(`phone\n${"1\n".repeat(count)}`)
      assert.strictEqual((yield* readAll(rows(500_000))).rows.length, 500_000)
      assert.strictEqual(yield* refusalOf(rows(500_001)), message)
      assert.strictEqual(yield* refusalOf(Buffer.from(`phone\n${"\n".repeat(500_000)}1`)), message)
    })
  )
})
