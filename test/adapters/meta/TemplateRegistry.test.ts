import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger } from "effect"
import * as Registry from "../../../adapters/meta/TemplateRegistry.ts"
import { makeTemplate } from "../../contracts/repository/Fixtures.ts"
import { templateRegistryContract } from "../../contracts/TemplateRegistry.ts"
import * as MetaServer from "./MetaServer.ts"
import { optionsOf, registry } from "./Rig.ts"

templateRegistryContract(
  "Meta's registry",
  Layer.unwrapScoped(Effect.map(MetaServer.serve(), (meta) => Registry.layer(optionsOf(meta))))
)

const answering =
  (answer: (asked: MetaServer.Asked) => void, method = "POST") =>
  (asked: MetaServer.Asked) => {
    if (asked.method !== method || !asked.path.endsWith("/message_templates")) return false
    answer(asked)
    return true
  }

describe("a template that is submitted to Meta", () => {
  it.scopedLive("goes out in Meta's spelling, under its workspace's name", () =>
    Effect.gen(function* () {
      const { meta, registry: meta_ } = yield* registry()
      yield* meta_.submit(
        makeTemplate(1, {
          customer_id: "ws_01",
          name: "order_1",
          parameter_format: "named",
          components: [
            { type: "header", format: "image", example: { header_handle: ["4::aW"] } },
            {
              type: "body",
              text: "Hello {{name}}, Åre.",
              example: { body_text_named_params: [{ param_name: "name", example: "Ada" }] }
            },
            { type: "footer", text: "Bye" },
            {
              type: "buttons",
              buttons: [
                { type: "quick_reply", text: "Yes" },
                {
                  type: "url",
                  text: "See",
                  url: "https://a.example/{{1}}",
                  example: ["https://a.example/1"]
                },
                { type: "phone_number", text: "Call", phone_number: "+14155550100" }
              ]
            }
          ]
        })
      )
      const [{ body, headers, path }] = meta.asked as [MetaServer.Asked]
      assert.strictEqual(path, `/v23.0/${MetaServer.businessAccountId}/message_templates`)
      assert.strictEqual(headers.authorization, `Bearer ${MetaServer.token}`)
      assert.deepStrictEqual(body, {
        name: "ws_01_order_1",
        language: "en_US",
        category: "UTILITY",
        parameter_format: "NAMED",
        components: [
          { type: "HEADER", format: "IMAGE", example: { header_handle: ["4::aW"] } },
          {
            type: "BODY",
            text: "Hello {{name}}, Åre.",
            example: { body_text_named_params: [{ param_name: "name", example: "Ada" }] }
          },
          { type: "FOOTER", text: "Bye" },
          {
            type: "BUTTONS",
            buttons: [
              { type: "QUICK_REPLY", text: "Yes" },
              { type: "URL", text: "See", url: "https://a.example/{{1}}", example: ["https://a.example/1"] },
              { type: "PHONE_NUMBER", text: "Call", phone_number: "+14155550100" }
            ]
          }
        ]
      })
    })
  )

  it.scopedLive("has no examples rather than empty ones", () =>
    Effect.gen(function* () {
      const { meta, registry: meta_ } = yield* registry()
      yield* meta_.submit(
        makeTemplate(1, { components: [{ type: "body", text: "Hello.", example: { body_text: [[]] } }] })
      )
      assert.deepStrictEqual(meta.asked[0]?.body["components"], [{ type: "BODY", text: "Hello." }])
    })
  )

  it.scopedLive(
    "may have a name of 512 characters there, and is refused one beyond, with how many are left",
    () =>
      Effect.gen(function* () {
        const { meta, registry: meta_ } = yield* registry()
        const named = (length: number) => makeTemplate(1, { customer_id: "ws_01", name: "n".repeat(length) })
        assert.strictEqual((yield* meta_.submit(named(506))).status, "approved")
        assert.strictEqual(String(meta.asked[0]?.body["name"]).length, 512)
        assert.deepStrictEqual(yield* meta_.submit(named(507)), {
          provider_template_id: null,
          status: "rejected",
          rejection_reason: "the name must have at most 506 characters here"
        })
        assert.strictEqual(meta.asked.length, 1)
      })
  )

  it.scopedLive("waits while it is reviewed", () =>
    Effect.gen(function* () {
      const { meta, registry: meta_ } = yield* registry()
      meta.reviewAs("PENDING")
      const submission = yield* meta_.submit(makeTemplate(1))
      assert.deepInclude(submission, { status: "pending", rejection_reason: null })
    })
  )

  it.scopedLive("is found among others of like names when it is there already, however it stands now", () =>
    Effect.gen(function* () {
      const { meta, registry: meta_ } = yield* registry()
      for (const name of ["reminder_10", "reminder_11", "reminder_12"]) {
        yield* meta_.submit(makeTemplate(1, { name }))
      }
      const first = yield* meta_.submit(makeTemplate(1))
      for (const [word, status] of [
        ["PAUSED", "paused"],
        ["PENDING", "pending"],
        ["APPROVED", "approved"]
      ] as const) {
        meta.templates.get(first.provider_template_id!)!.status = word
        assert.deepStrictEqual(yield* meta_.submit(makeTemplate(1)), { ...first, status })
      }
    })
  )

  it.scopedLive("that says something else than what is there takes its place, and is reviewed anew", () =>
    Effect.gen(function* () {
      const { meta, registry: meta_ } = yield* registry()
      const { provider_template_id } = yield* meta_.submit(makeTemplate(1))
      const changed = makeTemplate(1, { components: [{ type: "body", text: "Other." }] })
      assert.deepStrictEqual(yield* meta_.submit(changed), {
        provider_template_id,
        status: "pending",
        rejection_reason: null
      })
      assert.deepStrictEqual(meta.templates.get(provider_template_id!)?.components, [
        { type: "BODY", text: "Other." }
      ])
    })
  )

  it.scopedLive("is refused while Meta keeps the name of one that was deleted", () =>
    Effect.gen(function* () {
      const { registry: meta_ } = yield* registry()
      const { provider_template_id } = yield* meta_.submit(makeTemplate(1))
      yield* meta_.remove(provider_template_id!)
      const { rejection_reason, status } = yield* meta_.submit(makeTemplate(1))
      assert.strictEqual(status, "rejected")
      assert.include(rejection_reason, "30 days")
    })
  )

  it.scopedLive("is refused in Meta's own words", () =>
    Effect.gen(function* () {
      const { meta, registry: meta_ } = yield* registry()
      const error_user_msg = "Variables can't be at the start or end of the template."
      meta.others.push(
        answering((asked) =>
          MetaServer.failure(asked, 400, 100, { error_subcode: 2_388_299, error_user_msg })
        )
      )
      assert.deepStrictEqual(yield* meta_.submit(makeTemplate(1)), {
        provider_template_id: null,
        status: "rejected",
        rejection_reason: error_user_msg
      })
    })
  )

  for (const [what, answer, tag] of [
    ["the token is not accepted", (asked) => MetaServer.failure(asked, 401, 190), "RegistryUnavailable"],
    ["a permission is missing", (asked) => MetaServer.failure(asked, 403, 200), "RegistryUnavailable"],
    [
      "there were too many requests",
      (asked) => MetaServer.failure(asked, 400, 80_008),
      "RegistryUnavailable"
    ],
    ["Meta fails", (asked) => MetaServer.failure(asked, 500, 131_000), "RegistryUnavailable"],
    ["Meta is overloaded", (asked) => MetaServer.failure(asked, 503, 2), "RegistryUnavailable"],
    [
      "Meta redirects",
      ({ response }) => response.writeHead(302, { location: "/" }).end(),
      "RegistryUnavailable"
    ],
    ["the connection is dropped", ({ response }) => response.destroy(), "RegistryUnavailable"],
    ["there is no answer in time", () => {}, "RegistryTimedOut"],
    ["the answer is not JSON", ({ response }) => response.writeHead(200).end("<html>"), "RegistryUnusable"]
  ] as ReadonlyArray<readonly [string, (asked: MetaServer.Asked) => void, string]>) {
    it.scopedLive(`is neither approved nor rejected when ${what}, and nothing of it is told`, () =>
      Effect.gen(function* () {
        const logged: Array<string> = []
        const logger = Logger.replace(
          Logger.defaultLogger,
          Logger.make(({ message }) => void logged.push(String(message)))
        )
        const timeout = what.includes("in time") ? "50 millis" : "10 seconds"
        const { meta, registry: meta_ } = yield* registry({ timeout })
        meta.others.push(answering(answer))
        const failure = yield* Effect.flip(meta_.submit(makeTemplate(1))).pipe(Effect.provide(logger))
        assert.strictEqual(failure._tag, tag)
        for (const text of [failure.message, ...logged]) assert.notInclude(text, MetaServer.token)
      })
    )
  }
})

describe("a template that is removed from Meta", () => {
  it.scopedLive("is removed in its own language alone", () =>
    Effect.gen(function* () {
      const { meta, registry: meta_ } = yield* registry()
      const { provider_template_id } = yield* meta_.submit(makeTemplate(1))
      const other = yield* meta_.submit(makeTemplate(1, { language: "pt_BR" }))
      yield* meta_.remove(provider_template_id!)
      assert.deepStrictEqual([...meta.templates.keys()], [other.provider_template_id])
      const asked = meta.asked.at(-1)!
      assert.deepStrictEqual(Object.fromEntries(asked.query), {
        hsm_id: provider_template_id!,
        name: "ws_a_reminder_1"
      })
    })
  )

  it.scopedLive("is removed when another request was faster", () =>
    Effect.gen(function* () {
      const { meta, registry: meta_ } = yield* registry()
      const { provider_template_id } = yield* meta_.submit(makeTemplate(1))
      meta.others.push(
        answering((asked) => {
          meta.templates.clear()
          MetaServer.failure(asked, 400, 100, { error_subcode: 2_593_002 })
        }, "DELETE")
      )
      yield* meta_.remove(provider_template_id!)
    })
  )

  it.scopedLive("stays when Meta does not remove it", () =>
    Effect.gen(function* () {
      const { meta, registry: meta_ } = yield* registry()
      const { provider_template_id } = yield* meta_.submit(makeTemplate(1))
      meta.others.push(answering((asked) => MetaServer.failure(asked, 400, 100), "DELETE"))
      const failure = yield* Effect.flip(meta_.remove(provider_template_id!))
      assert.strictEqual(failure._tag, "RegistryUnavailable")
    })
  )
})
