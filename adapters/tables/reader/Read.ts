import { Buffer } from "node:buffer"
import type { Limits } from "../Protocol.ts"
import { type Collected, makeCollector } from "./Collector.ts"
import { readCsv } from "./Csv.ts"
import { kindOf } from "./Kind.ts"
import { Refusal, tooLarge } from "./Refusal.ts"
import { readXlsx } from "./Xlsx.ts"

export type Read = Collected & { readonly format: "csv" | "xlsx" }

/** The whole table of a file, or the refusal of it. Throws what is a fault of the reader. */
export const read = async (file: Uint8Array, limits: Limits): Promise<Read | Refusal> => {
  try {
    const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
    const collector = makeCollector(limits)
    const kind = kindOf(bytes)
    if (kind._tag === "Text") await readCsv(kind.text, collector)
    else await readXlsx(bytes, limits, collector)
    return { ...collector.end(), format: kind._tag === "Text" ? "csv" : "xlsx" }
  } catch (error) {
    // What no string or array can hold: V8 tells it by this error.
    const refusal = error instanceof RangeError ? tooLarge() : error
    if (refusal instanceof Refusal) return refusal
    throw error
  }
}
