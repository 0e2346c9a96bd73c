import { Chunk, Clock, Context, Effect, Layer, Option, Stream } from "effect"
import { makeCampaignStore } from "../engine/CampaignStore.ts"
import type { Spent } from "../model/calls/Attempt.ts"
import {
  type CampaignNotFound,
  type CampaignRefused,
  RecipientTaken
} from "../model/campaigns/CampaignErrors.ts"
import type { Recipient, RecipientStatus } from "../model/campaigns/Recipient.ts"
import type { RecipientDraft } from "../model/campaigns/RecipientBody.ts"
import type { Page, PageRequest } from "../model/Page.ts"
import { Dispatcher } from "../ports/Dispatcher.ts"
import { Repository } from "../ports/Repository.ts"
import { makeAddRecipients } from "./AddRecipients.ts"

/** A recipient, and what all attempts to reach them come to. */
export interface Result {
  readonly recipient: Recipient
  readonly spent: Spent
}

/** Recipients of one slice of an export. */
const slice = 1_000

const make = Effect.gen(function* () {
  const repository = yield* Repository
  const dispatcher = yield* Dispatcher
  const store = yield* makeCampaignStore
  const intake = yield* makeAddRecipients

  const addAll = Effect.fnUntraced(function* (
    workspace_id: string,
    campaign_id: string,
    drafts: ReadonlyArray<RecipientDraft>
  ) {
    yield* intake.ready(workspace_id, campaign_id)
    const now = yield* Clock.currentTimeMillis
    const taken = yield* intake.take(workspace_id, campaign_id, drafts, now)
    const added: Array<Recipient> = []
    for (const [index, each] of taken.entries()) {
      if (each._tag === "Known") return yield* new RecipientTaken({ index, recipient_id: each.recipient_id })
      added.push(each.recipient)
    }
    return added
  })

  const add: RecipientsShape["add"] = Effect.fn("Recipients.add")(
    function* (workspace_id, campaign_id, drafts) {
      const added = yield* repository.transaction(workspace_id, addAll(workspace_id, campaign_id, drafts))
      yield* dispatcher.wake(workspace_id)
      return added
    }
  )

  const list: RecipientsShape["list"] = Effect.fn("Recipients.list")(
    function* (workspace_id, campaign_id, filter, page) {
      yield* store.load(workspace_id, campaign_id)
      return yield* repository.recipients.list(workspace_id, campaign_id, filter, page)
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

  return Recipients.of({ add, list, all, results })
})

export interface RecipientsShape {
  /** Adds all of them, or none. */
  readonly add: (
    workspace_id: string,
    campaign_id: string,
    drafts: ReadonlyArray<RecipientDraft>
  ) => Effect.Effect<ReadonlyArray<Recipient>, CampaignNotFound | CampaignRefused | RecipientTaken>
  readonly list: (
    workspace_id: string,
    campaign_id: string,
    filter: { readonly status?: RecipientStatus | undefined },
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
