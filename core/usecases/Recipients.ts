import { Chunk, Clock, Context, Effect, Layer, Option, Stream } from "effect"
import { makeCampaignStore } from "../engine/CampaignStore.ts"
import { makeNoting } from "../engine/Noting.ts"
import type { Spent } from "../model/calls/Attempt.ts"
import { dueBy, moved, total, without } from "../model/campaigns/CampaignCounters.ts"
import {
  type CampaignNotFound,
  type CampaignRefused,
  RecipientNotFound,
  RecipientTaken,
  RecipientUnderWay
} from "../model/campaigns/CampaignErrors.ts"
import * as Machine from "../model/campaigns/CampaignMachine.ts"
import { timezoneOf } from "../model/campaigns/Place.ts"
import { isUnderWay, type Recipient } from "../model/campaigns/Recipient.ts"
import type { RecipientChange, RecipientDraft } from "../model/campaigns/RecipientBody.ts"
import type { Page, PageRequest } from "../model/Page.ts"
import type { RecipientFilter } from "../ports/RecipientRows.ts"
import { Repository } from "../ports/Repository.ts"
import { makeAddRecipients, type PlaceOf } from "./AddRecipients.ts"
import { makeThenWake } from "./Woken.ts"

/** A recipient, and what all attempts to reach them come to. */
export interface Result {
  readonly recipient: Recipient
  readonly spent: Spent
}

/** Recipients of one slice of an export. */
const slice = 1_000

const make = Effect.gen(function* () {
  const repository = yield* Repository
  const thenWake = yield* makeThenWake
  const store = yield* makeCampaignStore
  const { noted } = yield* makeNoting
  const intake = yield* makeAddRecipients

  const addAll = Effect.fnUntraced(function* (
    workspace_id: string,
    campaign_id: string,
    drafts: ReadonlyArray<RecipientDraft>,
    placeOf: PlaceOf
  ) {
    yield* intake.ready(workspace_id, campaign_id)
    const now = yield* Clock.currentTimeMillis
    const taken = yield* intake.take(workspace_id, campaign_id, drafts, now, placeOf)
    const added: Array<Recipient> = []
    for (const [index, each] of taken.entries()) {
      if (each._tag === "Known") return yield* new RecipientTaken({ index, recipient_id: each.recipient_id })
      added.push(each.recipient)
    }
    return added
  })

  const add: RecipientsShape["add"] = Effect.fn("Recipients.add")(
    function* (workspace_id, campaign_id, drafts) {
      const placeOf = yield* intake.placesFor(workspace_id, campaign_id)
      const added = yield* thenWake(
        workspace_id,
        noted(workspace_id, addAll(workspace_id, campaign_id, drafts, placeOf))
      )
      return added
    }
  )

  const get: RecipientsShape["get"] = Effect.fn("Recipients.get")(function* (workspace_id, campaign_id, id) {
    const found = yield* repository.recipients.get(workspace_id, campaign_id, id)
    return Option.isSome(found) ? found.value : yield* new RecipientNotFound({ recipient_id: id })
  })

  /** A recipient whose call is over, or has not begun. */
  const resting = Effect.fnUntraced(function* (workspace_id: string, campaign_id: string, id: string) {
    const found = yield* get(workspace_id, campaign_id, id)
    return isUnderWay(found) ? yield* new RecipientUnderWay() : found
  })

  const change: RecipientsShape["change"] = Effect.fn("Recipients.change")(
    function* (workspace_id, campaign_id, id, wanted) {
      const placeOf = yield* intake.placesFor(workspace_id, campaign_id)
      const changeOne = Effect.gen(function* () {
        const found = yield* resting(workspace_id, campaign_id, id)
        const timezone = wanted.timezone === undefined ? timezoneOf(found.timezone) : wanted.timezone
        const changed = {
          ...found,
          ...wanted,
          timezone: placeOf(found.phone_number, timezone),
          updated_at: yield* Clock.currentTimeMillis
        }
        yield* repository.recipients.change(changed)
        if (wanted.variables !== undefined) yield* (yield* intake.indexing(workspace_id))(changed)
        return changed
      })
      const changed = yield* thenWake(workspace_id, noted(workspace_id, changeOne))
      return changed
    }
  )

  const remove: RecipientsShape["remove"] = Effect.fn("Recipients.remove")(
    function* (workspace_id, campaign_id, id) {
      const removeOne = Effect.gen(function* () {
        const found = yield* resting(workspace_id, campaign_id, id)
        const before = yield* Effect.orDie(store.load(workspace_id, campaign_id))
        yield* repository.recipients.removeOne(workspace_id, campaign_id, id)
        const left = { ...before, counters: without(before.counters, found.status) }
        yield* store.save(before, Machine.complete(left, yield* Clock.currentTimeMillis) ?? left)
      })
      yield* noted(workspace_id, removeOne)
    }
  )

  const retry: RecipientsShape["retry"] = Effect.fn("Recipients.retry")(
    function* (workspace_id, campaign_id, id) {
      const retryOne = Effect.gen(function* () {
        const found = yield* resting(workspace_id, campaign_id, id)
        const before = yield* Effect.catchTag(
          intake.ready(workspace_id, campaign_id),
          "CampaignNotFound",
          Effect.die
        )
        if (found.status === "pending") return found
        const updated_at = yield* Clock.currentTimeMillis
        const again: Recipient = { ...found, status: "pending", next_action_at: null, updated_at }
        yield* repository.recipients.update(again)
        const counters = moved(before.counters, found.status, "pending")
        const running = before.campaign.status === "running"
        yield* store.save(before, {
          ...before,
          counters: running ? dueBy(counters, "dial", updated_at) : counters
        })
        return again
      })
      const again = yield* thenWake(workspace_id, noted(workspace_id, retryOne))
      return again
    }
  )

  const list: RecipientsShape["list"] = Effect.fn("Recipients.list")(
    function* (workspace_id, campaign_id, filter, page) {
      const { counters } = yield* store.load(workspace_id, campaign_id)
      const { status, ...others } = filter
      const counted = Object.values(others).every((value) => value === undefined)
        ? status === undefined
          ? total(counters)
          : counters[status]
        : undefined
      return yield* repository.recipients.list(workspace_id, campaign_id, filter, page, counted)
    }
  )

  const all: RecipientsShape["all"] = Effect.fn("Recipients.all")(function* (workspace_id, campaign_id) {
    yield* store.load(workspace_id, campaign_id)
    return Stream.paginateChunkEffect("", (after) =>
      Effect.map(repository.recipients.after(workspace_id, campaign_id, after, slice), (recipients) => [
        Chunk.of(recipients),
        recipients.length < slice ? Option.none<string>() : Option.some(recipients.at(-1)!.id)
      ])
    )
  })

  const nothing: Spent = { attempts: 0, duration_seconds: 0, credits: 0 }

  const spentOn = Effect.fnUntraced(function* (workspace_id: string, recipients: ReadonlyArray<Recipient>) {
    const calls = recipients.flatMap(({ call_id }) => (call_id === null ? [] : [call_id]))
    const spent = yield* repository.attempts.spentOn(workspace_id, calls)
    return recipients.map((recipient): Result => ({
      recipient,
      spent: (recipient.call_id === null ? undefined : spent.get(recipient.call_id)) ?? nothing
    }))
  })

  const results: RecipientsShape["results"] = Effect.fn("Recipients.results")(
    function* (workspace_id, campaign_id) {
      const slices = yield* all(workspace_id, campaign_id)
      return Stream.mapEffect(slices, (recipients) => spentOn(workspace_id, recipients))
    }
  )

  return Recipients.of({ add, get, change, remove, retry, list, all, results })
})

type Which = readonly [workspace_id: string, campaign_id: string, id: string]

export interface RecipientsShape {
  readonly get: (...which: Which) => Effect.Effect<Recipient, RecipientNotFound>
  /** Changes its variables or its timezone; not while its call is under way. */
  readonly change: (
    ...args: [...Which, change: RecipientChange]
  ) => Effect.Effect<Recipient, RecipientNotFound | RecipientUnderWay>
  /** Its calls and attempts stay. */
  readonly remove: (...which: Which) => Effect.Effect<void, RecipientNotFound | RecipientUnderWay>
  /** Lets a recipient that is done be called again, as if it was new, by a campaign that is not over. */
  readonly retry: (
    ...which: Which
  ) => Effect.Effect<Recipient, RecipientNotFound | RecipientUnderWay | CampaignRefused>
  /** Adds all of them, or none. */
  readonly add: (
    workspace_id: string,
    campaign_id: string,
    drafts: ReadonlyArray<RecipientDraft>
  ) => Effect.Effect<ReadonlyArray<Recipient>, CampaignNotFound | CampaignRefused | RecipientTaken>
  readonly list: (
    workspace_id: string,
    campaign_id: string,
    filter: RecipientFilter,
    page: PageRequest
  ) => Effect.Effect<Page<Recipient>, CampaignNotFound>
  /** Every recipient, oldest first, in slices: what an export walks through. */
  readonly all: (
    workspace_id: string,
    campaign_id: string
  ) => Effect.Effect<Stream.Stream<ReadonlyArray<Recipient>>, CampaignNotFound>
  /** The same, with what was spent on each. */
  readonly results: (
    workspace_id: string,
    campaign_id: string
  ) => Effect.Effect<Stream.Stream<ReadonlyArray<Result>>, CampaignNotFound>
}

/** The recipients of a campaign. */
export class Recipients extends Context.Tag("outdial/Recipients")<Recipients, RecipientsShape>() {
  static readonly layer = Layer.effect(this, make)
}
