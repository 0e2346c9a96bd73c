import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as TableReader from "../../../adapters/tables/TableReader.ts"
import {
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
  zipFile
} from "./Fixtures.ts"

const rowsOf = (file: Uint8Array) => Effect.map(readAll(file), ({ rows }) => rows)

const styles = (formats: ReadonlyArray<number>, own = "") =>
  `<styleSheet>${own}<cellXfs>${formats.map((id) => `<xf numFmtId="${id}"/>`).join("")}</cellXfs></styleSheet>`

layer(TableReader.layer)("Xlsx", (it) => {
  it.effect("reads plain numbers as numbers, whatever their number format", () =>
    Effect.gen(function* () {
      const numbers = [14155550123, 4.91512345678e12, 0.5, -1, 0]
      const money = { t: "n", v: 12.5, z: "#,##0.00" } as const
      const percent = { t: "n", v: 0.25, z: "0%" } as const
      const rows = yield* rowsOf(xlsxFile([["phone"], numbers, [money, percent]]))
      assert.deepStrictEqual(rows, numbered([numbers, [12.5, 0.25]]))
    })
  )

  it.effect("reads dates and times as the sheet displays them", () =>
    Effect.gen(function* () {
      const cell = (v: number, z: string) => ({ t: "n", v, z }) as const
      const rows = yield* rowsOf(
        xlsxFile([
          ["a", "b", "c", "d"],
          [
            cell(45322, "yyyy-mm-dd"),
            cell(45322.5, "dd/mm/yyyy hh:mm"),
            cell(0.75, "h:mm AM/PM"),
            cell(45322, "m/d/yy")
          ]
        ])
      )
      assert.deepStrictEqual(rows, numbered([["2024-01-31", "31/01/2024 12:00", "6:00 PM", "1/31/24"]]))
    })
  )

  it.effect("counts dates from 1904 where the workbook does", () =>
    Effect.gen(function* () {
      const date =
        '<row r="1"><c r="A1" t="inlineStr"><is><t>d</t></is></c></row><row r="2"><c r="A2" s="1"><v>43860</v></c></row>'
      const own = '<numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy-mm-dd"/></numFmts>'
      const file = (properties: string) =>
        sheetFile(date, {
          "xl/styles.xml": styles([0, 164], own),
          "xl/workbook.xml": workbookXml('<sheet name="S" sheetId="1" r:id="rId1"/>', properties)
        })
      assert.deepStrictEqual(yield* rowsOf(file('<workbookPr date1904="1"/>')), numbered([["2024-01-31"]]))
      assert.deepStrictEqual(yield* rowsOf(file("<workbookPr/>")), numbered([["2020-01-30"]]))
    })
  )

  it.effect("reads booleans and errors as their words", () =>
    Effect.gen(function* () {
      const rows = yield* rowsOf(
        xlsxFile([
          ["phone"],
          [true, false, { t: "e", v: 0x2a, w: "#N/A" }, { t: "e", v: 0x07, w: "#DIV/0!" }]
        ])
      )
      assert.deepStrictEqual(rows, numbered([["TRUE", "FALSE", "#N/A", "#DIV/0!"]]))
    })
  )

  it.effect("reads a formula as its text, and never its result", () =>
    Effect.gen(function* () {
      const rows = yield* rowsOf(
        xlsxFile([
          ["phone", "b"],
          [
            { t: "s", v: "+14155550123", f: 'CONCATENATE("+",B2)' },
            { t: "n", v: 14155550123, f: "1+A1" }
          ]
        ])
      )
      assert.deepStrictEqual(rows, numbered([['=CONCATENATE("+",B2)', "=1+A1"]]))
      const shared = yield* rowsOf(
        sheetFile(
          inlineRow(1, ["phone"]) +
            '<row r="2"><c r="A2"><f t="shared" ref="A2:A3" si="0">B2+1</f><v>1</v></c></row>' +
            '<row r="3"><c r="A3"><f t="shared" si="0"/><v>2</v></c></row>'
        )
      )
      assert.deepStrictEqual(shared, numbered([["=B2+1"], ["=B3+1"]]))
    })
  )

  it.effect("reads text from wherever a workbook keeps it", () =>
    Effect.gen(function* () {
      const file = sheetFile(
        '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>' +
          '<row r="2"><c r="A2" t="str"><v>&#233;&amp;amp;☎</v></c><c r="B2" t="inlineStr"><is><t xml:space="preserve"> a </t></is></c></row>',
        {
          "xl/sharedStrings.xml": stringsXml([
            '<t xml:space="preserve"> phone</t>',
            '<r><t>na</t></r><r><rPr><b/></rPr><t>me ☎</t></r><rPh sb="0" eb="1"><t>phonetic</t></rPh>'
          ])
        }
      )
      const { header, rows } = yield* readAll(file)
      assert.deepStrictEqual(header, [" phone", "name ☎"])
      assert.deepStrictEqual(rows, numbered([["é&amp;☎", " a "]]))
    })
  )

  it.effect("reads the first sheet that can be seen, whatever its part is called", () =>
    Effect.gen(function* () {
      const sheet = (name: string) => sheetXml(inlineRow(1, [name]))
      const file = packageFile({
        "xl/workbook.xml": workbookXml(
          '<sheet name="Chart" sheetId="9" r:id="c"/><sheet name="Gone" sheetId="1" state="hidden" r:id="a"/><sheet name="Deep" sheetId="4" state="veryHidden" r:id="b"/><sheet name="Seen" sheetId="2" state="visible" r:id="d"/><sheet name="Next" sheetId="3" r:id="e"/>'
        ),
        "xl/_rels/workbook.xml.rels": relationships([
          ["e", "worksheet", "worksheets/sheet1.xml"],
          ["d", "worksheet", "/xl/data/Seen.xml"],
          ["a", "worksheet", "worksheets/hidden.xml"],
          ["b", "worksheet", "worksheets/deep.xml"],
          ["c", "chartsheet", "chartsheets/sheet1.xml"]
        ]),
        "xl/data/seen.xml": sheet("seen"),
        "xl/worksheets/hidden.xml": sheet("hidden"),
        "xl/worksheets/deep.xml": sheet("deep")
      })
      assert.deepStrictEqual((yield* readAll(file)).header, ["seen"])
      const hidden = packageFile({
        "xl/workbook.xml": workbookXml('<sheet name="Gone" sheetId="1" state="hidden" r:id="rId1"/>')
      })
      assert.strictEqual(yield* refusalOf(hidden), "the .xlsx spreadsheet has no visible sheet")
    })
  )

  it.effect("reads a workbook that says its names with a prefix", () =>
    Effect.gen(function* () {
      const sheet =
        '<x:worksheet xmlns:x="m"><x:sheetData><x:row r="1"><x:c r="A1" t="inlineStr"><x:is><x:t>phone</x:t></x:is></x:c></x:row></x:sheetData></x:worksheet>'
      const book =
        '<x:workbook xmlns:x="m" xmlns:q="r"><x:sheets><x:sheet name="S" sheetId="1" q:id="rId1"/></x:sheets></x:workbook>'
      const file = packageFile({ "xl/workbook.xml": book, "xl/worksheets/sheet1.xml": sheet })
      assert.deepStrictEqual((yield* readAll(file)).header, ["phone"])
    })
  )

  it.effect("reads a workbook whose parts have names with a slash before them, backslashes or capitals", () =>
    Effect.gen(function* () {
      const sound = yield* readAll(packageFile())
      const named = (name: (name: string) => string) =>
        zipFile(Object.entries(soundParts).map(([part, data]) => ({ name: name(part), data })))
      for (const name of [
        (part: string) => `/${part}`,
        (part: string) => part.replaceAll("/", "\\"),
        (part: string) => part.toUpperCase()
      ]) {
        assert.deepStrictEqual(yield* readAll(named(name)), sound)
      }
    })
  )

  it.effect("gives rows the sheet's own numbers, and gaps empty cells", () =>
    Effect.gen(function* () {
      const rows = yield* rowsOf(
        sheetFile(
          inlineRow(1, ["phone", "name"]) +
            '<row r="4"><c r="C4" t="inlineStr"><is><t>far</t></is></c></row>' +
            '<row r="9" hidden="1"><c r="A9"><v>7</v></c></row>'
        )
      )
      assert.deepStrictEqual(rows, [
        { row: 4, cells: ["", "", "far"] },
        { row: 9, cells: [7] }
      ])
    })
  )

  it.effect("reads merged cells where their value is", () =>
    Effect.gen(function* () {
      const merges = Array.from({ length: 5000 }, (_, n) => `<mergeCell ref="A${n + 2}:XFD${n + 2}"/>`)
      const file = sheetFile(inlineRow(1, ["phone"]) + inlineRow(2, ["+14155550123"]), {}, [
        "",
        `<mergeCells>${merges.join("")}</mergeCells>`
      ])
      assert.deepStrictEqual(yield* rowsOf(file), numbered([["+14155550123"]]))
    })
  )

  it.effect("names the columns of a header of numbers by their digits", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* readAll(xlsxFile([["phone", 2024, true]]))).header, [
        "phone",
        "2024",
        "TRUE"
      ])
    })
  )
})
