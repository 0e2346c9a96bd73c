import { Inflate } from "fflate"
import { Buffer } from "node:buffer"
import { damaged, Refusal, tooLarge } from "./Refusal.ts"

/** A part of a ZIP archive, as its central directory has it. */
export interface Part {
  readonly name: string
  readonly method: number
  readonly compressed: Buffer
}

export type Archive = ReadonlyMap<string, Part>

const endOfDirectory = 0x06054b50
const directoryEntry = 0x02014b50
const localHeader = 0x04034b50
const unknown32 = 0xffffffff
const mostParts = 1000
const chunkSize = 16_384

/** The name under which a part is found: part names know no case. Source: ECMA-376 part 2, 6.2.2.3. */
export const keyOf = (name: string): string => name.replaceAll("\\", "/").replace(/^\//, "").toLowerCase()

const endAt = (file: Buffer): number => {
  const lowest = Math.max(0, file.length - 22 - 0xffff)
  for (let at = file.length - 22; at >= lowest; at -= 1) {
    if (file.readUInt32LE(at) === endOfDirectory) return at
  }
  throw damaged()
}

/** The 64-bit fields that stand in for those that are too small for their values, in the order of the format. */
const wideFields = (extra: Buffer): ReadonlyArray<number> => {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 0x0001) continue
    const field = extra.subarray(at + 4, at + 4 + extra.readUInt16LE(at + 2))
    return Array.from({ length: Math.floor(field.length / 8) }, (_, index) =>
      Number(field.readBigUInt64LE(index * 8))
    )
  }
  return []
}

/** The bytes that a part takes in the file; its local header is trusted for nothing but its own length. */
const compressedAt = (file: Buffer, offset: number, size: number): Buffer => {
  if (offset + 30 > file.length || file.readUInt32LE(offset) !== localHeader) throw damaged()
  const start = offset + 30 + file.readUInt16LE(offset + 26) + file.readUInt16LE(offset + 28)
  if (start + size > file.length) throw damaged()
  return file.subarray(start, start + size)
}

const entryAt = (file: Buffer, at: number): { readonly part: Part; readonly next: number } => {
  if (at + 46 > file.length || file.readUInt32LE(at) !== directoryEntry) throw damaged()
  if ((file.readUInt16LE(at + 8) & 1) === 1) throw new Refusal("the .xlsx spreadsheet is encrypted")
  const nameEnd = at + 46 + file.readUInt16LE(at + 28)
  const extraEnd = nameEnd + file.readUInt16LE(at + 30)
  const declared = [24, 20, 42].map((field) => file.readUInt32LE(at + field))
  const wide = [...wideFields(file.subarray(nameEnd, extraEnd))]
  const [, size, offset] = declared.map((value) => (value === unknown32 ? (wide.shift() ?? value) : value))
  return {
    part: {
      name: file.toString("utf8", at + 46, nameEnd),
      method: file.readUInt16LE(at + 10),
      compressed: compressedAt(file, offset!, size!)
    },
    next: extraEnd + file.readUInt16LE(at + 32)
  }
}

/** The parts of a ZIP archive, by their keys. Nothing is inflated yet. */
export const partsOf = (file: Buffer): Archive => {
  if (file.length < 22) throw damaged()
  const end = endAt(file)
  const count = file.readUInt16LE(end + 10)
  if (count > mostParts) throw new Refusal("the .xlsx spreadsheet has too many parts")
  const parts = new Map<string, Part>()
  let at = file.readUInt32LE(end + 16)
  for (let index = 0; index < count; index += 1) {
    const { next, part } = entryAt(file, at)
    const key = keyOf(part.name)
    if (key.split("/").includes("..") || parts.has(key)) throw damaged()
    parts.set(key, part)
    at = next
  }
  return parts
}

/** Inflates parts one after the other, for as long as all of them together stay within `limit` bytes. */
export const makeInflate = (limit: number) => {
  let left = limit

  const spend = (chunk: Uint8Array) => {
    left -= chunk.length
    if (left < 0) throw tooLarge()
  }

  const inflated = (compressed: Buffer): Buffer => {
    const chunks: Array<Uint8Array> = []
    const stream = new Inflate((chunk) => {
      spend(chunk)
      chunks.push(chunk)
    })
    try {
      for (let at = 0; at < compressed.length; at += chunkSize) {
        stream.push(compressed.subarray(at, at + chunkSize), at + chunkSize >= compressed.length)
      }
    } catch (error) {
      throw error instanceof Refusal ? error : damaged()
    }
    return Buffer.concat(chunks)
  }

  return ({ compressed, method }: Part): Buffer => {
    if (method === 8) return inflated(compressed)
    if (method !== 0) throw damaged()
    spend(compressed)
    return compressed
  }
}

export type InflatePart = ReturnType<typeof makeInflate>
