import { Context, Data, type Effect } from "effect"
import type { Template, TemplateStatus } from "../model/templates/Template.ts"

/** What the registry made of a template. */
export interface Submission {
  /** Null when it refused the template outright. */
  readonly provider_template_id: string | null
  readonly status: TemplateStatus
  /** Why, in the registry's words, when it is rejected. */
  readonly rejection_reason: string | null
}

/** The registry cannot be reached. */
export class RegistryUnavailable extends Data.TaggedError("RegistryUnavailable")<{
  readonly message: string
}> {}
/** The registry did not answer in time; it may have done what it was asked. */
export class RegistryTimedOut extends Data.TaggedError("RegistryTimedOut")<{ readonly message: string }> {}
/** The registry answered with something that cannot be understood. */
export class RegistryUnusable extends Data.TaggedError("RegistryUnusable")<{ readonly message: string }> {}
export type RegistryFailure = RegistryUnavailable | RegistryTimedOut | RegistryUnusable

/** Where message templates are reviewed before a channel lets them be sent. */
export class TemplateRegistry extends Context.Tag("outdial/TemplateRegistry")<
  TemplateRegistry,
  {
    /**
     * Idempotent by workspace, name and language: what is submitted again takes the place of what was. A refusal is
     * an answer, of status rejected.
     */
    readonly submit: (template: Template) => Effect.Effect<Submission, RegistryFailure>
    /** Idempotent: an id that is gone, or was never there, is removed. */
    readonly remove: (provider_template_id: string) => Effect.Effect<void, RegistryFailure>
  }
>() {}
