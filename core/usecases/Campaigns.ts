import { Clock, Context, Effect, Either, Layer, Option } from "effect"
import { makeCampaignStore } from "../engine/CampaignStore.ts"
import { makeNoting } from "../engine/Noting.ts"
import { AgentNotFound } from "../model/agents/AgentErrors.ts"
import type { Attempt } from "../model/calls/Attempt.ts"
import { CarrierUnavailable } from "../model/calls/CallErrors.ts"
import type { CampaignState } from "../model/campaigns/Campaign.ts"
import {
  type CampaignChange,
  type CampaignDraft,
  holidayRule,
  scheduleRule,
  templateRule
} from "../model/campaigns/CampaignBody.ts"
import { emptyCounters } from "../model/campaigns/CampaignCounters.ts"
import {
  type CampaignNotFound,
  CampaignRefused,
  CampaignUnderWay,
  ChangeRefused
} from "../model/campaigns/CampaignErrors.ts"
import * as Machine from "../model/campaigns/CampaignMachine.ts"
import {
  type CampaignProgress,
  progressOf,
  type ProgressRequest,
  spanOf
} from "../model/campaigns/CampaignProgress.ts"
import { firstOf, type InvalidInput } from "../model/InvalidInput.ts"
import type { RawJson } from "../model/json/RawJson.ts"
import { parse as templateOf } from "../model/messages/CampaignTemplate.ts"
import { mappingIssues } from "../model/messages/Parameters.ts"
import type { NoPhoneNumber, PhoneNumberNotFound } from "../model/numbers/PhoneNumberErrors.ts"
import type { Page, PageRequest } from "../model/Page.ts"
import { TemplateNotFound } from "../model/templates/TemplateErrors.ts"
import type { AttemptFilter } from "../ports/AttemptRows.ts"
import { CallDialer } from "../ports/CallDialer.ts"
import type { CampaignFilter } from "../ports/CampaignRows.ts"
import { Ids } from "../ports/Ids.ts"
import { MessageSender } from "../ports/MessageSender.ts"
import { Repository } from "../ports/Repository.ts"
import { makeCallerId } from "./CallerId.ts"
import { known } from "./ListPlace.ts"
import { makeThenWake } from "./Woken.ts"

/** Recipients that one transaction removes. */
const removedAtOnce = 1_000

const make = Effect.gen(function* () {
  const repository = yield* Repository
  const thenWake = yield* makeThenWake
  const carriers = { voice: yield* CallDialer, msg: yield* MessageSender }
  const ids = yield* Ids
  const callerId = yield* makeCallerId
  const store = yield* makeCampaignStore
  const { note, noted } = yield* makeNoting

  const get: CampaignsShape["get"] = Effect.fn("Campaigns.get")(store.load)

  const agentExists = Effect.fnUntraced(function* (workspace_id: string, agent_id: string) {
    const agent = yield* repository.agents.get(workspace_id, agent_id)
    if (Option.isNone(agent)) return yield* new AgentNotFound({ agent_id })
  })

  /** What is wrong with what a campaign is to send. */
  const templateIssues = Effect.fnUntraced(function* (workspace_id: string, template: RawJson) {
    const { id, variables } = templateOf(template)
    const found = yield* repository.templates.get(workspace_id, id)
    if (Option.isNone(found)) return yield* new TemplateNotFound({ template_id: id })
    return mappingIssues(found.value, variables ?? {}, ["template", "variables"])
  })

  const insert = Effect.fnUntraced(function* (workspace_id: string, draft: CampaignDraft) {
    const now = yield* Clock.currentTimeMillis
    const late = scheduleRule(draft.scheduled_for, now)
    if (late !== null) return yield* firstOf([{ path: ["scheduled_for"], message: late }])
    yield* agentExists(workspace_id, draft.agent_id)
    if (draft.template !== null) {
      const issues = yield* templateIssues(workspace_id, draft.template)
      if (issues.length > 0) return yield* firstOf(issues)
    }
    const id = yield* ids.make("camp")
    const state = Machine.create(
      {
        ...draft,
        id,
        customer_id: workspace_id,
        status: "draft",
        status_reason: null,
        from_phone_number_id: (yield* callerId(workspace_id, draft.from_phone_number_id)).id,
        started_at: null,
        completed_at: null,
        created_at: now,
        updated_at: now
      },
      emptyCounters(workspace_id, id)
    )
    yield* repository.campaigns.insert(state)
    return state
  })

  const create: CampaignsShape["create"] = Effect.fn("Campaigns.create")(function* (workspace_id, draft) {
    const state = yield* thenWake(
      workspace_id,
      noted(workspace_id, insert(workspace_id, draft), ({ campaign }) => campaign.id)
    )
    return state
  })

  const unknown = (field: string, what: string) => () =>
    new ChangeRefused({ issues: [{ path: [field], message: `${field} names no ${what} of the workspace` }] })

  const change = Effect.fnUntraced(function* (workspace_id: string, id: string, wanted: CampaignChange) {
    const before = yield* store.load(workspace_id, id)
    if (wanted.agent_id !== undefined) {
      yield* Effect.mapError(agentExists(workspace_id, wanted.agent_id), unknown("agent_id", "agent"))
    }
    if (wanted.from_phone_number_id !== undefined) {
      yield* Effect.mapError(
        callerId(workspace_id, wanted.from_phone_number_id),
        unknown("from_phone_number_id", "phone number")
      )
    }
    if (wanted.template !== undefined) {
      const message = templateRule(before.campaign.channel, wanted.template)
      if (message !== null) return yield* new ChangeRefused({ issues: [{ path: ["template"], message }] })
      const issues = yield* Effect.mapError(
        templateIssues(workspace_id, wanted.template!),
        unknown("template", "message template")
      )
      if (issues.length > 0) return yield* new ChangeRefused({ issues })
    }
    const message = holidayRule({ ...before.campaign, ...wanted })
    if (message !== null) return yield* new ChangeRefused({ issues: [{ path: ["call_config"], message }] })
    const after = Machine.edit(before, wanted, yield* Clock.currentTimeMillis)
    if (Either.isLeft(after)) return yield* new ChangeRefused({ issues: after.left })
    yield* store.save(before, after.right)
    return after.right
  })

  const update: CampaignsShape["update"] = Effect.fn("Campaigns.update")(
    function* (workspace_id, id, wanted) {
      const state = yield* thenWake(workspace_id, noted(workspace_id, change(workspace_id, id, wanted)))
      return state
    }
  )

  const begin = Effect.fnUntraced(function* (workspace_id: string, id: string) {
    const before = yield* store.load(workspace_id, id)
    if (before.campaign.template !== null) {
      const template = yield* repository.templates.get(workspace_id, templateOf(before.campaign.template).id)
      if (Option.isNone(template) || template.value.status !== "approved") {
        const is = Option.match(template, { onNone: () => "gone", onSome: ({ status }) => status })
        return yield* new CampaignRefused({
          reason: `the campaign's message template is ${is}; it has to be approved`
        })
      }
    }
    const after = yield* Machine.start(before, yield* Clock.currentTimeMillis)
    yield* store.save(before, after)
    return after
  })

  const start: CampaignsShape["start"] = Effect.fn("Campaigns.start")(function* (workspace_id, id) {
    const { campaign } = yield* store.load(workspace_id, id)
    if (!(yield* carriers[campaign.channel].available)) return yield* new CarrierUnavailable()
    const state = yield* thenWake(workspace_id, noted(workspace_id, begin(workspace_id, id)))
    return state
  })

  const attempts: CampaignsShape["attempts"] = Effect.fn("Campaigns.attempts")(
    function* (workspace_id, id, filter, page) {
      const { campaign, counters } = yield* store.load(workspace_id, id)
      const exists = (attempt_id: string) =>
        Effect.map(repository.attempts.get(workspace_id, attempt_id), Option.isSome)
      yield* known(page, "the id of an attempt", exists)
      const { channel, ...rest } = filter
      if (channel !== undefined && channel !== campaign.channel) return { data: [], total: 0 }
      const isOpen = Object.values(rest).every((value) => value === undefined)
      return {
        data: yield* repository.attempts.ofCampaign(workspace_id, id, rest, page),
        total: isOpen ? counters.attempts : yield* repository.attempts.countOfCampaign(workspace_id, id, rest)
      }
    }
  )

  const progress: CampaignsShape["progress"] = Effect.fn("Campaigns.progress")(
    function* (workspace_id, id, request) {
      const state = yield* store.load(workspace_id, id)
      const { from, span, until } = spanOf(request, yield* Clock.currentTimeMillis)
      const counts = yield* repository.campaigns.outcomes(workspace_id, id, from, until, span)
      const retry =
        state.counters.retry_scheduled === 0
          ? Option.none<number>()
          : yield* repository.calls.nextWaiting(workspace_id, id)
      return progressOf(state, Option.getOrNull(retry), request.interval, { from, until }, counts)
    }
  )

  /** Ends a campaign that is to be deleted, so that it cannot begin to dial meanwhile. */
  const close = Effect.fnUntraced(function* (workspace_id: string, id: string) {
    const before = yield* store.load(workspace_id, id)
    if (!Machine.isOver(before)) return yield* new CampaignUnderWay()
    const now = yield* Clock.currentTimeMillis
    const after = Machine.edit(before, { status: "cancelled" }, now)
    if (Either.isLeft(after)) return
    yield* store.save(before, after.right)
    yield* note()
  })

  const remove: CampaignsShape["remove"] = Effect.fn("Campaigns.remove")(function* (workspace_id, id) {
    yield* repository.transaction(workspace_id, close(workspace_id, id))
    const removeSome = Effect.tap(repository.recipients.remove(workspace_id, id, removedAtOnce), (removed) =>
      removed > 0 ? note() : Effect.void
    )
    while ((yield* repository.transaction(workspace_id, removeSome)) === removedAtOnce) {
      yield* Effect.yieldNow()
    }
    yield* noted(workspace_id, repository.campaigns.remove(workspace_id, id))
  })

  const list: CampaignsShape["list"] = Effect.fn("Campaigns.list")(function* (workspace_id, filter, page) {
    const exists = (id: string) => Effect.map(repository.campaigns.get(workspace_id, id), Option.isSome)
    yield* known(page, "the id of a campaign", exists)
    return yield* repository.campaigns.list(workspace_id, filter, page)
  })

  return Campaigns.of({
    create,
    get,
    list,
    update,
    start,
    remove,
    attempts,
    progress
  })
})

export interface CampaignsShape {
  readonly create: (
    workspace_id: string,
    draft: CampaignDraft
  ) => Effect.Effect<
    CampaignState,
    AgentNotFound | PhoneNumberNotFound | NoPhoneNumber | TemplateNotFound | InvalidInput
  >
  readonly get: (workspace_id: string, id: string) => Effect.Effect<CampaignState, CampaignNotFound>
  readonly list: (
    workspace_id: string,
    filter: CampaignFilter,
    page: PageRequest
  ) => Effect.Effect<Page<CampaignState>, InvalidInput>
  /** Changes fields, pauses or cancels. A change meets each recipient at its next attempt. */
  readonly update: (
    workspace_id: string,
    id: string,
    change: CampaignChange
  ) => Effect.Effect<CampaignState, CampaignNotFound | ChangeRefused>
  /** Starts a campaign, or resumes a paused one; one that runs is left as it is. */
  readonly start: (
    workspace_id: string,
    id: string
  ) => Effect.Effect<CampaignState, CampaignNotFound | CampaignRefused | CarrierUnavailable>
  /**
   * Deletes a campaign that dials no more, with its recipients and imports, piece by piece: what a process that died
   * has left is deleted by asking again. Its calls and attempts stay.
   */
  readonly remove: (
    workspace_id: string,
    id: string
  ) => Effect.Effect<void, CampaignNotFound | CampaignUnderWay>
  readonly attempts: (
    workspace_id: string,
    id: string,
    filter: AttemptFilter,
    page: PageRequest
  ) => Effect.Effect<Page<Attempt>, CampaignNotFound | InvalidInput>
  /** Counters, and how attempts ended over time. */
  readonly progress: (
    workspace_id: string,
    id: string,
    request: ProgressRequest
  ) => Effect.Effect<CampaignProgress, CampaignNotFound>
}

/** Campaigns: an agent calls many recipients, within the rules. */
export class Campaigns extends Context.Tag("outdial/Campaigns")<Campaigns, CampaignsShape>() {
  static readonly layer = Layer.effect(this, make)
}
