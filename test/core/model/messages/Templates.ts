import { Either } from "effect"
import * as FastCheck from "effect/FastCheck"
import type { Slot } from "../../../../core/model/messages/Parameters.ts"
import type { Template } from "../../../../core/model/templates/Template.ts"
import { templateFromJson } from "../../../../core/model/templates/TemplateBody.ts"

/** A template of these components, which has to keep every rule that templates have. */
export const templateOf = (
  components: ReadonlyArray<unknown>,
  parameter_format: Template["parameter_format"] = "positional"
): Template => ({
  ...Either.getOrThrow(
    templateFromJson(
      JSON.stringify({
        name: "reminder",
        language: "en",
        category: "utility",
        parameter_format,
        components
      })
    )
  ),
  id: "tmpl_1",
  customer_id: "ws_1",
  provider_template_id: "1",
  status: "approved",
  rejection_reason: null,
  created_at: 0,
  updated_at: 0
})

/** Parts of a template, and what has to be filled in them. */
export interface Piece {
  readonly components: ReadonlyArray<unknown>
  readonly slots: ReadonlyArray<Slot>
}

const empty: Piece = { components: [], slots: [] }

const named = (name: string) => ({ param_name: name, example: "x" })

const body = (names: ReadonlyArray<string>, format: Template["parameter_format"]): Piece => ({
  components: [
    {
      type: "body",
      // The first placeholder stands there twice, and is filled once.
      text: `Hi ${[...names, ...names.slice(0, 1)].map((name) => `{{${name}}}, `).join("")}bye`,
      ...(names.length > 0 && {
        example:
          format === "named"
            ? { body_text_named_params: names.map(named) }
            : { body_text: [names.map(() => "x")] }
      })
    }
  ],
  slots: names.map((name) => ({ part: "body", name }))
})

const headerText = (name: string | null, format: Template["parameter_format"]): Piece => ({
  components: [
    {
      type: "header",
      format: "text",
      text: name === null ? "Hello" : `For {{${name}}} only`,
      ...(name !== null && {
        example: format === "named" ? { header_text_named_params: [named(name)] } : { header_text: ["x"] }
      })
    }
  ],
  slots: name === null ? [] : [{ part: "header", name }]
})

const media = FastCheck.constantFrom("image", "video", "document").map((format): Piece => ({
  components: [{ type: "header", format, example: { header_handle: ["handle"] } }],
  slots: [{ part: "header", name: "link" }]
}))

const location: Piece = {
  components: [{ type: "header", format: "location" }],
  slots: ["latitude", "longitude", "name", "address"].map((name) => ({ part: "header", name }))
}

const buttonKinds = ["reply", "phone", "fixed", "open"] as const

const buttons = FastCheck.shuffledSubarray([...buttonKinds], { minLength: 1 }).map((kinds): Piece => ({
  components: [
    {
      type: "buttons",
      buttons: kinds.map((kind) => {
        if (kind === "reply") return { type: "quick_reply", text: "Yes" }
        if (kind === "phone") return { type: "phone_number", text: "Call", phone_number: "+14155550100" }
        const url = "https://example.com/a"
        return kind === "fixed"
          ? { type: "url", text: "Look", url }
          : { type: "url", text: "Open", url: `${url}/{{1}}`, example: [`${url}/1`] }
      })
    }
  ],
  slots: kinds.flatMap((kind, i) => (kind === "open" ? [{ part: "buttons", name: String(i) } as const] : []))
}))

const footer = FastCheck.constantFrom(empty, { ...empty, components: [{ type: "footer", text: "Bye" }] })

/** Names that objects have by themselves are names like any other. */
const placeholders = ["constructor", "first_name", "a", "x_1", "valueof"]

/** Valid templates of every form, each with all that has to be filled in it. */
export const templates: FastCheck.Arbitrary<{
  readonly template: Template
  readonly slots: ReadonlyArray<Slot>
}> = FastCheck.constantFrom("positional" as const, "named" as const).chain((format) => {
  const names =
    format === "named"
      ? FastCheck.shuffledSubarray(placeholders)
      : FastCheck.nat(9).map((count) => Array.from({ length: count }, (_, i) => String(i + 1)))
  const header = FastCheck.oneof(
    FastCheck.constant(empty),
    FastCheck.constant(headerText(null, format)),
    FastCheck.constant(headerText(format === "named" ? "constructor" : "1", format)),
    media,
    FastCheck.constant(location)
  )
  return FastCheck.tuple(
    header,
    names.map((all) => body(all, format)),
    footer,
    FastCheck.oneof(FastCheck.constant(empty), buttons)
  ).map((pieces) => ({
    template: templateOf(
      pieces.flatMap(({ components }) => components),
      format
    ),
    slots: pieces.flatMap(({ slots }) => slots)
  }))
})
