import { type Duration, Effect, Layer, Option } from "effect"
import type { Template } from "../../core/model/templates/Template.ts"
import {
  RegistryTimedOut,
  RegistryUnavailable,
  RegistryUnusable,
  TemplateRegistry
} from "../../core/ports/TemplateRegistry.ts"
import { type Answer, http, isOk, type Unanswered } from "../shared/HttpExchange.ts"
import * as ProviderFailures from "../shared/ProviderFailures.ts"
import * as ErrorCodes from "./ErrorCodes.ts"
import * as GraphApi from "./GraphApi.ts"
import * as Review from "./Review.ts"
import { componentsOf, saysTheSame, templateBody } from "./TemplateBody.ts"
import * as TemplateNames from "./TemplateNames.ts"
import {
  decodeCreated,
  decodeNamed,
  decodeRegisteredPage,
  type Failure,
  failureOf,
  nextOf,
  type Registered
} from "./Wire.ts"

export interface Options extends GraphApi.Account {
  /** How long a request may take. */
  readonly timeout: Duration.DurationInput
}

/** The name and language are taken: by a template that is there, or by one that is being deleted. */
const taken: ReadonlySet<number | null> = new Set([2_388_023, 2_388_024])

const mostPages = 20

const unavailable = (message: string) => new RegistryUnavailable({ message })
const unusable = new RegistryUnusable({ message: "the registry's answer cannot be read" })

/** Meta's own words for why it refuses a template. */
const wordsOf = (failure: Failure | null) =>
  [failure?.error_user_msg ?? null, failure?.error_user_title ?? null, failure?.message ?? null] as const

const make = Effect.fnUntraced(function* (options: Options) {
  const { businessAccountId, timeout } = options
  const api = yield* GraphApi.make(options)

  /** An answer that is either 2xx or a definite refusal of what was asked. */
  const ask = Effect.fnUntraced(function* (exchange: Effect.Effect<Answer, Unanswered>) {
    const answer = yield* exchange.pipe(
      Effect.catchTags({
        NotConnected: ({ code }) => unavailable(`no connection to the registry (${code})`),
        ConnectionLost: ({ code }) => unavailable(`the connection to the registry was lost (${code})`),
        TimedOut: () => new RegistryTimedOut({ message: "the registry did not answer in time" })
      })
    )
    if (isOk(answer)) return { ...answer, failure: null }
    const { status, text } = answer
    const failure = failureOf(text)
    if (!ProviderFailures.isRefusal(status, ErrorCodes.isKnown(failure)))
      return yield* unavailable(`the registry answered ${status}`)
    const meaning = ErrorCodes.ofRefusal(status, failure)
    if (meaning._tag === "Later") return yield* unavailable("the registry asks to slow down")
    if (meaning._tag === "Account") {
      const message = `the registry takes nothing from us: ${meaning.message} (${failure?.code ?? `http ${status}`})`
      yield* Effect.logWarning(message)
      return yield* unavailable(message)
    }
    return { ...answer, failure }
  })

  /** The registered template of a name and language. The registry looks for parts of names. */
  const find = Effect.fnUntraced(function* ({ language, name }: { name: string; language: string }) {
    let after: string | null = null
    for (let i = 0; i < mostPages; i++) {
      const query: Record<string, string> = {
        name,
        language,
        fields: "id,name,language,status,rejected_reason,components",
        limit: "100",
        ...(after === null ? {} : { after })
      }
      const answer = yield* ask(api.get([businessAccountId, "message_templates"], query, timeout))
      const page = Option.getOrNull(isOk(answer) ? decodeRegisteredPage(answer.text) : Option.none())
      if (page === null) return yield* unusable
      const found = page.data.find((each) => each.name === name && (each.language ?? language) === language)
      after = nextOf(page)
      if (found !== undefined || after === null) return found
    }
    return undefined
  })

  /** Puts a template in the place of one that says something else. */
  const replace = Effect.fnUntraced(function* ({ id }: Registered, template: Template) {
    const answer = yield* ask(api.post([id], { components: componentsOf(template) }, timeout))
    return isOk(answer) ? Review.reviewOf(id, "pending") : Review.refusal(...wordsOf(answer.failure))
  })

  const resubmit = Effect.fnUntraced(function* (template: Template, name: string) {
    const found = yield* find({ name, language: template.language })
    const status = Review.statusOf(found?.status ?? null)
    if (found === undefined || status === "disabled") {
      return Review.refusal(
        "the registry keeps the name of a deleted template for up to 30 days: take another"
      )
    }
    return saysTheSame(template, found)
      ? Review.reviewOf(found.id, status ?? "pending", found.rejected_reason)
      : yield* replace(found, template)
  })

  const submit = Effect.fn("TemplateRegistry.submit")(function* (template: Template) {
    const tooLong = TemplateNames.tooLong(template)
    if (tooLong !== null) return Review.refusal(tooLong)
    const name = TemplateNames.toMeta(template)
    const answer = yield* ask(
      api.post([businessAccountId, "message_templates"], templateBody(template), timeout)
    )
    if (!isOk(answer)) {
      return taken.has(answer.failure?.error_subcode ?? null)
        ? yield* resubmit(template, name)
        : Review.refusal(...wordsOf(answer.failure))
    }
    const created = decodeCreated(answer.text)
    if (Option.isNone(created)) return yield* unusable
    const { id, status } = created.value
    if (status !== "REJECTED") return Review.reviewOf(id, Review.statusOf(status) ?? "pending")
    const found = yield* find({ name, language: template.language })
    return Review.reviewOf(id, "rejected", found?.rejected_reason ?? null)
  })

  const nameOf = Effect.fnUntraced(function* (id: string) {
    const answer = yield* ask(api.get([id], { fields: "name" }, timeout))
    if (isOk(answer)) {
      const named = decodeNamed(answer.text)
      return Option.isSome(named) ? named.value.name : yield* unusable
    }
    return answer.status === 404 || ErrorCodes.isNoSuchNode(answer.failure)
      ? null
      : yield* unavailable(`the registry answered ${answer.status}`)
  })

  const remove = Effect.fn("TemplateRegistry.remove")(function* (id: string) {
    const name = yield* nameOf(id)
    if (name === null) return
    const answer = yield* ask(
      api.remove([businessAccountId, "message_templates"], { hsm_id: id, name }, timeout)
    )
    if (isOk(answer) || (yield* nameOf(id)) === null) return
    return yield* unavailable(`the registry did not remove it (${answer.failure?.code ?? answer.status})`)
  })

  return TemplateRegistry.of({ submit, remove })
})

/** Meta's review of message templates. One business account serves all workspaces. */
export const layer = (options: Options): Layer.Layer<TemplateRegistry> =>
  Layer.provide(Layer.effect(TemplateRegistry, make(options)), http)
