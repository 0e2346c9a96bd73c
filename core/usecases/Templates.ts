import { Clock, Context, Effect, Exit, Layer, Option } from "effect"
import { makeNoting } from "../engine/Noting.ts"
import { minute, second } from "../model/Codecs.ts"
import type { Page, PageRequest } from "../model/Page.ts"
import { isUnsubmitted, type Template, type TemplateDraft } from "../model/templates/Template.ts"
import { TemplateInSubmission, TemplateNotFound, TemplateTaken } from "../model/templates/TemplateErrors.ts"
import { Ids } from "../ports/Ids.ts"
import { Repository } from "../ports/Repository.ts"
import {
  type RegistryFailure,
  RegistryTimedOut,
  type Submission,
  TemplateRegistry
} from "../ports/TemplateRegistry.ts"
import type { TemplateFilter } from "../ports/TemplateRows.ts"

const longest = 30 * second

/** After this long, a template that is not known to be submitted is submitted no more: its process has died. */
const abandonedAfter = minute

const isAbandoned = (template: Template, now: number): boolean =>
  isUnsubmitted(template) && now - template.updated_at >= abandonedAfter

const inTime = <A, E>(asked: Effect.Effect<A, E>): Effect.Effect<A, E | RegistryTimedOut> =>
  asked.pipe(
    Effect.disconnect,
    Effect.timeoutFail({
      duration: longest,
      onTimeout: () => new RegistryTimedOut({ message: "no answer within 30 seconds" })
    })
  )

const make = Effect.gen(function* () {
  const repository = yield* Repository
  const registry = yield* TemplateRegistry
  const ids = yield* Ids
  const { noted } = yield* makeNoting

  /** Takes the template's name and language, from one that was abandoned if need be. */
  const take = Effect.fnUntraced(function* (template: Template) {
    const { customer_id, language, name } = template
    const holder = yield* repository.templates.find(customer_id, name, language)
    if (Option.isSome(holder) && isAbandoned(holder.value, template.created_at)) {
      yield* repository.templates.remove(customer_id, holder.value.id)
    }
    return (yield* repository.templates.insert(template)) ? template : yield* new TemplateTaken()
  })

  const submit = Effect.fnUntraced(function* (template: Template) {
    const submission = yield* inTime(registry.submit(template))
    const submitted = { ...template, ...submission, updated_at: yield* Clock.currentTimeMillis }
    const stored = Effect.filterOrFail(
      repository.templates.update(submitted),
      (isOurs) => isOurs,
      () => new TemplateTaken()
    )
    yield* noted(template.customer_id, stored, () => template.id)
    return submitted
  })

  const drop = ({ customer_id, id }: Template) =>
    repository.transaction(customer_id, repository.templates.remove(customer_id, id))

  const create: TemplatesShape["create"] = Effect.fn("Templates.create")(function* (workspace_id, draft) {
    const now = yield* Clock.currentTimeMillis
    const template: Template = {
      ...draft,
      id: yield* ids.make("tmpl"),
      customer_id: workspace_id,
      provider_template_id: null,
      status: "pending",
      rejection_reason: null,
      created_at: now,
      updated_at: now
    }
    return yield* Effect.acquireUseRelease(
      repository.transaction(workspace_id, take(template)),
      submit,
      (taken, exit) => (Exit.isSuccess(exit) ? Effect.void : Effect.asVoid(drop(taken)))
    )
  })

  const get: TemplatesShape["get"] = Effect.fn("Templates.get")(function* (workspace_id, template_id) {
    const template = yield* repository.templates.get(workspace_id, template_id)
    return Option.isSome(template) ? template.value : yield* new TemplateNotFound({ template_id })
  })

  const remove: TemplatesShape["remove"] = Effect.fn("Templates.remove")(
    function* (workspace_id, template_id) {
      const template = yield* get(workspace_id, template_id)
      if (isUnsubmitted(template) && !isAbandoned(template, yield* Clock.currentTimeMillis)) {
        return yield* new TemplateInSubmission()
      }
      if (template.provider_template_id !== null) {
        yield* inTime(registry.remove(template.provider_template_id))
      }
      const dropped = Effect.filterOrFail(
        drop(template),
        (removed) => removed,
        () => new TemplateNotFound({ template_id })
      )
      yield* noted(workspace_id, dropped)
    }
  )

  const reviewed: TemplatesShape["reviewed"] = Effect.fn("Templates.reviewed")(
    function* (workspace_id, { language, name }, review) {
      const found = yield* repository.templates.find(workspace_id, name, language)
      if (Option.isNone(found)) return true
      const now = yield* Clock.currentTimeMillis
      if (isUnsubmitted(found.value)) return isAbandoned(found.value, now)
      if (found.value.provider_template_id === review.provider_template_id) {
        yield* repository.templates.update({ ...found.value, ...review, updated_at: now })
      }
      return true
    },
    (unit, workspace_id) => repository.transaction(workspace_id, unit)
  )

  return Templates.of({ create, get, remove, reviewed, list: repository.templates.list })
})

export interface TemplatesShape {
  /**
   * Stores a template as pending, submits it to the registry and stores what that made of it. When the registry
   * fails, nothing is left behind and the same may be asked again. Should the process die in between, the template
   * stays pending; from a minute on the next of its name and language takes its place.
   */
  readonly create: (
    workspace_id: string,
    draft: TemplateDraft
  ) => Effect.Effect<Template, TemplateTaken | RegistryFailure>
  readonly get: (workspace_id: string, template_id: string) => Effect.Effect<Template, TemplateNotFound>
  readonly list: (
    workspace_id: string,
    filter: TemplateFilter,
    page: PageRequest
  ) => Effect.Effect<Page<Template>>
  /**
   * The registry has come to another result. What it tells of a template that is unknown, or that has been submitted
   * anew under another id, changes nothing. False while the template is still being submitted: ask to be told again.
   */
  readonly reviewed: (
    workspace_id: string,
    template: Pick<Template, "name" | "language">,
    review: Submission
  ) => Effect.Effect<boolean>
  /** Removes it from the registry, then here; what the registry did not remove stays. */
  readonly remove: (
    workspace_id: string,
    template_id: string
  ) => Effect.Effect<void, TemplateNotFound | TemplateInSubmission | RegistryFailure>
}

/** Message templates, which a registry reviews. */
export class Templates extends Context.Tag("outdial/Templates")<Templates, TemplatesShape>() {
  static readonly layer = Layer.effect(this, make)
}
