import { assert, layer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import type { Template } from "../../core/model/templates/Template.ts"
import { TemplateRegistry } from "../../core/ports/TemplateRegistry.ts"
import { makeTemplate } from "./repository/Fixtures.ts"

let names = 0
const newTemplate = (over: Partial<Template> = {}) => makeTemplate(++names, over)

/** What every registry does. It rejects a template whose name begins with `reject_`, and approves the rest. */
export const templateRegistryContract = <E>(name: string, registry: Layer.Layer<TemplateRegistry, E>) =>
  layer(registry, { excludeTestServices: true })(name, (it) => {
    it.effect("approves a template under an id", () =>
      Effect.gen(function* () {
        const { provider_template_id, ...review } = yield* (yield* TemplateRegistry).submit(newTemplate())
        assert.deepStrictEqual(review, { status: "approved", rejection_reason: null })
        assert.match(provider_template_id ?? "", /^\d+$/)
      })
    )

    it.effect("answers a rejection with its reason", () =>
      Effect.gen(function* () {
        const template = newTemplate({ name: `reject_${++names}` })
        const { rejection_reason, status } = yield* (yield* TemplateRegistry).submit(template)
        assert.strictEqual(status, "rejected")
        assert.isNotEmpty(rejection_reason)
      })
    )

    it.effect("comes to the same result under the same id when the same is submitted again", () =>
      Effect.gen(function* () {
        const { submit } = yield* TemplateRegistry
        for (const template of [newTemplate(), newTemplate({ name: `reject_${++names}` })]) {
          const first = yield* submit(template)
          assert.deepStrictEqual(yield* submit({ ...template, id: "tmpl_another" }), first)
        }
      })
    )

    it.effect("puts what says something else in the place of what was", () =>
      Effect.gen(function* () {
        const { submit } = yield* TemplateRegistry
        const template = newTemplate()
        const first = yield* submit(template)
        const second = yield* submit({ ...template, components: [{ type: "body", text: "Another text." }] })
        assert.strictEqual(second.provider_template_id, first.provider_template_id)
        assert.include(["approved", "pending"], second.status)
      })
    )

    it.effect("keeps templates of one name apart by workspace and by language", () =>
      Effect.gen(function* () {
        const { submit } = yield* TemplateRegistry
        const template = newTemplate()
        const submitted = yield* Effect.forEach(
          [template, { ...template, customer_id: "ws_other" }, { ...template, language: "pt_BR" }],
          submit
        )
        assert.strictEqual(new Set(submitted.map((each) => each.provider_template_id)).size, 3)
        assert.isTrue(submitted.every(({ status }) => status === "approved"))
      })
    )

    it.effect("takes a template with a header, a footer and every kind of button", () =>
      Effect.gen(function* () {
        const { submit } = yield* TemplateRegistry
        const template = newTemplate({
          parameter_format: "named",
          components: [
            {
              type: "header",
              format: "text",
              text: "Hello {{name}}",
              example: { header_text_named_params: [{ param_name: "name", example: "Ada" }] }
            },
            {
              type: "body",
              text: "It is {{day}}.",
              example: { body_text_named_params: [{ param_name: "day", example: "Monday" }] }
            },
            { type: "footer", text: "Bye" },
            {
              type: "buttons",
              buttons: [
                { type: "quick_reply", text: "Yes" },
                {
                  type: "url",
                  text: "See",
                  url: "https://example.com/{{1}}",
                  example: ["https://example.com/1"]
                },
                { type: "phone_number", text: "Call", phone_number: "+14155550100" }
              ]
            }
          ]
        })
        const first = yield* submit(template)
        assert.strictEqual(first.status, "approved")
        assert.deepStrictEqual(yield* submit(template), first)
      })
    )

    it.effect("removes a template once and again, and one that was never there", () =>
      Effect.gen(function* () {
        const { remove, submit } = yield* TemplateRegistry
        const { provider_template_id } = yield* submit(newTemplate())
        yield* remove(provider_template_id!)
        yield* remove(provider_template_id!)
        yield* remove("999999999999999999")
      })
    )
  })
