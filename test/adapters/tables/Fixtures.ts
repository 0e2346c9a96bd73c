import { crc32, deflateRawSync } from "node:zlib"
import { Effect, Stream } from "effect"
import * as XLSX from "xlsx"
import type { Cell, Row } from "../../../core/model/tables/Row.ts"
import { TableReader } from "../../../core/ports/TableReader.ts"

const utf8 = (text: string): Uint8Array => Buffer.from(text, "utf8")

export interface CsvOptions {
  readonly delimiter?: string
  readonly newline?: string
}

/** CSV in UTF-8: a cell is quoted where it has to be, whatever the delimiter. */
export const csvFile = (
  rows: ReadonlyArray<ReadonlyArray<string>>,
  { delimiter = ",", newline = "\n" }: CsvOptions = {}
): Uint8Array => {
  const cell = (value: string) =>
    /[",;\t\r\n\ufeff]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
  return utf8(rows.map((row) => row.map(cell).join(delimiter) + newline).join(""))
}

/**
 * An .xlsx workbook of one sheet, by SheetJS's own writer. A string is a text cell, a number a number cell, null no
 * cell; a cell object is written as it is.
 */
export const xlsxFile = (
  rows: ReadonlyArray<ReadonlyArray<Cell | boolean | null | XLSX.CellObject>>,
  options: XLSX.WritingOptions = {}
): Uint8Array => {
  const sheet = XLSX.utils.aoa_to_sheet(rows.map((row) => [...row]))
  const workbook = XLSX.utils.book_new(sheet, "Recipients")
  return new Uint8Array(
    XLSX.write(workbook, { bookType: "xlsx", compression: true, ...options, type: "array" }) as ArrayBuffer
  )
}

export interface ZipEntry {
  readonly name: string
  readonly data: Uint8Array | string
  /** Compressed already: `data` is a raw deflate stream. */
  readonly deflated?: boolean
  readonly flags?: number
  readonly method?: number
  /** What the headers say in place of the sizes. */
  readonly declared?: { readonly compressed?: number; readonly size?: number }
  /** Shares the bytes of the entry before it, as an overlapping archive does. */
  readonly overlaps?: boolean
}

const header = (signature: number, fields: ReadonlyArray<readonly [bytes: 2 | 4, value: number]>): Buffer => {
  const buffer = Buffer.alloc(4 + fields.reduce((sum, [bytes]) => sum + bytes, 0))
  let at = buffer.writeUInt32LE(signature)
  for (const [bytes, value] of fields) at = buffer.writeUIntLE(value, at, bytes)
  return buffer
}

/** A ZIP archive in which every field may be wrong. */
export const zipFile = (entries: ReadonlyArray<ZipEntry>): Uint8Array => {
  const parts: Array<Buffer> = []
  const directory: Array<Buffer> = []
  let offset = 0
  let length = 0
  for (const { data, declared, deflated, flags, method, name, overlaps } of entries) {
    const bytes = Buffer.from(data)
    const compressed = deflated === true ? bytes : deflateRawSync(bytes)
    const compressedSize = declared?.compressed ?? compressed.length
    const size = declared?.size ?? bytes.length
    const common = [
      [2, flags ?? 0],
      [2, method ?? 8],
      [4, 0],
      [4, crc32 === undefined || deflated === true ? 0 : crc32(bytes)],
      [4, compressedSize],
      [4, size],
      [2, Buffer.byteLength(name)],
      [2, 0]
    ] as const
    if (overlaps !== true) {
      const local = Buffer.concat([header(0x04034b50, [[2, 20], ...common]), Buffer.from(name), compressed])
      parts.push(local)
      offset = length
      length += local.length
    }
    directory.push(
      header(0x02014b50, [[2, 20], [2, 20], ...common, [2, 0], [2, 0], [2, 0], [4, 0], [4, offset]]),
      Buffer.from(name)
    )
  }
  const central = Buffer.concat(directory)
  const end = header(0x06054b50, [
    [2, 0],
    [2, 0],
    [2, entries.length],
    [2, entries.length],
    [4, central.length],
    [4, length],
    [2, 0]
  ])
  return new Uint8Array(Buffer.concat([...parts, central, end]))
}

const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
const packages = "http://schemas.openxmlformats.org/package/2006"
const types = "application/vnd.openxmlformats-officedocument.spreadsheetml"
const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'

export const relationships = (
  targets: ReadonlyArray<readonly [id: string, type: string, target: string]>
): string =>
  `${declaration}<Relationships xmlns="${packages}/relationships">${targets
    .map(([id, type, target]) => `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`)
    .join("")}</Relationships>`

export const workbookXml = (sheets: string, before = ""): string =>
  `${declaration}<workbook xmlns="${main}" xmlns:r="${office}">${before}<sheets>${sheets}</sheets></workbook>`

export const sheetXml = (sheetData: string, around: readonly [before: string, after: string] = ["", ""]) =>
  `${declaration}<worksheet xmlns="${main}" xmlns:r="${office}">${around[0]}<sheetData>${sheetData}</sheetData>${around[1]}</worksheet>`

export const stringsXml = (strings: ReadonlyArray<string>): string =>
  `${declaration}<sst xmlns="${main}">${strings.map((text) => `<si>${text}</si>`).join("")}</sst>`

/** One row of inline strings. */
export const inlineRow = (row: number, cells: ReadonlyArray<string>): string =>
  `<row r="${row}">${cells
    .map((text, column) => {
      const reference = `${XLSX.utils.encode_col(column)}${row}`
      return `<c r="${reference}" t="inlineStr"><is><t>${text}</t></is></c>`
    })
    .join("")}</row>`

/** The parts of a small sound workbook, by their names. */
export const soundParts: Readonly<Record<string, string>> = {
  "[Content_Types].xml": `${declaration}<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${types}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${types}.worksheet+xml"/></Types>`,
  "_rels/.rels": relationships([["rId1", "officeDocument", "xl/workbook.xml"]]),
  "xl/workbook.xml": workbookXml('<sheet name="Sheet1" sheetId="1" r:id="rId1"/>'),
  "xl/_rels/workbook.xml.rels": relationships([
    ["rId1", "worksheet", "worksheets/sheet1.xml"],
    ["rId2", "sharedStrings", "sharedStrings.xml"],
    ["rId3", "styles", "styles.xml"]
  ]),
  "xl/worksheets/sheet1.xml": sheetXml(
    inlineRow(1, ["phone", "name"]) + inlineRow(2, ["+14155550123", "Ada"])
  )
}

/** A workbook written by hand: the sound one, with parts put in place of its own, or added. */
export const packageFile = (
  parts: Readonly<Record<string, string | Uint8Array>> = {},
  entries: ReadonlyArray<ZipEntry> = []
): Uint8Array =>
  zipFile([
    ...Object.entries({ ...soundParts, ...parts })
      .filter(([name]) => !entries.some((entry) => entry.name === name))
      .map(([name, data]) => ({ name, data })),
    ...entries
  ])

/** A workbook by hand whose one sheet has these rows. */
export const sheetFile = (
  sheetData: string,
  parts: Readonly<Record<string, string>> = {},
  around?: readonly [before: string, after: string]
): Uint8Array => packageFile({ ...parts, "xl/worksheets/sheet1.xml": sheetXml(sheetData, around) })

/** Reads a file through the port, to its end. */
export const readAll = (file: Uint8Array, workspace_id = "ws_reading") =>
  Effect.scoped(
    Effect.gen(function* () {
      const reader = yield* TableReader
      const { format, header: first, rows } = yield* reader.open(workspace_id, file)
      const slices = yield* Stream.runCollect(rows)
      return { format, header: first, rows: [...slices].flat() satisfies ReadonlyArray<Row> }
    })
  )

/** Why a file is refused. */
export const refusalOf = (file: Uint8Array) =>
  Effect.map(Effect.flip(readAll(file)), ({ message }) => message)

/** The rows of a table without its header, with the numbers that a spreadsheet gives them. */
export const numbered = (rows: ReadonlyArray<ReadonlyArray<Cell>>): ReadonlyArray<Row> =>
  rows.flatMap((cells, index) =>
    cells.every((cell) => typeof cell === "string" && cell.trim() === "") ? [] : [{ row: index + 2, cells }]
  )
