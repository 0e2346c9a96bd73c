import { Buffer } from "node:buffer"
import process from "node:process"
import type { Answer, Limits, Request } from "../Protocol.ts"
import { makeCollector } from "./Collector.ts"
import { readCsv } from "./Csv.ts"
import { kindOf } from "./Kind.ts"
import { Refusal, tooLarge } from "./Refusal.ts"
import { readXlsx } from "./Xlsx.ts"

/** What is left of the file that is open, the next slice last. */
let slices: Array<string> = []

const open = async (file: Buffer, limits: Limits): Promise<Answer> => {
  const collector = makeCollector(limits)
  const kind = kindOf(file)
  if (kind._tag === "Text") await readCsv(kind.text, collector)
  else readXlsx(file, limits, collector)
  const collected = collector.end()
  slices = collected.slices.reverse()
  return { _tag: "Opened", format: kind._tag === "Text" ? "csv" : "xlsx", header: collected.header }
}

const next = (): Answer => {
  const rows = slices.pop()
  return rows === undefined ? { _tag: "End" } : { _tag: "Slice", rows }
}

const answer = async (request: Request): Promise<void> => {
  slices = request._tag === "Next" ? slices : []
  if (request._tag === "Close") return
  try {
    process.send!(
      request._tag === "Next"
        ? next()
        : await open(
            Buffer.from(request.file.buffer, request.file.byteOffset, request.file.byteLength),
            request.limits
          )
    )
  } catch (error) {
    // What no string or array can hold: V8 tells it by this error.
    const refusal = error instanceof RangeError ? tooLarge() : error
    if (!(refusal instanceof Refusal)) throw error
    process.send!({ _tag: "Refused", message: refusal.message } satisfies Answer)
  }
}

process.on("message", (request: Request) => void answer(request))
// It lives as long as the process that started it, which sees to its own end when it is told to stop.
process.on("disconnect", () => process.exit())
process.on("SIGINT", () => undefined)
process.on("SIGTERM", () => undefined)
