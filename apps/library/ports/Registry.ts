import { Layer } from "effect"
import type { Template } from "../../../core/model/templates/Template.ts"
import {
  type RegistryFailure,
  RegistryTimedOut,
  RegistryUnavailable,
  RegistryUnusable,
  type Submission,
  TemplateRegistry
} from "../../../core/ports/TemplateRegistry.ts"
import { type Answer, errors, lift, type OnError } from "./Lift.ts"

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

const registryError = errors<RegistryFailure>(
  [RegistryUnavailable, RegistryTimedOut, RegistryUnusable],
  () => new RegistryUnavailable({ message: "the registry failed for a reason of its own" })
)

export const layer = ({ remove, submit }: Registry, onError: OnError): Layer.Layer<TemplateRegistry> =>
  Layer.succeed(TemplateRegistry, {
    submit: (template) =>
      lift((signal) => submit(template, signal), registryError(onError, "registry.submit")),
    remove: (id) => lift((signal) => remove(id, signal), registryError(onError, "registry.remove"))
  })
