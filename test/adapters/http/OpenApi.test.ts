import { assert, describe, it } from "@effect/vitest"
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import formats from "ajv-formats"
import { Effect } from "effect"
import * as Docs from "../../../adapters/http/server/Docs.ts"
import { answer } from "../../../apps/testing/main.ts"
import { SentType } from "../../../core/model/webhooks/Webhook.ts"
import { number, platform } from "../../apps/testing/Rig.ts"
import { start } from "./Harness.ts"

// oxlint-disable-next-line typescript/no-explicit-any
type Spec = Record<string, any>

const spec: Spec = JSON.parse(JSON.stringify(Docs.openApi("/v0")))
const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false })
formats.default(ajv)
ajv.addSchema(spec, "spec")

const step = (pointer: string, key: string) =>
  `${pointer}/${encodeURIComponent(key.replaceAll("~", "~0").replaceAll("/", "~1"))}`

const validator = (pointer: string): ValidateFunction => ajv.compile({ $ref: `spec#${pointer}` })

/** Every example of the document, with the place of its schema. */
const examplesIn = (node: unknown, pointer: string): ReadonlyArray<readonly [string, unknown]> => {
  if (typeof node !== "object" || node === null) return []
  const here = node as Spec
  return [
    ...("schema" in here && "example" in here ? [[`${pointer}/schema`, here["example"]] as const] : []),
    ...(pointer.startsWith("/components/schemas/") && Array.isArray(here["examples"])
      ? here["examples"].map((example: unknown) => [pointer, example] as const)
      : []),
    ...Object.entries(here)
      .filter(([key]) => key !== "example" && key !== "examples")
      .flatMap(([key, child]) => examplesIn(child, step(pointer, key)))
  ]
}

interface Described {
  readonly path: string
  readonly method: string
  readonly operation: Spec
}

const operations: ReadonlyArray<Described> = Object.entries<Spec>(spec["paths"]).flatMap(([path, item]) =>
  Object.entries<Spec>(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation }))
)

/** A path with ids that name nothing. */
const unknown = (path: string) =>
  path.replaceAll("{phone_number}", "+14155550199").replaceAll(/\{\w+\}/g, "none")

/** The objects of a body, each with the same body in which it has one more property. */
const grown = (body: Spec): ReadonlyArray<readonly [string, unknown]> => {
  const places = (node: unknown, path: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> =>
    typeof node !== "object" || node === null
      ? []
      : [
          ...(Array.isArray(node) ? [] : [path]),
          ...Object.entries(node).flatMap(([key, child]) => places(child, [...path, key]))
        ]
  return places(body, []).map((path) => {
    const copy = structuredClone(body)
    path.reduce<Spec>((node, key) => node[key], copy)["surprise"] = "x"
    return [path.join("."), copy] as const
  })
}

describe("the OpenAPI document", () => {
  it("has examples that are valid by their own schemas", () => {
    const examples = examplesIn(spec, "")
    assert.isAbove(examples.length, 400)
    for (const [pointer, example] of examples) {
      const validate = validator(pointer)
      assert.isTrue(validate(example), `${pointer}: ${ajv.errorsText(validate.errors)}`)
    }
  })

  it("has a result for every play of its example of a run", () => {
    const run =
      spec["paths"]["/agent-test-runs/{run_id}"].get.responses[200].content["application/json"].example
    assert.lengthOf(run.results, run.counts.total)
    for (const [status, count] of [
      ["pass", run.counts.passed],
      ["fail", run.counts.failed]
    ]) {
      assert.lengthOf(
        run.results.filter((result: Spec) => result["status"] === status),
        count
      )
    }
  })

  it("says of every operation with a body when it is answered 408", () => {
    for (const { operation } of operations) {
      assert.strictEqual(operation["responses"][408] !== undefined, operation["requestBody"] !== undefined)
    }
  })

  it.scopedLive("shows the errors that the server answers: of an unknown id, and of a missing scope", () =>
    Effect.gen(function* () {
      const server = yield* start()
      const key = yield* server.keyWith([])
      for (const { method, operation, path } of operations) {
        const shown = (status: number) => operation["responses"][status].content["application/json"].example
        const refused = yield* server.call(unknown(path), { method, headers: { "x-api-key": key } })
        assert.strictEqual(refused.status, 403, path)
        assert.deepStrictEqual(refused.json, shown(403), `${method} ${path}`)
        if (!path.includes("{") || operation["requestBody"] !== undefined) continue
        if (operation["responses"][404] === undefined) continue
        const absent = yield* server.call(unknown(path), { method })
        assert.strictEqual(absent.status, 404, `${method} ${path}: ${absent.text}`)
        // A delivery is looked for in its webhook, and a version in its agent, which are not there.
        if (/\{(delivery_id|import_id|version)\}/.test(path)) continue
        assert.deepStrictEqual(absent.json, shown(404), `${method} ${path}`)
      }
    })
  )

  it.scopedLive("closes the objects of request bodies in which the server permits no other property", () =>
    Effect.gen(function* () {
      const server = yield* start()
      let [refused, taken] = [0, 0]
      for (const { method, operation, path } of operations) {
        const body: Spec | undefined = operation["requestBody"]?.content["application/json"]
        if (body === undefined) continue
        const pointer = ["paths", path, method.toLowerCase(), "requestBody", "content", "application/json"]
        const validate = validator(`${pointer.reduce(step, "")}/schema`)
        for (const [place, sent] of grown(body["example"])) {
          const reply = yield* server.call(unknown(path), { method, json: sent })
          const isRefused = reply.text.includes("not permitted")
          assert.strictEqual(!validate(sent), isRefused, `${method} ${path} ${place}: ${reply.text}`)
          if (isRefused) refused++
          else taken++
        }
      }
      assert.isAbove(refused, 20)
      assert.isAbove(taken, 5)
    })
  )

  it.scopedLive("has the body of every event that a receiver gets", () =>
    Effect.gen(function* () {
      const { outdial, place } = yield* platform({ start: "2026-03-02T10:00:00Z" })
      outdial.callee(number, answer({ seconds: 42 }))
      yield* Effect.promise(async () => {
        await outdial.webhooks.create({ url: "https://example.com/hooks" })
        await place(number, { metadata: { order: "A-1" } })
        await outdial.runUntilIdle()
      })
      const types = outdial.delivered.map(({ event }) => event.event_type)
      assert.sameMembers(types, ["call_started", "call_completed", "recording_completed"])
      assert.sameMembers([...SentType.literals], Object.keys(spec["webhooks"]))
      for (const type of Object.keys(spec["webhooks"])) {
        const body = ["webhooks", type, "post", "requestBody", "content", "application/json"]
        const { example } = spec["webhooks"][type].post.requestBody.content["application/json"]
        const validate = validator(`${body.reduce(step, "")}/schema`)
        assert.isTrue(validate(example), `${type}: ${ajv.errorsText(validate.errors)}`)
      }
      for (const { body, event } of outdial.delivered) {
        const place = ["webhooks", event.event_type, "post", "requestBody", "content", "application/json"]
        const validate = validator(`${place.reduce(step, "")}/schema`)
        assert.isTrue(validate(JSON.parse(body)), `${event.event_type}: ${ajv.errorsText(validate.errors)}`)
        const example =
          spec["webhooks"][event.event_type].post.requestBody.content["application/json"].example
        assert.sameMembers(Object.keys(JSON.parse(body)), Object.keys(example))
      }
    })
  )
})
