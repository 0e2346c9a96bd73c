import { createClient, type OutdialError, verifyWebhook } from "../../../apps/client/main.ts"

/** Uses the client as each runtime must let it be used, and prints one line of JSON. */
const { CLOSED_PORT, OUTDIAL_API_KEY: apiKey = "", OUTDIAL_URL: baseUrl = "" } = process.env
const outdial = createClient({ baseUrl, apiKey })

const agent = await outdial.agents.create({ name: "Reminders", prompt: "Hello {{name}}" })
const placed = await outdial.calls.place({
  agent_id: agent.id,
  to_number: "+14155550123",
  metadata: { n: 1 }
})
const statuses: Array<string> = []
for await (const call of outdial.calls.all({ agent_id: agent.id, limit: 1 })) statuses.push(call.status)

const campaign = await outdial.campaigns.create({ name: "March", agent_id: agent.id })
const file = new File(["phone,name\n+14155550124,Zoë\n"], "people.csv")
const imported = await outdial.recipients.import(campaign.id, file)
const results = await new Response(await outdial.recipients.resultsStream(campaign.id)).text()

const codeOf = (send: () => Promise<unknown>): Promise<string> =>
  send().then(
    () => "",
    ({ code, name }: OutdialError) => (name === "OutdialError" ? code : name)
  )

let tries = 0
const refused = createClient({
  baseUrl: `http://127.0.0.1:${CLOSED_PORT}/v0`,
  apiKey,
  retry: { retries: 2, minDelayMs: 0 },
  fetch: (...args) => {
    tries += 1
    return fetch(...args)
  }
})
const refusal = await codeOf(() => refused.agents.create({ name: "x", prompt: "x" }))
const unknown = await codeOf(() => outdial.calls.get("call_unknown"))
const aborted = await codeOf(() => outdial.calls.list({}, { signal: AbortSignal.abort() }))

const body = '{"event_type":"call_started","call_id":"call_1"}'
const id = "evt_1"
const timestamp = String(Math.floor(Date.now() / 1_000))
const secret = btoa("a secret of twenty-four.")
const key = await crypto.subtle.importKey(
  "raw",
  new TextEncoder().encode(atob(secret)),
  { name: "HMAC", hash: "SHA-256" },
  false,
  ["sign"]
)
const signed = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(`${id}.${timestamp}.${body}`))
const headers = new Headers({
  "webhook-id": id,
  "webhook-timestamp": timestamp,
  "webhook-signature": `v1,${btoa(String.fromCharCode(...new Uint8Array(signed)))}`
})
const event = await verifyWebhook({ secret: `whsec_${secret}`, headers, body })

process.stdout.write(
  JSON.stringify({
    placed: placed.status,
    metadata: placed.metadata,
    statuses,
    imported: imported.recipients.map(({ variables }) => variables),
    results: results.split("\r\n").length,
    refusal,
    tries,
    unknown,
    aborted,
    event: event.event_type
  })
)
