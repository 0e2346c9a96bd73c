import process from "node:process"
import type { Answer, Request } from "../Protocol.ts"
import { read } from "./Read.ts"
import { Refusal } from "./Refusal.ts"

/** What is left of the file that is open, the next slice last. */
let slices: Array<string> = []

const open = async ({ file, limits }: Extract<Request, { readonly _tag: "Open" }>): Promise<Answer> => {
  const table = await read(file, limits)
  if (table instanceof Refusal) return { _tag: "Refused", message: table.message }
  slices = table.slices.reverse()
  return { _tag: "Opened", format: table.format, header: table.header }
}

const next = (): Answer => {
  const rows = slices.pop()
  return rows === undefined ? { _tag: "End" } : { _tag: "Slice", rows }
}

const answer = async (request: Request): Promise<void> => {
  if (request._tag === "Next") return void process.send!(next())
  slices = []
  if (request._tag === "Open") process.send!(await open(request))
}

process.on("message", (request: Request) => void answer(request))
// It lives as long as the process that started it, which sees to its own end when it is told to stop.
process.on("disconnect", () => process.exit())
process.on("SIGINT", () => undefined)
process.on("SIGTERM", () => undefined)
