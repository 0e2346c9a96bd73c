import { Effect, Layer } from "effect"
import { assert, describe, it } from "@effect/vitest"
import * as Examples from "../../../adapters/http/contract/TemplateExamples.ts"
import * as Docs from "../../../adapters/http/server/Docs.ts"
import { allScopes } from "../../../core/model/workspaces/Principal.ts"
import {
  RegistryTimedOut,
  RegistryUnavailable,
  RegistryUnusable,
  TemplateRegistry
} from "../../../core/ports/TemplateRegistry.ts"
import { captured, type Reply, start } from "./Harness.ts"

const path = "/msg/templates"
const { draft } = Examples

const refused = (reply: Reply, status: number, code: string, mentions = "") => {
  assert.strictEqual(reply.status, status, reply.text)
  assert.deepStrictEqual(Object.keys(reply.json), ["error"])
  assert.strictEqual(reply.json.error.code, code)
  assert.include(reply.json.error.message, mentions)
}

const idsOf = ({ json }: Reply) => json.data.map(({ id }: { id: string }) => id)

describe("POST /msg/templates", () => {
  it.scopedLive("answers 200 with the record: what was sent, and what the registry made of it", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const reply = yield* server.call(path, { json: draft })
      assert.strictEqual(reply.status, 200, reply.text)
      assert.strictEqual(reply.headers["content-type"], "application/json")
      const { created_at, id, provider_template_id, updated_at, ...rest } = reply.json
      assert.deepStrictEqual(rest, {
        customer_id: server.workspace.id,
        ...draft,
        status: "approved",
        rejection_reason: null
      })
      assert.match(id, /^tmpl_[0-9a-z]+$/)
      assert.match(provider_template_id, /^[0-9]+$/)
      for (const time of [created_at, updated_at]) assert.strictEqual(new Date(time).toISOString(), time)
      assert.deepStrictEqual((yield* server.call(`${path}/${id}`)).json, reply.json)
      assert.deepStrictEqual((yield* server.call(path)).json, {
        data: [reply.json],
        pagination: { limit: 50, offset: 0, total: 1 }
      })
      assert.deepStrictEqual(Object.keys(reply.json), Object.keys(Examples.template))
    })
  )

  it.scopedLive("takes keywords in upper case, and answers a rejection with its reason", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const reply = yield* server.call(path, {
        json: {
          name: "reject_this",
          language: "pt_BR",
          category: "MARKETING",
          components: [{ type: "BODY", text: "Olá!" }]
        }
      })
      assert.strictEqual(reply.status, 200, reply.text)
      assert.deepInclude(reply.json, {
        category: "marketing",
        parameter_format: "positional",
        components: [{ type: "body", text: "Olá!" }],
        status: "rejected",
        rejection_reason: "the name begins with reject_"
      })
    })
  )

  it.scopedLive("refuses what breaks a rule with 400 and the field, and stores nothing", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const { name: _, ...nameless } = draft
      for (const [json, field, mentions] of [
        [{ ...draft, name: "Reminder" }, "name", "lower-case letters"],
        [nameless, "name", "name is required"],
        [{ ...draft, language: "english" }, "language", "language must be"],
        [{ ...draft, category: "news" }, "category", "category must be marketing, utility or authentication"],
        [{ ...draft, components: [] }, "components", "exactly one body"],
        [{ ...draft, components: [{ type: "body", text: "{{1}}" }] }, "components", "components.0.text"],
        [{ ...draft, tone: "kind" }, "tone", "tone is not permitted"]
      ] as const) {
        const reply = yield* server.call(path, { json })
        refused(reply, 400, "invalid_request", mentions)
        assert.deepStrictEqual(reply.json.error.details, { field })
      }
      refused(yield* server.call(path, { body: "{" }), 400, "invalid_request", "not valid JSON")
      refused(yield* server.call(path, { json: [draft] }), 400, "invalid_request", "must be a JSON object")
      const deep = `{"components":${"[".repeat(60_000)}${"]".repeat(60_000)}}`
      refused(yield* server.call(path, { body: deep }), 400, "invalid_request")
      const large = { ...draft, name: "x".repeat(300_000) }
      refused(yield* server.call(path, { json: large }), 413, "invalid_request")
      assert.strictEqual((yield* server.call(path)).json.pagination.total, 0)
    })
  )

  it.scopedLive("answers 409 to a name and language that the workspace has, and to no other's", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const replies = yield* Effect.replicateEffect(server.call(path, { json: draft }), 10, {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(replies.map(({ status }) => status).sort(), [200, ...Array<number>(9).fill(409)])
      for (const reply of replies.filter(({ status }) => status === 409)) {
        refused(reply, 409, "conflict", "of this name and language")
      }
      const french = yield* server.call(path, { json: { ...draft, language: "fr" } })
      assert.strictEqual(french.status, 200)
      const stranger = yield* server.workspaces.create({ name: "Other" })
      const headers = { "x-api-key": yield* server.keyWith(allScopes, stranger.id) }
      assert.strictEqual((yield* server.call(path, { json: draft, headers })).status, 200)
      const foreign = yield* server.call(`${path}/${french.json.id}`, { headers })
      const unknown = yield* server.call(`${path}/tmpl_unknown`, { headers })
      refused(foreign, 404, "not_found", "no such message template")
      assert.strictEqual(foreign.text, unknown.text)
    })
  )

  it.scopedLive("answers 503, 504 and 502 to a registry that fails, whose words stay in the log", () => {
    const log = captured()
    return Effect.gen(function* () {
      for (const [Failure, status, code] of [
        [RegistryUnavailable, 503, "service_unavailable"],
        [RegistryTimedOut, 504, "gateway_timeout"],
        [RegistryUnusable, 502, "bad_gateway"]
      ] as const) {
        const failure = new Failure({ message: "planted" })
        let fails = true
        const answer = { provider_template_id: "1", status: "pending", rejection_reason: null } as const
        const registry = Layer.succeed(TemplateRegistry, {
          submit: () => Effect.suspend(() => (fails ? Effect.fail(failure) : Effect.succeed(answer))),
          remove: () => Effect.fail(failure)
        })
        const server = yield* start({ registry })
        const reply = yield* server.call(path, { json: draft })
        refused(reply, status, code, "the template registry")
        assert.notInclude(reply.text, "planted")
        assert.include(log.lines.at(-1)!, "planted")
        assert.notInclude(log.lines.join(), "4155550100")
        assert.strictEqual((yield* server.call(path)).json.pagination.total, 0)
        fails = false
        const { json } = yield* server.call(path, { json: draft })
        assert.deepInclude(json, answer)
        refused(yield* server.call(`${path}/${json.id}`, { method: "DELETE" }), status, code)
        assert.strictEqual((yield* server.call(`${path}/${json.id}`)).status, 200)
      }
    }).pipe(Effect.provide(log.layer))
  })
})

describe("GET and DELETE /msg/templates", () => {
  it.scopedLive("list newest first, in pages, through filters", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const ids: Array<string> = []
      for (const over of [
        { name: "a", language: "en", category: "utility" },
        { name: "a", language: "fr", category: "marketing" },
        { name: "reject_b", language: "en", category: "utility" }
      ]) {
        ids.unshift((yield* server.call(path, { json: { ...draft, ...over } })).json.id)
      }
      const list = (query: string) => server.call(`${path}${query}`)
      assert.deepStrictEqual(idsOf(yield* list("")), ids)
      const second = yield* list("?limit=1&offset=1")
      assert.deepStrictEqual(idsOf(second), [ids[1]])
      assert.deepStrictEqual(second.json.pagination, { limit: 1, offset: 1, total: 3 })
      assert.deepStrictEqual(idsOf(yield* list("?name=a")), ids.slice(1))
      assert.deepStrictEqual(idsOf(yield* list("?language=en")), [ids[0], ids[2]])
      assert.deepStrictEqual(idsOf(yield* list("?status=rejected")), [ids[0]])
      assert.deepStrictEqual(idsOf(yield* list("?category=marketing")), [ids[1]])
      assert.deepStrictEqual(idsOf(yield* list("?name=a&language=en&status=approved")), [ids[2]])
      assert.deepStrictEqual(idsOf(yield* list("?name=nothing")), [])
      for (const [query, name] of [
        ["?status=lost", "status"],
        ["?category=news", "category"],
        ["?limit=101", "limit"],
        ["?offset=-1", "offset"]
      ] as const) {
        refused(yield* list(query), 400, "invalid_request", name)
      }
    })
  )

  it.scopedLive("remove a template once, and free its name", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const { id } = (yield* server.call(path, { json: draft })).json
      const remove = server.call(`${path}/${id}`, { method: "DELETE" })
      const removed = yield* remove
      assert.strictEqual(removed.status, 200, removed.text)
      assert.deepStrictEqual(removed.json, { id, deleted: true })
      refused(yield* remove, 404, "not_found")
      refused(yield* server.call(`${path}/${id}`), 404, "not_found")
      assert.strictEqual((yield* server.call(path, { json: draft })).status, 200)
    })
  )
})

describe("the documentation of message templates", () => {
  it("shows every kind of component and button, and that the body is closed", () => {
    const { components, paths } = JSON.parse(JSON.stringify(Docs.openApi("/v0")))
    assert.strictEqual(components.schemas.NewTemplate.additionalProperties, false)
    const names = Object.keys(components.schemas).filter((name) => /^Template[A-Z]/.test(name))
    assert.sameMembers(names, [
      "TemplateTextHeader",
      "TemplateMediaHeader",
      "TemplateLocationHeader",
      "TemplateBody",
      "TemplateFooter",
      "TemplateButtons",
      "TemplateQuickReply",
      "TemplateUrlButton",
      "TemplatePhoneButton",
      "TemplatePage"
    ])
    assert.strictEqual(components.schemas.TemplateBody.properties.text.maxLength, 1_024)
    const errors = Object.keys(paths[path].post.responses).sort().join(" ")
    assert.strictEqual(errors, "200 400 401 403 408 409 413 415 422 500 502 503 504")
    assert.isFalse(paths[path].post["x-addition"])
    assert.isTrue(paths[path].get["x-addition"])
  })
})
