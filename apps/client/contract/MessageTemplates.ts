// Written by apps/client/generator/main.ts from adapters/http/contract.

import type { RequestOptions } from "../request/Options.ts"
import type { Deleted, E164, Pagination, Timestamp } from "./Shared.ts"

export interface Template {
  readonly id: string
  readonly customer_id: string
  readonly name: string
  readonly language: string
  readonly category: "marketing" | "utility" | "authentication"
  readonly parameter_format: "positional" | "named"
  readonly components: ReadonlyArray<
    | TemplateTextHeader
    | TemplateMediaHeader
    | TemplateLocationHeader
    | TemplateBody
    | TemplateFooter
    | TemplateButtons
  >
  readonly provider_template_id: string | null
  readonly status: "pending" | "approved" | "rejected" | "paused" | "disabled"
  readonly rejection_reason: string | null
  readonly created_at: Timestamp
  readonly updated_at: Timestamp
}

export interface TemplateTextHeader {
  readonly type: "header"
  readonly format: "text"
  /** At most 60 characters, with at most one placeholder. */
  readonly text: string
  readonly example?:
    | {
        /** With positional parameters: an example for the placeholder. */
        readonly header_text?: ReadonlyArray<string> | undefined
        /** With named parameters: for each placeholder its name and an example. */
        readonly header_text_named_params?:
          | ReadonlyArray<{
              readonly param_name: string
              readonly example: string
            }>
          | undefined
      }
    | undefined
}

export interface TemplateMediaHeader {
  readonly type: "header"
  readonly format: "image" | "video" | "document"
  /** The registry's handle of an example that it has. */
  readonly example?:
    | {
        readonly header_handle: ReadonlyArray<string>
      }
    | undefined
}

export interface TemplateLocationHeader {
  readonly type: "header"
  readonly format: "location"
}

export interface TemplateBody {
  readonly type: "body"
  /** 1 to 1,024 characters; no placeholder at its start or end. */
  readonly text: string
  readonly example?:
    | {
        /** With positional parameters: one array with an example for each placeholder. */
        readonly body_text?: ReadonlyArray<ReadonlyArray<string>> | undefined
        /** With named parameters: for each placeholder its name and an example. */
        readonly body_text_named_params?:
          | ReadonlyArray<{
              readonly param_name: string
              readonly example: string
            }>
          | undefined
      }
    | undefined
}

export interface TemplateFooter {
  readonly type: "footer"
  /** At most 60 characters, without placeholders. */
  readonly text: string
}

export interface TemplateButtons {
  readonly type: "buttons"
  readonly buttons: ReadonlyArray<TemplateQuickReply | TemplateUrlButton | TemplatePhoneButton>
}

export interface TemplateQuickReply {
  readonly type: "quick_reply"
  readonly text: string
}

export interface TemplateUrlButton {
  readonly type: "url"
  readonly text: string
  /** http or https; it may end with the placeholder `{{1}}`. */
  readonly url: string
  readonly example?: ReadonlyArray<string> | undefined
}

export interface TemplatePhoneButton {
  readonly type: "phone_number"
  readonly text: string
  readonly phone_number: E164
}

export interface NewTemplate {
  /** 1 to 512 lower-case letters, digits and underscores. */
  readonly name: string
  /** A language code such as en, en_US or pt_BR. */
  readonly language: string
  readonly category: "marketing" | "utility" | "authentication"
  /** How placeholders are written: positional, `{{1}}`, the default; or named, `{{first_name}}`. */
  readonly parameter_format?: "positional" | "named" | undefined
  /** Exactly one body; at most one header, one footer and one set of buttons. */
  readonly components: ReadonlyArray<
    | TemplateTextHeader
    | TemplateMediaHeader
    | TemplateLocationHeader
    | TemplateBody
    | TemplateFooter
    | TemplateButtons
  >
}

export interface TemplatePage {
  readonly data: ReadonlyArray<Template>
  readonly pagination: Pagination
}

export interface ListMessageTemplatesQuery {
  /** How many records at most, 1 to 100. Default 50. */
  readonly limit?: number | undefined
  /** How many records to skip, newest first. 0 to 1000000000. Default 0. */
  readonly offset?: number | undefined
  /** Only templates of this name, in whatever language. */
  readonly name?: string | undefined
  /** Only templates in this language. */
  readonly language?: string | undefined
  /** Only templates of this status. */
  readonly status?: "pending" | "approved" | "rejected" | "paused" | "disabled" | undefined
  /** Only templates of this category. */
  readonly category?: "marketing" | "utility" | "authentication" | undefined
}

export interface MessageTemplates {
  /**
   * Create a message template.
   * Submits a template to the registry that reviews it, and answers with what came of that: `status` is
   * `pending`, `approved` or `rejected`, then with `rejection_reason`. A name and a language make one
   * template.
   *
   * Keywords (`category`, `parameter_format`, `type`, `format`) may be in upper case and are kept in
   * lower case. Positional placeholders are `{{1}}`, `{{2}}` and so on, counted anew in each component,
   * named ones `{{first_name}}`; each has an example. A body has none at its start or end, and something
   * between one and the next. There are 1 to 10 buttons, of them at most 2 of type `url` and 1 of type
   * `phone_number`; the texts of quick replies differ.
   *
   * When the registry fails, nothing is stored and the same request may be sent again.
   *
   * Needs the scope `templates:write`.
   *
   * Source: `POST /msg/templates`.
   *
   * @throws {OutdialError} 400: A property breaks its rule, is missing or is not permitted
   * @throws {OutdialError} 408: The request body took too long to arrive
   * @throws {OutdialError} 409: The workspace has a template of this name and language already
   * @throws {OutdialError} 502: The registry's answer could not be used
   * @throws {OutdialError} 503: The registry cannot be reached
   * @throws {OutdialError} 504: The registry did not answer in time
   */
  readonly create: (body: NewTemplate, options?: RequestOptions) => Promise<Template>

  /**
   * List message templates.
   * The workspace's message templates, newest first.
   *
   * Needs the scope `templates:write`.
   *
   * An addition to the published interface.
   *
   * Source: `GET /msg/templates`.
   *
   * @throws {OutdialError} 400: The request breaks a rule; the message names the field and the rule
   * @throws {OutdialError} 503: Temporarily unavailable; the same request may be sent again after
   * Retry-After seconds
   */
  readonly list: (query?: ListMessageTemplatesQuery, options?: RequestOptions) => Promise<TemplatePage>
  /**
   * Every record of `list`, page by page of `limit`, which is 100 by default. Each comes once, also when
   * records are added or removed meanwhile.
   */
  readonly all: (
    query?: Omit<ListMessageTemplatesQuery, "offset">,
    options?: RequestOptions
  ) => AsyncIterable<Template>

  /**
   * Read a message template.
   * The template, with what the registry made of it.
   *
   * Needs the scope `templates:write`.
   *
   * An addition to the published interface.
   *
   * Source: `GET /msg/templates/{template_id}`.
   *
   * @throws {OutdialError} 400: The request breaks a rule; the message names the field and the rule
   * @throws {OutdialError} 404: There is no such record in the workspace
   * @throws {OutdialError} 503: Temporarily unavailable; the same request may be sent again after
   * Retry-After seconds
   */
  readonly get: (template_id: string, options?: RequestOptions) => Promise<Template>

  /**
   * Remove a message template.
   * Removes it from the registry and here. Its name and language are free again.
   *
   * Needs the scope `templates:write`.
   *
   * An addition to the published interface.
   *
   * Source: `DELETE /msg/templates/{template_id}`.
   *
   * @throws {OutdialError} 400: The request breaks a rule; the message names the field and the rule
   * @throws {OutdialError} 404: There is no such record in the workspace
   * @throws {OutdialError} 409: It is being submitted at this moment
   * @throws {OutdialError} 502: The registry's answer could not be used
   * @throws {OutdialError} 503: The registry cannot be reached
   * @throws {OutdialError} 504: The registry did not answer in time
   */
  readonly remove: (template_id: string, options?: RequestOptions) => Promise<Deleted>
}
