import { createServer } from "node:http"
import { Webhook } from "standardwebhooks"

/** Prints each webhook event that verifies: `WEBHOOK_SECRET=whsec_… npx tsx apps/receiver/main.ts`. */
const webhook = new Webhook(process.env.WEBHOOK_SECRET ?? "")

createServer(async (request, response) => {
  let body = ""
  for await (const chunk of request.setEncoding("utf8")) body += chunk
  try {
    const event = webhook.verify(body, request.headers as Record<string, string>) as Record<string, unknown>
    process.stdout.write(`${event.event_type} ${event.call_id} ${JSON.stringify(event.metadata)}\n`)
    response.writeHead(204).end()
  } catch {
    response.writeHead(400).end()
  }
}).listen(9000, "127.0.0.1", () => process.stdout.write("waiting for events on http://127.0.0.1:9000\n"))
