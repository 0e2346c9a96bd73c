import { gzipSync } from "node:zlib"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as TableReader from "../../../adapters/tables/TableReader.ts"
import { csvFile, packageFile, readAll, refusalOf, relationships, xlsxFile, zipFile } from "./Fixtures.ts"

const kinds = "the file is not a UTF-8 CSV or an .xlsx spreadsheet"
const latin1 = (text: string) => Buffer.from(text, "latin1")
const compound = Buffer.from("d0cf11e0a1b11ae1", "hex")
const sound = csvFile([
  ["phone", "name"],
  ["+14155550123", "Zoë"]
])

const others: Record<string, readonly [file: Uint8Array, what: string]> = {
  "a PDF": [latin1("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"), "a PDF document"],
  "a PNG": [latin1("\x89PNG\r\n\x1a\n\0\0\0\rIHDR"), "a PNG image"],
  "a JPEG": [latin1("\xff\xd8\xff\xe0\0\x10JFIF"), "a JPEG image"],
  "a GIF": [latin1("GIF89a\x01\0\x01\0\x80"), "a GIF image"],
  "a gzipped CSV": [gzipSync(sound), "a gzip archive"],
  "a 7-Zip archive": [latin1("7z\xbc\xaf\x27\x1c\0\x04"), "a 7-Zip archive"],
  "a RAR archive": [latin1("Rar!\x1a\x07\x01\0"), "a RAR archive"],
  "an RTF document": [latin1("{\\rtf1\\ansi phone}"), "an RTF document"],
  "an old .xls workbook": [
    xlsxFile([["phone"], ["+14155550123"]], { bookType: "biff8" }),
    "an old Office document, such as an .xls workbook"
  ],
  "a workbook with a password": [
    Buffer.concat([compound, Buffer.alloc(512), Buffer.from("EncryptedPackage", "utf16le")]),
    "a spreadsheet with a password"
  ],
  "an .ods spreadsheet": [
    xlsxFile([["phone"], ["+14155550123"]], { bookType: "ods" }),
    "an OpenDocument file, such as an .ods spreadsheet"
  ],
  "a binary workbook": [
    xlsxFile([["phone"], ["+14155550123"]], { bookType: "xlsb" }),
    "a binary Excel workbook (.xlsb)"
  ],
  "a Word document": [
    zipFile([
      { name: "_rels/.rels", data: relationships([["rId1", "officeDocument", "word/document.xml"]]) },
      { name: "word/document.xml", data: "<w:document><w:t>phone</w:t></w:document>" }
    ]),
    "a Word document"
  ],
  "a PowerPoint presentation": [
    zipFile([{ name: "ppt/presentation.xml", data: "<p:presentation/>" }]),
    "a PowerPoint presentation"
  ],
  "an Apple Numbers document": [
    zipFile([{ name: "Index/Document.iwa", data: "x" }]),
    "an Apple Numbers, Pages or Keynote document"
  ],
  "a zipped CSV": [zipFile([{ name: "recipients.csv", data: sound }]), "a ZIP archive"],
  "a zipped .xlsx": [zipFile([{ name: "recipients.xlsx", data: packageFile() }]), "a ZIP archive"],
  "a ZIP archive without parts": [zipFile([]), "an empty ZIP archive"],
  "a web page": [Buffer.from("\ufeff\n<!DOCTYPE html><table><tr><td>phone"), "a web page or an XML document"],
  "an XML spreadsheet": [Buffer.from('<?xml version="1.0"?><Workbook/>'), "a web page or an XML document"]
}

const text = "phone,name\n+14155550123,Zoë Müller\n"

const encodings: Record<string, readonly [file: Uint8Array, what: string]> = {
  "UTF-16 with a byte order mark": [Buffer.from(`\ufeff${text}`, "utf16le"), "it seems to be UTF-16 text"],
  "big-endian UTF-16 with a byte order mark": [
    Buffer.from(`\ufeff${text}`, "utf16le").swap16(),
    "it seems to be UTF-16 text"
  ],
  "UTF-16 without a byte order mark": [Buffer.from(text, "utf16le"), "it seems to be UTF-16 text"],
  "big-endian UTF-16 without a byte order mark": [
    Buffer.from(text, "utf16le").swap16(),
    "it seems to be UTF-16 text"
  ],
  "Latin-1": [latin1(text), "its text is not valid UTF-8"],
  "text with a NUL byte": [Buffer.from(`${text}+1\0`), "it holds NUL bytes"],
  "text cut off within its last character": [
    Buffer.from(`${text}☎`).subarray(0, -1),
    "its text is not valid UTF-8"
  ],
  "half a surrogate pair": [
    Buffer.concat([Buffer.from(text), Buffer.from([0xed, 0xa0, 0x80])]),
    "its text is not valid UTF-8"
  ],
  "an overlong encoding": [
    Buffer.concat([Buffer.from(text), Buffer.from([0xc0, 0xaf])]),
    "its text is not valid UTF-8"
  ]
}

layer(TableReader.layer)("Kind", (it) => {
  for (const [name, [file, what]] of Object.entries(others)) {
    it.effect(`refuses ${name}, and says what it seems to be`, () =>
      Effect.gen(function* () {
        assert.strictEqual(yield* refusalOf(file), `${kinds}: it seems to be ${what}`)
      })
    )
  }

  for (const [name, [file, what]] of Object.entries(encodings)) {
    it.effect(`refuses ${name}, and asks for UTF-8`, () =>
      Effect.gen(function* () {
        assert.strictEqual(yield* refusalOf(file), `${kinds}: ${what}; save it as UTF-8`)
      })
    )
  }

  it.effect("takes UTF-8 with and without a byte order mark", () =>
    Effect.gen(function* () {
      for (const mark of ["", "\ufeff"]) {
        const table = yield* readAll(Buffer.from(mark + text))
        assert.deepStrictEqual(table.header, ["phone", "name"])
        assert.deepStrictEqual(table.rows, [{ row: 2, cells: ["+14155550123", "Zoë Müller"] }])
      }
    })
  )

  it.effect("takes workbooks with macros and templates as what they also are", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* readAll(xlsxFile([["phone"]], { bookType: "xlsm" }))).format, "xlsx")
    })
  )
})
