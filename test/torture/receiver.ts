import { createHash } from "node:crypto"
import { open } from "node:fs/promises"
import { createServer } from "node:http"
import type { Received } from "./Evidence.ts"

/**
 * A receiver of webhooks whose ledger is on the disk before it answers: `receiver <ledger> <percent>`. Of so many
 * events in a hundred it refuses the first try.
 */
const [ledger = "receiver.ndjson", percent = "0"] = process.argv.slice(2)
const file = await open(ledger, "a")

interface Event {
  readonly event_type: string
  readonly call_id: string
  readonly data: {
    readonly outcome?: string | null
    readonly sub_status?: string | null
    readonly attempt_count?: number
  }
}

let waiting: Array<{ readonly line: string; readonly done: () => void }> = []
let writing = false

/** All that wait share one sync. */
const write = async () => {
  writing = true
  while (waiting.length > 0) {
    const batch = waiting
    waiting = []
    await file.appendFile(batch.map(({ line }) => line).join(""))
    await file.datasync()
    for (const { done } of batch) done()
  }
  writing = false
}

const refused = new Set<string>()
const isRefused = (id: string) => {
  if (refused.has(id)) return false
  refused.add(id)
  return createHash("sha256").update(id).digest()[0]! % 100 < Number(percent)
}

const server = createServer(async (request, response) => {
  let body = ""
  for await (const chunk of request.setEncoding("utf8")) body += chunk
  const { call_id, data, event_type } = JSON.parse(body) as Event
  const id = String(request.headers["webhook-id"])
  const status = isRefused(id) ? 503 : 204
  const received: Received = {
    at: Date.now(),
    status,
    id,
    event_type,
    call_id,
    outcome: data.outcome ?? null,
    sub_status: data.sub_status ?? null,
    attempt_count: data.attempt_count ?? null
  }
  waiting.push({ line: `${JSON.stringify(received)}\n`, done: () => response.writeHead(status).end() })
  if (!writing) void write()
})
server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  const port = typeof address === "object" ? address!.port : 0
  process.stdout.write(`waiting for events on http://127.0.0.1:${port}/hook\n`)
})
