import { Schema } from "effect"
import { Timestamp } from "../Codecs.ts"
import { Component } from "./Component.ts"

export const Category = Schema.Literal("marketing", "utility", "authentication")
export type Category = typeof Category.Type

/** How placeholders are written: `{{1}}`, or `{{first_name}}`. */
export const ParameterFormat = Schema.Literal("positional", "named")
export type ParameterFormat = typeof ParameterFormat.Type

export const TemplateStatus = Schema.Literal("pending", "approved", "rejected", "paused", "disabled")
export type TemplateStatus = typeof TemplateStatus.Type

/** A message template; of a name and language a workspace has one. */
export const Template = Schema.Struct({
  id: Schema.String,
  customer_id: Schema.String,
  name: Schema.String,
  language: Schema.String,
  category: Category,
  parameter_format: ParameterFormat,
  components: Schema.Array(Component),
  /** The registry's id; null before it has one, and when it refused the template outright. */
  provider_template_id: Schema.NullOr(Schema.String),
  status: TemplateStatus,
  rejection_reason: Schema.NullOr(Schema.String),
  created_at: Timestamp,
  updated_at: Timestamp
}).annotations({ identifier: "Template" })
export type Template = typeof Template.Type

/** What a customer says of a template. */
export type TemplateDraft = Pick<
  Template,
  "name" | "language" | "category" | "parameter_format" | "components"
>

/** It has not (yet) come to the registry, as far as is known here. */
export const isUnsubmitted = ({ provider_template_id, status }: Template): boolean =>
  status === "pending" && provider_template_id === null
