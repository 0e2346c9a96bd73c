import { parse } from "csv-parse/sync"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import * as FetchServer from "../../../adapters/http/server/FetchServer.ts"
import * as Http from "../../../adapters/http/server/Http.ts"
import * as TokenVerifier from "../../../adapters/jwt/TokenVerifier.ts"
import { CarrierCallbacks } from "../../../adapters/shared/CarrierCallbacks.ts"
import { WebhookInbox } from "../../../adapters/simulated/WebhookInbox.ts"
import { VirtualTime } from "../../../core/engine/VirtualTime.ts"
import { allScopes } from "../../../core/model/workspaces/Principal.ts"
import { Credits } from "../../../core/usecases/Credits.ts"
import { Workspaces } from "../../../core/usecases/Workspaces.ts"
import * as Platform from "../../Platform.ts"

const secret = Redacted.make("a secret for tests, of at least 32 bytes")

/** The platform in memory whose callees talk, and its REST interface without a listener. */
const app = Http.layer({ basePath: "/v0", logRequests: false }).pipe(
  Layer.provideMerge(
    Layer.mergeAll(
      FetchServer.layer({}),
      Platform.layerOf({ talking: true }),
      TokenVerifier.layer({ secret })
    )
  ),
  Layer.provide(CarrierCallbacks.none)
)

// oxlint-disable-next-line typescript/no-explicit-any
type Body = any

/** A client of a workspace, for whose requests the time stands still. */
const client = Effect.fnUntraced(function* (time: VirtualTime) {
  const { fetch } = yield* FetchServer.FetchHandler
  const workspaces = yield* Workspaces
  const { id } = yield* workspaces.create({ name: "Clinic", calls_per_second: 100, max_concurrency: 100 })
  yield* (yield* Credits).topUp(id, 1_000, null)
  const { key } = yield* workspaces.createKey(id, { name: "test", scopes: allScopes })
  const headers = { "x-api-key": key, "content-type": "application/json" }
  const text = (path: string, init: RequestInit = {}) =>
    time.outside(
      Effect.promise(async () => {
        const response = await fetch(new Request(`http://localhost/v0${path}`, { headers, ...init }))
        const body = await response.text()
        assert.strictEqual(response.status, 200, body)
        return body
      })
    )
  const json = (path: string, init?: RequestInit): Effect.Effect<Body> =>
    Effect.map(text(path, init), (body) => JSON.parse(body))
  const post = (path: string, body: object = {}) => json(path, { method: "POST", body: JSON.stringify(body) })
  return { text, json, post }
})

/** The last digits of the nth number: most are of callees who talk. */
const digitsOf = (n: number): string => ({ 4: "0004", 6: "0006", 7: "0001" })[n % 10] ?? "1234"
const numbers = Array.from({ length: 50 }, (_, n) => `+1415${200 + n}${digitsOf(n)}`)
const talkers = numbers.filter((number) => number.endsWith("1234"))

const agent = {
  name: "Reminders",
  prompt:
    "You call {{name}} on behalf of Acme Dental to confirm the appointment on 3 May at 10:00. Be brief and friendly.",
  first_message: "Hello {{name}}, can you confirm the appointment on 3 May at 10:00?",
  review: {
    questions: [{ name: "confirmed", description: "Whether the appointment is confirmed", type: "boolean" }],
    qualified_when: "confirmed is true"
  }
}

const qualified = new Map([
  [true, "qualified"],
  [false, "not_qualified"],
  [null, "unknown"]
])

describe("a campaign of fifty talks", () => {
  const time = new VirtualTime(1_790_000_000_000)

  it.live("is dialled, talked, reviewed, told of and exported", () =>
    Effect.gen(function* () {
      const { json, post, text } = yield* client(time)
      yield* post("/phone-numbers", { number: "+14155550100" })
      const { id: agent_id } = yield* post("/agents", agent)
      yield* post(`/agents/${agent_id}/publish`)
      const usual = yield* post("/webhooks", { url: "https://example.com/usual" })
      const event_types = ["call_completed", "call_reviewed"]
      const asking = yield* post("/webhooks", { url: "https://example.com/reviews", event_types })
      const { id } = yield* post("/campaigns", { name: "March", agent_id })
      const recipients = numbers.map((phone_number, n) => ({ phone_number, variables: { name: `Ada ${n}` } }))
      yield* post(`/campaigns/${id}/recipients`, { recipients })
      yield* post(`/campaigns/${id}/start`)
      yield* Effect.sleep("10 minutes")

      const { stats, status } = yield* json(`/campaigns/${id}`)
      assert.strictEqual(status, "completed")
      assert.deepInclude(stats, { total: 50, completed: 45, failed: 5, attempts: 50, answered: 40 })

      const rows: ReadonlyArray<Readonly<Record<string, string>>> = parse(
        yield* text(`/campaigns/${id}/results.csv`),
        { columns: true }
      )
      assert.sameMembers(
        rows.map((row) => row["phone_number"]!),
        numbers
      )
      const listed: ReadonlyArray<Body> = (yield* json(`/campaigns/${id}/recipients?limit=100`)).data
      const reviews = new Map<string, Body>()
      for (const row of rows) {
        const recipient = listed.find((each) => each.id === row["recipient_id"])
        const { answers, qualification_status, sentiment } = recipient
        const exported = [row["answers"], row["qualification_status"], row["sentiment"]]
        assert.deepStrictEqual(exported, [
          JSON.stringify(answers),
          qualification_status ?? "",
          sentiment ?? ""
        ])
        if (!talkers.includes(row["phone_number"]!)) {
          assert.deepStrictEqual(exported, ["{}", "", ""])
          continue
        }
        assert.strictEqual(row["outcome"], "answered")
        assert.deepStrictEqual(Object.keys(answers), ["confirmed"])
        assert.strictEqual(qualification_status, qualified.get(answers.confirmed))
        assert.include(["positive", "neutral", "negative"], sentiment)
        reviews.set(row["call_id"]!, { answers, qualification_status, sentiment })
      }
      assert.isNotEmpty([...reviews.values()].filter((review) => review.answers.confirmed === true))

      const told = (yield* (yield* WebhookInbox).entries).map(({ message: { body, webhook_id } }) => ({
        webhook_id,
        event: JSON.parse(body) as Body
      }))
      const reviewed = told.filter(({ event }) => event.event_type === "call_reviewed")
      assert.deepStrictEqual([...new Set(reviewed.map(({ webhook_id }) => webhook_id))], [asking.id])
      assert.sameMembers(
        reviewed.map(({ event }) => event.call_id),
        [...reviews.keys()]
      )
      for (const { event } of reviewed) assert.deepInclude(event.data, reviews.get(event.call_id))
      const usually = told.filter(({ webhook_id }) => webhook_id === usual.id)
      assert.strictEqual(usually.filter(({ event }) => event.event_type === "call_completed").length, 50)
    }).pipe(Effect.provide(app), Effect.scoped, (campaign) => time.run(campaign))
  )
})
