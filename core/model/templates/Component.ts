import { Schema } from "effect"
import { hasAtMost, Text } from "../Codecs.ts"
import { E164 } from "../numbers/PhoneNumber.ts"

const text = (max: number) =>
  Text.pipe(
    Schema.filter(
      (value) => (value.trim() !== "" && hasAtMost(value, max)) || `must have 1 to ${max} characters`,
      { jsonSchema: { minLength: 1, maxLength: max } }
    )
  )

const closed = { parseOptions: { onExcessProperty: "error", errors: "all" } } as const
const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

/** What a placeholder may be replaced by. */
const Sample = text(1_024)

const NamedSample = Schema.Struct({ param_name: text(100), example: Sample }).annotations(closed)

const named = optional(Schema.Array(NamedSample)).annotations({
  description: "With named parameters: for each placeholder its name and an example"
})

export const TextHeader = Schema.Struct({
  type: Schema.Literal("header"),
  format: Schema.Literal("text"),
  text: text(60).annotations({ description: "At most 60 characters, with at most one placeholder" }),
  example: optional(
    Schema.Struct({
      header_text: optional(Schema.Array(Sample)).annotations({
        description: "With positional parameters: an example for the placeholder"
      }),
      header_text_named_params: named
    }).annotations(closed)
  )
}).annotations({ identifier: "TemplateTextHeader", ...closed })

export const MediaHeader = Schema.Struct({
  type: Schema.Literal("header"),
  format: Schema.Literal("image", "video", "document"),
  example: optional(
    Schema.Struct({
      header_handle: Schema.Array(text(2_000)).pipe(
        Schema.itemsCount(1, { message: () => "header_handle must be one handle" })
      )
    }).annotations({ description: "The registry's handle of an example that it has", ...closed })
  )
}).annotations({ identifier: "TemplateMediaHeader", ...closed })

export const LocationHeader = Schema.Struct({
  type: Schema.Literal("header"),
  format: Schema.Literal("location")
}).annotations({ identifier: "TemplateLocationHeader", ...closed })

export const Body = Schema.Struct({
  type: Schema.Literal("body"),
  text: text(1_024).annotations({ description: "1 to 1,024 characters; no placeholder at its start or end" }),
  example: optional(
    Schema.Struct({
      body_text: optional(Schema.Array(Schema.Array(Sample))).annotations({
        description: "With positional parameters: one array with an example for each placeholder"
      }),
      body_text_named_params: named
    }).annotations(closed)
  )
}).annotations({ identifier: "TemplateBody", ...closed })

export const Footer = Schema.Struct({
  type: Schema.Literal("footer"),
  text: text(60).annotations({ description: "At most 60 characters, without placeholders" })
}).annotations({ identifier: "TemplateFooter", ...closed })

const label = text(25)

export const QuickReply = Schema.Struct({ type: Schema.Literal("quick_reply"), text: label }).annotations({
  identifier: "TemplateQuickReply",
  ...closed
})

export const UrlButton = Schema.Struct({
  type: Schema.Literal("url"),
  text: label,
  url: text(2_000).annotations({ description: "http or https; it may end with the placeholder `{{1}}`" }),
  example: optional(
    Schema.Array(text(2_000)).pipe(
      Schema.itemsCount(1, { message: () => "example must be one example of the url's placeholder" })
    )
  )
}).annotations({ identifier: "TemplateUrlButton", ...closed })

export const PhoneButton = Schema.Struct({
  type: Schema.Literal("phone_number"),
  text: label,
  phone_number: E164
}).annotations({ identifier: "TemplatePhoneButton", ...closed })

export const Button = Schema.Union(QuickReply, UrlButton, PhoneButton)
export type Button = typeof Button.Type

export const Buttons = Schema.Struct({
  type: Schema.Literal("buttons"),
  buttons: Schema.Array(Button).pipe(
    Schema.filter(({ length }) => (length >= 1 && length <= 10) || "must be 1 to 10 buttons", {
      jsonSchema: { minItems: 1, maxItems: 10 }
    })
  )
}).annotations({ identifier: "TemplateButtons", ...closed })

export const Header = Schema.Union(TextHeader, MediaHeader, LocationHeader)

/** A part of a message. Source: Meta's message-template API, with its values in lower case. */
export const Component = Schema.Union(Header, Body, Footer, Buttons)
export type Component = typeof Component.Type
