import { Layer, Schema } from "effect"
import { type Template, TemplateStatus } from "../../../core/model/templates/Template.ts"
import {
  type RegistryFailure,
  RegistryTimedOut,
  RegistryUnavailable,
  RegistryUnusable,
  type Submission,
  TemplateRegistry
} from "../../../core/ports/TemplateRegistry.ts"
import { type Answer, anything, asking, type OnError } from "./Lift.ts"

/**
 * Where message templates are reviewed. Throw `RegistryTimedOut` or `RegistryUnusable` to say what went wrong;
 * anything else that is thrown counts as `RegistryUnavailable`. A refusal is an answer, of status `rejected`.
 */
export interface Registry {
  /** Idempotent by workspace, name and language. */
  readonly submit: (template: Template, signal: AbortSignal) => Answer<Submission>
  /** Idempotent: an id that is gone, or never was, is removed. */
  readonly remove: (provider_template_id: string, signal: AbortSignal) => Answer<void>
}

const SubmissionSchema: Schema.Schema<Submission> = Schema.Struct({
  provider_template_id: Schema.NullOr(Schema.String),
  status: TemplateStatus,
  rejection_reason: Schema.NullOr(Schema.String)
})

const asked = asking<RegistryFailure>(
  [RegistryUnavailable, RegistryTimedOut, RegistryUnusable],
  () => new RegistryUnavailable({ message: "the registry failed for a reason of its own" })
)

export const layer = (registry: Registry, onError: OnError): Layer.Layer<TemplateRegistry> => {
  const ask = asked(onError)
  return Layer.succeed(TemplateRegistry, {
    submit: (template) =>
      ask("registry.submit", SubmissionSchema, (signal) => registry.submit(template, signal)),
    remove: (id) => ask("registry.remove", anything, (signal) => registry.remove(id, signal))
  })
}
