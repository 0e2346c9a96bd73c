import { zipSync } from "fflate"
import { Buffer } from "node:buffer"
import { damaged, otherKind, Refusal } from "./Refusal.ts"
import { checked, elementOf, tagsOf } from "./Xml.ts"
import { type Archive, type InflatePart, keyOf } from "./Zip.ts"

/** What one sheet needs to be read, and nothing else of its workbook. */
export interface Sheet {
  readonly data: Buffer
  readonly strings: Buffer | null
  readonly styles: Buffer | null
  /** Whether its dates count from 1904. */
  readonly date1904: boolean
}

interface Relation {
  readonly id: string
  /** The last word of its type. */
  readonly type: string
  /** The key of its part. */
  readonly target: string
}

const truth = new Set(["1", "true", "on"])
const mostText = 4_000_000

/** A target's key: a target that does not begin with a slash is relative to the folder of its source. */
const resolve = (folder: string, target: string): string => {
  const names: Array<string> = []
  for (const name of (target.startsWith("/") ? target : `${folder}/${target}`).split("/")) {
    if (name === "..") names.pop()
    else if (name !== "" && name !== ".") names.push(name)
  }
  return keyOf(names.join("/"))
}

const folderOf = (key: string): string => key.slice(0, Math.max(0, key.lastIndexOf("/")))

const relationsIn = (text: string, folder: string): ReadonlyArray<Relation> =>
  tagsOf(text, "Relationship").flatMap((tag) =>
    tag.get("TargetMode") === "External"
      ? []
      : {
          id: tag.get("Id") ?? "",
          type: (tag.get("Type") ?? "").split("/").at(-1)!,
          target: resolve(folder, tag.get("Target") ?? "")
        }
  )

const otherArchive = (archive: Archive, inflate: InflatePart): Refusal => {
  const type = archive.get("mimetype")
  if (type !== undefined && type.compressed.length < 200 && inflate(type).includes("opendocument")) {
    return otherKind("an OpenDocument file, such as an .ods spreadsheet")
  }
  const keys = [...archive.keys()]
  if (keys.some((key) => key.startsWith("word/"))) return otherKind("a Word document")
  if (keys.some((key) => key.startsWith("ppt/"))) return otherKind("a PowerPoint presentation")
  if (keys.some((key) => key.endsWith(".iwa")))
    return otherKind("an Apple Numbers, Pages or Keynote document")
  return otherKind("a ZIP archive")
}

/** The first visible worksheet of a workbook. Source: ECMA-376 part 1, 12.3 and 18.2. */
export const firstSheet = (archive: Archive, inflate: InflatePart): Sheet => {
  const bytes = (key: string): Buffer | null => {
    const part = archive.get(key)
    return part === undefined ? null : checked(inflate(part))
  }
  const text = (key: string): string => {
    const part = bytes(key)
    if (part !== null && part.length > mostText) throw damaged()
    return part?.toString("utf8") ?? ""
  }

  const roots = relationsIn(text("_rels/.rels"), "")
  const book = roots.find(({ type }) => type === "officeDocument")?.target ?? "xl/workbook.xml"
  if (book.endsWith(".bin")) throw otherKind("a binary Excel workbook (.xlsb)")
  if (!archive.has(book)) throw otherArchive(archive, inflate)
  const workbook = text(book)
  if (!/<(?:\w+:)?workbook\b/.test(workbook)) throw otherArchive(archive, inflate)

  const name = book.slice(folderOf(book).length).replace(/^\//, "")
  const relations = relationsIn(text(resolve(folderOf(book), `_rels/${name}.rels`)), folderOf(book))
  const relatedPart = (type: string): Buffer | null => {
    const relation = relations.find((each) => each.type === type)
    return relation === undefined ? null : bytes(relation.target)
  }
  const visible = tagsOf(workbook, "sheet").flatMap((tag) => {
    const [, id] = [...tag].find(([key]) => key.endsWith(":id")) ?? []
    const relation = relations.find((each) => each.id === id && each.type === "worksheet")
    return relation === undefined || (tag.get("state") ?? "visible") !== "visible" ? [] : [relation]
  })
  if (visible[0] === undefined) throw new Refusal("the .xlsx spreadsheet has no visible sheet")
  const sheet = bytes(visible[0].target)
  const data = sheet === null ? null : elementOf(sheet, "sheetData")
  if (data === null) throw damaged()
  return {
    data,
    strings: relatedPart("sharedStrings"),
    styles: relatedPart("styles"),
    date1904: truth.has(tagsOf(workbook, "workbookPr")[0]?.get("date1904") ?? "")
  }
}

const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
const packages = "http://schemas.openxmlformats.org/package/2006"
const mediaType = "application/vnd.openxmlformats-officedocument.spreadsheetml"

const override = (name: string, kind: string) =>
  `<Override PartName="/xl/${name}.xml" ContentType="${mediaType}.${kind}+xml"/>`

const textResult = /(<(?:\w+:)?c\s[^<>]*?\bt=")str("[^<>]*>)\s*<(?:\w+:)?v(?: [^<>]*)?>([^<]*)<\/(?:\w+:)?v>/g

/**
 * The data with text in place of results of no formula, which some programs write for text, and which SheetJS
 * decodes twice.
 */
const withPlainText = (data: Buffer): Buffer => {
  if (!data.includes(' t="str"')) return data
  const text = data.toString("latin1").replaceAll(textResult, "$1inlineStr$2<is><t>$3</t></is>")
  return Buffer.from(text, "latin1")
}

/** A workbook of that sheet alone, stored and not compressed, with nothing around the sheet's data. */
export const packed = ({ data, date1904, strings, styles }: Sheet): Buffer => {
  const parts: Record<string, Uint8Array> = {
    "[Content_Types].xml": Buffer.from(
      `<Types xmlns="${packages}/content-types">${override("workbook", "sheet.main")}${override("sheet1", "worksheet")}${
        strings === null ? "" : override("sharedStrings", "sharedStrings")
      }${styles === null ? "" : override("styles", "styles")}</Types>`
    ),
    "xl/workbook.xml": Buffer.from(
      `<workbook xmlns="${main}" xmlns:r="${office}"><workbookPr date1904="${date1904 ? 1 : 0}"/><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`
    ),
    "xl/_rels/workbook.xml.rels": Buffer.from(
      `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/worksheet" Target="sheet1.xml"/></Relationships>`
    ),
    "xl/sheet1.xml": Buffer.concat([
      Buffer.from("<worksheet>"),
      withPlainText(data),
      Buffer.from("</worksheet>")
    ])
  }
  if (strings !== null) parts["xl/sharedStrings.xml"] = strings
  if (styles !== null) parts["xl/styles.xml"] = styles
  const archive = zipSync(parts, { level: 0 })
  return Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength)
}
