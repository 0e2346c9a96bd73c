import { Buffer, isUtf8 } from "node:buffer"
import { otherEncoding, otherKind } from "./Refusal.ts"

const signatures: ReadonlyArray<readonly [bytes: Buffer, kind: string]> = [
  [Buffer.from("PK\x05\x06", "latin1"), "an empty ZIP archive"],
  [Buffer.from("PK\x07\x08", "latin1"), "a part of a split ZIP archive"],
  [Buffer.from("%PDF-", "latin1"), "a PDF document"],
  [Buffer.from("\x89PNG", "latin1"), "a PNG image"],
  [Buffer.from("\xff\xd8\xff", "latin1"), "a JPEG image"],
  [Buffer.from("GIF8", "latin1"), "a GIF image"],
  [Buffer.from("\x1f\x8b", "latin1"), "a gzip archive"],
  [Buffer.from("BZh", "latin1"), "a bzip2 archive"],
  [Buffer.from("\xfd7zXZ\0", "latin1"), "an xz archive"],
  [Buffer.from("7z\xbc\xaf\x27\x1c", "latin1"), "a 7-Zip archive"],
  [Buffer.from("Rar!", "latin1"), "a RAR archive"],
  [Buffer.from("{\\rtf", "latin1"), "an RTF document"]
]

const compoundFile = Buffer.from("d0cf11e0a1b11ae1", "hex")
const encryptedPackage = Buffer.from("EncryptedPackage", "utf16le")
const byteOrderMark = Buffer.from("efbbbf", "hex")
const markup = /^\s*<(?:!doctype|html|head|body|table|\?xml|svg)\b/i

const startsWith = (file: Buffer, prefix: Buffer) => file.subarray(0, prefix.length).equals(prefix)

/** What text in UTF-16 has where it is mostly ASCII: a NUL in every other byte. */
const looksWide = (file: Buffer): boolean => {
  const sample = file.subarray(0, 1024)
  const nuls = [0, 0]
  sample.forEach((byte, index) => {
    if (byte === 0) nuls[index % 2]! += 1
  })
  return Math.max(...nuls) > sample.length / 4
}

/** The text of a file that is no archive, without its byte order mark. */
const textOf = (file: Buffer): Buffer => {
  if (startsWith(file, Buffer.from([0xff, 0xfe])) || startsWith(file, Buffer.from([0xfe, 0xff]))) {
    throw otherEncoding("it seems to be UTF-16 text")
  }
  if (file.includes(0)) {
    throw otherEncoding(looksWide(file) ? "it seems to be UTF-16 text" : "it holds NUL bytes")
  }
  if (!isUtf8(file)) throw otherEncoding("its text is not valid UTF-8")
  const text = startsWith(file, byteOrderMark) ? file.subarray(byteOrderMark.length) : file
  if (markup.test(text.toString("latin1", 0, 256))) throw otherKind("a web page or an XML document")
  return text
}

/** Tells from a file's content alone what it is, and refuses what is neither text nor a ZIP archive. */
export const kindOf = (
  file: Buffer
): { readonly _tag: "Text"; readonly text: Buffer } | { readonly _tag: "Zip" } => {
  if (startsWith(file, Buffer.from("PK\x03\x04", "latin1"))) return { _tag: "Zip" }
  if (startsWith(file, compoundFile)) {
    throw otherKind(
      file.includes(encryptedPackage)
        ? "a spreadsheet with a password"
        : "an old Office document, such as an .xls workbook"
    )
  }
  const known = signatures.find(([bytes]) => startsWith(file, bytes))
  // Short signatures are letters that a table may begin with.
  if (known !== undefined && (known[0].length > 4 || !isUtf8(file) || file.includes(0))) {
    throw otherKind(known[1])
  }
  return { _tag: "Text", text: textOf(file) }
}
