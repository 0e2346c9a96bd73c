import { Context, Deferred, Effect, Layer } from "effect"
import { assert, describe, it } from "@effect/vitest"
import * as Examples from "../../../adapters/http/contract/CampaignExamples.ts"
import * as TemplateExamples from "../../../adapters/http/contract/TemplateExamples.ts"
import * as Docs from "../../../adapters/http/server/Docs.ts"
import * as SimulatedSender from "../../../adapters/simulated/SimulatedSender.ts"
import { allScopes } from "../../../core/model/workspaces/Principal.ts"
import { onFreshFile } from "../sql/TemporaryFile.ts"
import { startCampaigns } from "./CampaignServer.ts"
import { form, type Options, type Reply } from "./Harness.ts"

const refused = (reply: Reply, status: number, code: string, mentions = "") => {
  assert.strictEqual(reply.status, status, reply.text)
  assert.strictEqual(reply.json.error.code, code)
  assert.include(reply.json.error.message, mentions)
}

const components = [
  { type: "header", format: "text", text: "For {{1}}", example: { header_text: ["Ada"] } },
  {
    type: "body",
    text: "Dear {{1}}, we expect you on {{2}}.",
    example: { body_text: [["Ada", "Friday"]] }
  },
  {
    type: "buttons",
    buttons: [
      { type: "quick_reply", text: "Yes" },
      { type: "url", text: "Move", url: "https://example.com/a/{{1}}", example: ["https://example.com/a/1"] }
    ]
  }
]

const variables = {
  header: { "1": "First name" },
  body: { "1": "First name", "2": "day" },
  buttons: { "1": "id" }
}

/** A server with an agent who writes, an approved template, and a provider that can be asked what it has got. */
const startMessaging = Effect.fnUntraced(function* (options: Options = {}) {
  const built = yield* Deferred.make<Context.Tag.Service<SimulatedSender.MessageLedger>>()
  const sender = SimulatedSender.layer({ speed: Infinity, circuit: { threshold: 1 } }).pipe(
    Layer.tap((context) => Deferred.succeed(built, Context.get(context, SimulatedSender.MessageLedger)))
  )
  const server = yield* startCampaigns({ works: true, ...options, sender })
  const writer = (yield* server.call("/agents", { json: { name: "Writer", channel: "msg", prompt: "" } }))
    .json
  yield* server.post(`/agents/${writer.id}/publish`)
  const template = (yield* server.call("/msg/templates", {
    json: { name: "appointment", language: "en", category: "utility", components }
  })).json
  const draft = { agent_id: writer.id, channel: "msg", template: { id: template.id as string, variables } }
  const create = (over: object = {}) => server.create({ ...draft, ...over })
  /** The campaign once it is as wanted. */
  const once = (id: string, wanted: (campaign: Reply["json"]) => boolean) =>
    server.call(`/campaigns/${id}`).pipe(
      Effect.map(({ json }) => json),
      Effect.repeat({ until: wanted })
    )
  return {
    ...server,
    ledger: yield* built,
    template,
    draft,
    create,
    once
  }
})

const csv = (...rows: ReadonlyArray<string>) =>
  form({ content: ["phone_number,First name,day,id", ...rows].join("\r\n") })

describe("a messaging campaign over HTTP", () => {
  for (const [store, options] of [
    ["in memory", {}],
    ["on a database file", { repository: Layer.orDie(onFreshFile) }]
  ] as const)
    it.scopedLive(`is created, filled from a file, started, sent, and answered by a customer, ${store}`, () =>
      Effect.gen(function* () {
        const server = yield* startMessaging(options)
        const created = yield* server.create()
        assert.strictEqual(created.status, 200, created.text)
        const { id } = created.json
        assert.deepInclude(created.json, { channel: "msg", status: "draft", template: server.draft.template })
        const imported = yield* server.call(
          `/campaigns/${id}/recipients/import`,
          csv(
            "+14155550123,Ada,Friday at 9,a-1",
            "+14155550010,Grace,Monday,a-2",
            "+14155550003,Eve,Monday,a-3",
            "+14155550007,Bob,Monday,a-4",
            "+14155550124,Joe,,a-5"
          )
        )
        assert.strictEqual(imported.json.import.accepted_rows, 5, imported.text)
        for (const recipient of imported.json.recipients) {
          assert.deepInclude(recipient, { last_customer_message_at: null, service_window_expires_at: null })
        }
        const started = yield* server.post(`/campaigns/${id}/start`)
        assert.deepInclude(started.json, { status: "running", template: server.draft.template })
        const done = yield* server.once(id, ({ status }) => status !== "running")
        assert.deepInclude(done, { status: "completed", status_reason: null })
        assert.deepInclude(done.stats, { total: 5, completed: 2, failed: 3, skipped: 0, attempts: 4 })

        const received = yield* server.ledger.messages
        const texts = received.map(({ parameters, to_number }) => [
          to_number,
          Object.fromEntries(
            (["header", "body", "buttons"] as const).map((part) => [
              part,
              Object.fromEntries(parameters[part])
            ])
          )
        ])
        assert.deepStrictEqual(Object.fromEntries(texts), {
          "+14155550123": {
            header: { 1: "Ada" },
            body: { 1: "Ada", 2: "Friday at 9" },
            buttons: { 1: "a-1" }
          },
          "+14155550010": {
            header: { 1: "Grace" },
            body: { 1: "Grace", 2: "Monday" },
            buttons: { 1: "a-2" }
          },
          "+14155550003": { header: { 1: "Eve" }, body: { 1: "Eve", 2: "Monday" }, buttons: { 1: "a-3" } }
        })
        for (const { from_number } of received) assert.strictEqual(from_number, server.from.number)

        const heard = server
          .call(`/campaigns/${id}/recipients`)
          .pipe(Effect.map(({ json }): ReadonlyArray<Reply["json"]> => json.data))
        const talked = (all: ReadonlyArray<Reply["json"]>) =>
          all.filter(({ last_customer_message_at }) => last_customer_message_at !== null)
        const people = yield* Effect.repeat(heard, { until: (all) => talked(all).length > 0 })
        const [talker, ...others] = talked(people)
        assert.deepStrictEqual(others, [])
        assert.strictEqual(talker.phone_number_masked, "+*******0010")
        assert.strictEqual(
          Date.parse(talker.service_window_expires_at) - Date.parse(talker.last_customer_message_at),
          24 * 3_600_000
        )
        assert.deepStrictEqual(talker.msg_context, { last_customer_message: "Yes, please." })
        assert.deepStrictEqual(people[0].msg_context, {})
        const exported = yield* server.call(`/campaigns/${id}/results.csv`)
        assert.include(exported.text, ",sentiment,last_customer_message,")
        assert.include(exported.text, '"Yes, please."')
        const how = people.map(({ outcome, phone_number_masked, status }) => [
          phone_number_masked.slice(-4),
          [status, outcome.outcome, outcome.sub_status, outcome.attempt_count]
        ])
        assert.deepStrictEqual(Object.fromEntries(how), {
          "0123": ["completed", "delivered", null, 1],
          "0010": ["completed", "delivered", null, 1],
          "0003": ["failed", "failed", "carrier_error", 1],
          "0007": ["failed", "failed", "invalid_number", 1],
          "0124": ["failed", "failed", "template_variable_missing", 0]
        })

        const list = (query = "") => server.call(`/campaigns/${id}/attempts${query}`)
        const attempts = yield* list()
        assert.deepStrictEqual(attempts.json.pagination, { limit: 50, offset: 0, total: 4 })
        for (const attempt of attempts.json.data) {
          assert.deepStrictEqual(Object.keys(attempt), Object.keys(Examples.attempt))
          assert.deepInclude(attempt, {
            campaign_id: id,
            channel: "msg",
            attempt_number: 1,
            from_number: server.from.number
          })
        }
        const of = (digits: string) => {
          const { id } = people.find((each) => each.phone_number_masked.endsWith(digits))
          return attempts.json.data.find(({ recipient_id }: Reply["json"]) => recipient_id === id)
        }
        const delivered = of("0123")
        assert.deepInclude(delivered, {
          status: "completed",
          provider_message_id: `simmsg_${delivered.id}`,
          error_code: null,
          error_message: null,
          result: { outcome: "delivered" }
        })
        assert.deepInclude(of("0003"), {
          status: "failed",
          error_code: "undeliverable",
          error_message: "The message could not be delivered",
          result: { outcome: "failed" }
        })
        assert.deepInclude(of("0007"), {
          status: "failed",
          provider_message_id: null,
          error_code: "invalid_number"
        })
        assert.strictEqual((yield* list("?channel=msg&status=completed")).json.pagination.total, 2)
        assert.deepStrictEqual((yield* list("?channel=voice")).json.data, [])

        assert.deepStrictEqual((yield* server.call("/calls")).json.data, [])
        assert.deepStrictEqual((yield* server.call(`/calls?campaign_id=${id}`)).json.data, [])
        assert.match(delivered.call_id, /^msg_/)
        refused(yield* server.call(`/calls/${delivered.call_id}`), 404, "not_found", "no such call")
        refused(yield* server.post(`/calls/${delivered.call_id}/cancel`), 404, "not_found", "no such call")
        assert.strictEqual((yield* server.call("/credits")).json.balance, 98)
        const results = (yield* server.call(`/campaigns/${id}/results.csv`)).text
        assert.match(results, /,completed,delivered,/)
        const { series } = (yield* server.call(`/campaigns/${id}/progress?interval=day`)).json
        assert.deepStrictEqual(series[0].outcomes, { delivered: 2, failed: 2 })
      })
    )

  it.scopedLive("answers 400 to a template that breaks a rule, naming what, and stores nothing", () =>
    Effect.gen(function* () {
      const server = yield* startMessaging()
      const { id } = server.draft.template
      const template = (over: object) => ({ template: { id, variables: { ...variables, ...over } } })
      for (const [over, mentions] of [
        [{ template: undefined }, "template is required for channel msg"],
        [{ template: null }, "template is required for channel msg"],
        [{ channel: "voice" }, "template is not for channel voice"],
        [{ channel: undefined }, "template is not for channel voice"],
        [{ channel: "sms" }, "channel must be voice or msg"],
        [{ template: "appointment" }, "template"],
        [{ template: { variables } }, "template.id"],
        [{ template: { id: 7, variables } }, "template.id"],
        [{ template: { id, language: "en" } }, "template.language is not permitted"],
        [
          { template: { id } },
          "template.variables.header must name the variable of a recipient that fills 1"
        ],
        [template({ body: { "1": "day" } }), "template.variables.body must name"],
        [template({ body: { "1": "a", "2": "b", "3": "c" } }), "template.variables.body names something"],
        [template({ body: { "1": "a", "2": "" } }), "template.variables.body"],
        [template({ body: { "1": "a", "2": 7 } }), "template.variables.body"],
        [template({ buttons: { "0": "id" } }), "template.variables.buttons must name"],
        [template({ footer: { "1": "a" } }), "template.variables.footer is not permitted"],
        [template({ body: { "1": "a", "2": "x".repeat(16_384) } }), "template"]
      ] as const) {
        const reply = yield* server.create(over)
        refused(reply, 400, "invalid_request", mentions)
        assert.isString(reply.json.error.details.field)
      }
      assert.strictEqual((yield* server.call("/campaigns")).json.pagination.total, 0)
    })
  )

  it.scopedLive("answers 404 to a template that there is not, be it another workspace's", () =>
    Effect.gen(function* () {
      const server = yield* startMessaging()
      const stranger = yield* server.workspaces.create({ name: "Other" })
      const headers = { "x-api-key": yield* server.keyWith(allScopes, stranger.id) }
      const foreign = yield* server.call("/msg/templates", {
        json: { name: "appointment", language: "en", category: "utility", components },
        headers
      })
      const replies = yield* Effect.forEach(["tmpl_none", foreign.json.id as string], (id) =>
        server.create({ template: { id, variables } })
      )
      for (const reply of replies) refused(reply, 404, "not_found", "no such message template")
      assert.strictEqual(replies[0]!.text, replies[1]!.text)
      assert.strictEqual((yield* server.call("/campaigns")).json.pagination.total, 0)
    })
  )

  it.scopedLive("takes another template while it does not run, and answers 422 to what it may not", () =>
    Effect.gen(function* () {
      const server = yield* startMessaging()
      const { id } = (yield* server.create()).json
      const plain = (yield* server.call("/msg/templates", {
        json: {
          name: "closed",
          language: "en",
          category: "utility",
          components: [{ type: "body", text: "Hi" }]
        }
      })).json
      const changed = yield* server.patch(id, { template: { id: plain.id } })
      assert.deepInclude(changed.json, { template: { id: plain.id } })
      const voice = yield* server.campaign()
      for (const [campaign, change, loc, msg] of [
        [id, { template: null }, ["template"], ""],
        [id, { template: { id: "tmpl_none" } }, ["template"], "template names no message template"],
        [
          id,
          { template: { id: plain.id, variables } },
          ["template", "variables", "header"],
          "names something"
        ],
        [id, { template: { id: server.template.id } }, ["template", "variables", "header"], "must name"],
        [voice, { template: { id: plain.id } }, ["template"], "template is not for channel voice"],
        [id, { channel: "voice" }, ["channel"], "not permitted"]
      ] as const) {
        const { json, status, text } = yield* server.patch(campaign, change)
        assert.strictEqual(status, 422, text)
        assert.deepStrictEqual(json.detail[0].loc, ["body", ...loc], text)
        assert.include(json.detail[0].msg, msg)
      }
      assert.strictEqual((yield* server.call(`/campaigns/${id}`)).text, changed.text)
      const shut = { call_start_time: "00:00", call_end_time: "00:01", timezone: "UTC" }
      const open = new Date().getUTCHours() === 0 ? { ...shut, timezone: "Asia/Tokyo" } : shut
      yield* server.patch(id, { call_config: { call_time: open } })
      yield* server.add(id, [{ phone_number: "+14155550123" }])
      yield* server.post(`/campaigns/${id}/start`)
      const running = yield* server.patch(id, { template: server.draft.template })
      assert.strictEqual(running.status, 422, running.text)
      assert.include(running.json.detail[0].msg, "cannot be changed while the campaign is running")
    })
  )

  it.scopedLive("keeps what it sends byte for byte", () =>
    Effect.gen(function* () {
      const server = yield* startMessaging()
      const { id } = server.draft.template
      const template = `{ "variables" : {"body":{ "2":"day" ,"1":"\\u0061" },"header":{"1":"a"}, "buttons":{"1":"id"}},"id":"${id}" }`
      const body = `{"name":"x","agent_id":"${server.draft.agent_id}","channel":"msg","template":${template}}`
      const created = yield* server.call("/campaigns", { body })
      assert.strictEqual(created.status, 200, created.text)
      for (const { text } of [created, yield* server.call(`/campaigns/${created.json.id}`)]) {
        assert.include(text, `"template":${template}`)
      }
    })
  )

  it.scopedLive("is not started while its template is rejected or gone", () =>
    Effect.gen(function* () {
      const server = yield* startMessaging()
      const rejected = (yield* server.call("/msg/templates", {
        json: {
          name: "reject_me",
          language: "en",
          category: "utility",
          components: [{ type: "body", text: "Hi" }]
        }
      })).json
      assert.strictEqual(rejected.status, "rejected")
      const created = yield* server.create({ template: { id: rejected.id } })
      assert.strictEqual(created.status, 200, created.text)
      const { id } = created.json
      yield* server.add(id, [{ phone_number: "+14155550123" }])
      const start = (campaign: string) => server.post(`/campaigns/${campaign}/start`)
      refused(yield* start(id), 400, "invalid_request", "template is rejected; it has to be approved")
      assert.strictEqual((yield* server.call(`/campaigns/${id}`)).json.status, "draft")
      yield* server.call(`/msg/templates/${rejected.id}`, { method: "DELETE" })
      refused(yield* start(id), 400, "invalid_request", "template is gone; it has to be approved")
    })
  )

  const person = { "First name": "Ada", day: "Friday", id: "a-1" }
  const people = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ phone_number: `+1415555012${i}`, variables: person }))

  it.scopedLive(
    "starts whether or not the carrier of calls is there, and answers 503 while its provider is not",
    () =>
      Effect.gen(function* () {
        const idle = yield* startMessaging({ works: false })
        const waiting = (yield* idle.create()).json.id
        yield* idle.add(waiting, people(1))
        idle.carrier.available = false
        assert.strictEqual((yield* idle.post(`/campaigns/${waiting}/start`)).status, 200)

        const server = yield* startMessaging()
        const [busy, other] = [(yield* server.create()).json.id, (yield* server.create()).json.id]
        yield* server.add(busy, people(9))
        yield* server.add(other, people(1))
        yield* server.ledger.fail(true)
        assert.strictEqual((yield* server.post(`/campaigns/${busy}/start`)).status, 200)
        const away = yield* Effect.repeat(server.post(`/campaigns/${other}/start`), {
          until: ({ status }) => status !== 200
        })
        refused(away, 503, "service_unavailable")
        assert.isDefined(away.headers["retry-after"])
        yield* server.ledger.fail(false)
      })
  )
})

describe("the documentation of messaging campaigns", () => {
  const spec = JSON.parse(JSON.stringify(Docs.openApi("/v0")))

  it("has the template with its parts, what refuses it, and an example", () => {
    const { CampaignTemplate, Campaign, CreateCampaign } = spec.components.schemas
    assert.deepStrictEqual(Object.keys(CampaignTemplate.properties.variables.properties), [
      "header",
      "body",
      "buttons"
    ])
    for (const { properties } of [Campaign, CreateCampaign]) {
      assert.include(JSON.stringify(properties.template), "#/components/schemas/CampaignTemplate")
    }
    const { post } = spec.paths["/campaigns"]
    assert.include(post.description, JSON.stringify(Examples.messages))
    for (const status of [400, 404]) assert.include(post.responses[status].description, "template")
    assert.deepStrictEqual(Object.keys(Examples.campaign).sort(), Object.keys(Campaign.properties).sort())
  })

  it.scopedLive("shows an example that is taken as it stands, with the example of a template", () =>
    Effect.gen(function* () {
      const server = yield* startMessaging()
      const { id } = (yield* server.call("/msg/templates", { json: TemplateExamples.draft })).json
      const created = yield* server.create({
        ...Examples.messages,
        template: { ...Examples.messages.template, id }
      })
      assert.strictEqual(created.status, 200, created.text)
    })
  )
})
