import { Effect } from "effect"
import { assert, describe, it } from "@effect/vitest"
import { delivery, testDelivery, webhook } from "../../../../adapters/http/contract/Examples.ts"
import { signatureHeaders } from "../../../../adapters/shared/Signature.ts"
import { type Answering, json, serving } from "../serving.ts"

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
const pageOf = (record: object) => ({ data: [record], pagination: { limit: 100, offset: 0, total: 1 } })

const event =
  '{"id":"evt_1","event_type":"campaign_completed","created_at":"2026-03-02T09:30:00.000Z","call_id":null,"campaign_id":"camp_1","metadata":{"n":1.0}}'

/** What a server that has one webhook answers. */
const answering: Answering = ({ method, path }, response) => {
  if (path.includes("/deliveries")) return json(response, pageOf(delivery))
  if (path.includes("?")) return json(response, pageOf(webhook))
  if (path.endsWith("/test")) return json(response, testDelivery)
  if (path.endsWith("/redeliver")) return json(response, { webhook_id: webhook.id, redelivered: 7 })
  if (method === "DELETE") return json(response, { id: webhook.id, deleted: true })
  return json(response, { ...webhook, secret })
}

describe("webhook", () => {
  it.scopedLive("registers, lists, tries out, sends once more and removes", () =>
    Effect.gen(function* () {
      const { requests, run } = yield* serving(answering)
      const made = yield* run(
        "webhook",
        "create",
        "--event",
        "call_completed",
        "--event",
        "message_status",
        "https://example.com/hooks"
      )
      assert.include(made.out, secret)
      assert.deepStrictEqual(JSON.parse(requests[0]!.body.toString()), {
        url: "https://example.com/hooks",
        event_types: ["call_completed", "message_status"]
      })
      assert.include((yield* run("webhook", "list")).out, webhook.url)
      assert.include((yield* run("webhook", "test", webhook.id)).out, testDelivery.id)
      assert.include((yield* run("webhook", "deliveries", webhook.id)).out, delivery.last_error)
      yield* run("webhook", "deliveries", "--status", "dead", "--call", delivery.call_id, webhook.id)
      assert.include(requests.at(-1)!.path, `status=dead&call_id=${delivery.call_id}`)
      const since = "2026-03-02T09:00:00Z"
      const again = yield* run("webhook", "redeliver", "--since", since, "--status", "dead", webhook.id)
      assert.include(again.out, "7 deliveries")
      assert.deepStrictEqual(JSON.parse(requests.at(-1)!.body.toString()), { since, status: "dead" })
      assert.include((yield* run("webhook", "remove", webhook.id)).out, "removed")
      assert.strictEqual((yield* run("webhook", "redeliver", "--since", "yesterday", webhook.id)).code, 2)
      assert.strictEqual((yield* run("webhook", "create", "--event", "lost", "https://e.com")).code, 2)
    })
  )

  it.scopedLive("listens: prints what verifies, leaves out the rest, and removes itself at its end", () =>
    Effect.gen(function* () {
      const statuses: Array<number> = []
      const { requests, run } = yield* serving((got, response, nth) => {
        answering(got, response, nth)
        if (got.method !== "POST") return
        const { url } = JSON.parse(got.body.toString()) as { readonly url: string }
        const send = async (signed: string) => {
          const headers = signatureHeaders({ id: "evt_1", body: event, secrets: [signed] }, Date.now())
          const reply = await fetch(url, { method: "POST", headers, body: event })
          statuses.push(reply.status)
        }
        // Until the answer has told the secret, nothing verifies: a server would try again.
        const deliver = async (): Promise<void> => {
          await send("whsec_Kl9MmYBSTKiKL1yBKJfO5xxlCHkXqYWh")
          await send(secret)
          if (statuses.at(-1) !== 204) return deliver()
        }
        response.once("finish", () => void deliver())
      })
      const { code, err, out } = yield* run(
        "webhook",
        "listen",
        "--event",
        "campaign_completed",
        "--count",
        "1",
        "--json"
      )
      assert.strictEqual(code, 0, err)
      assert.strictEqual(out.trim(), event)
      assert.notInclude(statuses.slice(0, -1), 204)
      const [made, gone] = requests
      assert.match(
        (JSON.parse(made!.body.toString()) as { url: string }).url,
        /^http:\/\/127\.0\.0\.1:\d+\/$/
      )
      assert.deepStrictEqual([gone!.method, gone!.path], ["DELETE", `/v0/webhooks/${webhook.id}`])
    })
  )
})
