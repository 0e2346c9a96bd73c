import type { Buffer } from "node:buffer"
import { inflateRawSync } from "node:zlib"
import * as yauzl from "yauzl"
import { damaged, Refusal, tooLarge } from "./Refusal.ts"

/** A part of a ZIP archive, as its central directory has it. */
export interface Part {
  readonly method: number
  readonly compressed: Buffer
}

export type Archive = ReadonlyMap<string, Part>

const mostParts = 1000

/** Sizes and names are checked here: wrong sizes are common, and so are names that begin with a slash. */
const options = { validateEntrySizes: false, decodeStrings: false }

/** The key of a part: part names know no case. Source: ECMA-376 part 2, 6.2.2.3. */
export const keyOf = (name: string): string => name.replaceAll("\\", "/").replace(/^\//, "").toLowerCase()

/** Fails as damaged with what yauzl finds wrong: its own message may repeat the file's contents. */
const sound = <A>(reading: Promise<A>): Promise<A> => reading.catch(() => Promise.reject(damaged()))

/** The parts of a ZIP archive, by their keys. Nothing is inflated yet. */
export const partsOf = async (file: Buffer): Promise<Archive> => {
  const archive = await sound(yauzl.fromBufferPromise(file, options))
  if (archive.entryCount > mostParts) throw new Refusal("the .xlsx spreadsheet has too many parts")
  const parts = new Map<string, Part>()
  const entries = archive.eachEntry()
  for (;;) {
    const { done, value: entry } = await sound(entries.next())
    if (done === true) return parts
    if (entry.isEncrypted()) throw new Refusal("the .xlsx spreadsheet is encrypted")
    const { fileDataStart } = await sound(archive.readLocalFileHeaderPromise(entry, { minimal: true }))
    const end = fileDataStart + entry.compressedSize
    const key = keyOf(entry.fileNameRaw.toString())
    if (end > file.length || key.split("/").includes("..") || parts.has(key)) throw damaged()
    parts.set(key, { method: entry.compressionMethod, compressed: file.subarray(fileDataStart, end) })
  }
}

/** Inflates parts one after the other, for as long as all of them together stay within `limit` bytes. */
export const makeInflate = (limit: number) => {
  let left = limit

  const inflated = (compressed: Buffer): Buffer => {
    try {
      return inflateRawSync(compressed, { maxOutputLength: Math.max(1, left) })
    } catch (error) {
      throw (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE" ? tooLarge() : damaged()
    }
  }

  return ({ compressed, method }: Part): Buffer => {
    if (method !== 0 && method !== 8) throw damaged()
    const part = method === 8 ? inflated(compressed) : compressed
    left -= part.length
    if (left < 0) throw tooLarge()
    return part
  }
}

export type InflatePart = ReturnType<typeof makeInflate>
