import type { Effect, Option } from "effect"
import type { Page, PageRequest } from "../model/Page.ts"
import type { Category, Template, TemplateStatus } from "../model/templates/Template.ts"

export interface TemplateFilter {
  readonly name?: string | undefined
  readonly language?: string | undefined
  readonly status?: TemplateStatus | undefined
  readonly category?: Category | undefined
}

export interface TemplateRows {
  /** False, and nothing is stored, when the workspace has a template of this name and language already. */
  readonly insert: (template: Template) => Effect.Effect<boolean>
  readonly get: (workspace_id: string, id: string) => Effect.Effect<Option.Option<Template>>
  readonly find: (
    workspace_id: string,
    name: string,
    language: string
  ) => Effect.Effect<Option.Option<Template>>
  readonly list: (
    workspace_id: string,
    filter: TemplateFilter,
    page: PageRequest
  ) => Effect.Effect<Page<Template>>
  /** Stores what the registry said and `updated_at`, all else stays as it is; false when there is none. */
  readonly update: (template: Template) => Effect.Effect<boolean>
  /** False when there is none. */
  readonly remove: (workspace_id: string, id: string) => Effect.Effect<boolean>
}
