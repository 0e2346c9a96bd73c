import { Array as Arr, Effect, Option } from "effect"
import type { Attempt } from "../model/calls/Attempt.ts"
import { type Call, toJson } from "../model/calls/Call.ts"
import type { State, Step } from "../model/calls/CallStep.ts"
import type { CarrierRecording } from "../model/calls/CarrierProgress.ts"
import { indexedValues } from "../model/calls/IndexedMetadata.ts"
import { statusJson, toldOf } from "../model/calls/MessageStatus.ts"
import type { CampaignState } from "../model/campaigns/Campaign.ts"
import * as Projection from "../model/campaigns/CampaignProjection.ts"
import type { Recipient } from "../model/campaigns/Recipient.ts"
import { minute } from "../model/Codecs.ts"
import { type Recording, toJson as recordingJson, withLink } from "../model/recordings/Recording.ts"
import { sum } from "../model/workspaces/Ledger.ts"
import { Ids } from "../ports/Ids.ts"
import { RecordingLinks } from "../ports/RecordingLinks.ts"
import { Repository } from "../ports/Repository.ts"
import { makeCampaignStore } from "./CampaignStore.ts"
import { makeOutbox, type News, ofCall } from "./Outbox.ts"
import { CallChanged, type Changes, type StepBatch, stepBatch, stepsOf, takeChanges } from "./StepBatch.ts"

/**
 * How a step of the call machine is stored: the call if it has not been changed meanwhile, its attempt, credits,
 * recordings, webhook events, and what it means to its campaign. Everything here runs inside the caller's
 * transaction, at the moment at which the step was taken.
 */
export const makeCallStore = Effect.gen(function* () {
  const repository = yield* Repository
  const ids = yield* Ids
  const outbox = yield* makeOutbox
  const campaigns = yield* makeCampaignStore
  const links = yield* RecordingLinks

  const stateOf = Effect.fnUntraced(function* (call: Call) {
    if (call.attempt_id === null) return { call, attempt: null } satisfies State
    const attempt = yield* repository.attempts.get(call.customer_id, call.attempt_id)
    return { call, attempt: Option.getOrNull(attempt) } satisfies State
  })

  const load = Effect.fnUntraced(function* (workspace_id: string, call_id: string) {
    const call = yield* repository.calls.get(workspace_id, call_id)
    return Option.isNone(call) ? Option.none<State>() : Option.some<State>(yield* stateOf(call.value))
  })

  /** An empty batch of steps, all taken at one moment. */
  const batchAt = (now: number) => Effect.map(ids.maker, (makeId) => stepBatch(makeId, now))

  const keepRecording = (
    { changes, makeId, now }: StepBatch,
    call: Call,
    attempt: Attempt,
    from: CarrierRecording
  ) => {
    const recording: Recording = {
      id: makeId("rec"),
      customer_id: call.customer_id,
      carrier_recording_id: from.carrier_recording_id,
      session_id: attempt.session_id,
      call_id: call.call_id,
      status: "completed",
      track: from.track,
      channels: from.channels,
      format: from.format,
      duration_seconds: from.duration_seconds,
      size_bytes: from.size_bytes,
      url: from.url,
      url_expires_at: null,
      started_at: from.started_at,
      completed_at: now,
      created_at: now
    }
    const news: News = {
      type: "recording_completed",
      of: ofCall(call, attempt),
      data: () => recordingJson(withLink(recording, (made) => links.make(made, now)))
    }
    changes.recordings.push({ recording, news })
    changes.news.push(news)
  }

  /** The campaign of a call with what the steps before this one have made of it; null of one that is gone. */
  const campaignOf = Effect.fnUntraced(function* (
    batch: StepBatch,
    customer_id: string,
    campaign_id: string
  ) {
    const known = batch.campaigns.get(campaign_id)
    if (known !== undefined) return known
    const found = yield* repository.campaigns.get(customer_id, campaign_id)
    if (Option.isNone(found)) return null
    const steps = stepsOf(found.value)
    batch.campaigns.set(campaign_id, steps)
    return steps
  })

  /** Reads the recipients of calls together. */
  const readRecipients = Effect.fnUntraced(function* (
    batch: StepBatch,
    workspace_id: string,
    calls: ReadonlyArray<Call>
  ) {
    const ofCampaign = Arr.groupBy(calls, ({ campaign_id }) => campaign_id ?? "")
    for (const [campaign_id, own] of Object.entries(ofCampaign)) {
      const ids = own.flatMap(({ recipient_id }) => recipient_id ?? [])
      for (const recipient of yield* repository.recipients.many(workspace_id, campaign_id, ids)) {
        batch.recipients.set(recipient.id, recipient)
      }
    }
  })

  /** The recipient of a campaign's call; null of one that is gone. */
  const recipientOf = Effect.fnUntraced(function* (
    batch: StepBatch,
    { campaign_id, customer_id, recipient_id }: Call
  ) {
    if (campaign_id === null || recipient_id === null) return null
    const known = batch.recipients.get(recipient_id)
    if (known !== undefined) return known
    return Option.getOrNull(yield* repository.recipients.get(customer_id, campaign_id, recipient_id))
  })

  /** The recipient and the campaign of a call go with it. Answers the number of the attempt that the step begins, if any. */
  const project = Effect.fnUntraced(function* (
    batch: StepBatch,
    campaign_id: string,
    before: State,
    step: Step
  ) {
    const steps = yield* campaignOf(batch, step.call.customer_id, campaign_id)
    const found = yield* recipientOf(batch, step.call)
    if (steps === null || found === null) return null
    const { dial_number, recipient, state } = Projection.project(steps.state, found, before, step, batch.now)
    batch.recipients.set(recipient.id, recipient)
    batch.changes.recipients.push(recipient)
    const outcome = Projection.endedNow(before.attempt, step.attempt)
    if (outcome !== null) steps.outcomes.set(outcome, (steps.outcomes.get(outcome) ?? 0) + 1)
    // What becomes of the campaign is told before what follows it.
    if (state.campaign !== steps.state.campaign) {
      yield* flush(batch)
      yield* campaigns.save(steps.stored, state)
      steps.stored = state
    }
    steps.state = state
    return dial_number
  })

  /** Lets a new call be found by what its metadata has for these keys, which its workspace names. */
  const index = (call: Call, keys: ReadonlyArray<string>) => {
    const values = indexedValues(call.metadata, keys)
    return values.length === 0 ? Effect.void : repository.calls.index(call, values)
  }

  /** What is to be told once recordings are stored: nothing of one that is known already. */
  const keptOf = Effect.fnUntraced(function* ({ news, recordings }: Changes) {
    if (!Arr.isNonEmptyReadonlyArray(recordings)) return news
    const isNew = yield* repository.recordings.insert(...Arr.map(recordings, ({ recording }) => recording))
    const known = new Set(recordings.filter((_, n) => !isNew[n]).map(({ news }) => news))
    return news.filter((each) => !known.has(each))
  })

  /** Stores what the steps of a batch have changed so far, but for campaigns: nothing, if the call of one was changed. */
  const flush = Effect.fnUntraced(function* (batch: StepBatch) {
    const changes = takeChanges(batch)
    const { attempts, begun, calls, entries, newAttempts, recipients } = changes
    if (Arr.isNonEmptyArray(calls) && !(yield* repository.calls.update(...calls))) {
      return yield* new CallChanged()
    }
    yield* repository.calls.insertMany(begun.map(({ call }) => call))
    for (const { call, indexed } of begun) yield* index(call, indexed)
    if (Arr.isNonEmptyArray(newAttempts)) yield* repository.attempts.insert(...newAttempts)
    if (Arr.isNonEmptyArray(attempts)) yield* repository.attempts.update(...attempts)
    if (Arr.isNonEmptyArray(recipients)) yield* repository.recipients.update(...recipients)
    if (entries.length > 0 && !(yield* repository.credits.append(entries[0]!.customer_id, entries))) {
      return yield* Effect.dieMessage("a step of the call machine overdraws the balance")
    }
    const news = yield* keptOf(changes)
    if (news.length > 0) yield* outbox.tell(news[0]!.of.customer_id, news, batch.now)
  })

  /** The credits of a workspace that are free after the steps of a batch. */
  const balance = Effect.fnUntraced(function* (batch: StepBatch, workspace_id: string) {
    return (batch.balance ??= (yield* repository.credits.balance(workspace_id)) + sum(batch.changes.entries))
  })

  /** Stores all that the steps of a batch have changed. */
  const finish = Effect.fnUntraced(function* (batch: StepBatch) {
    const at = Math.floor(batch.now / minute) * minute
    yield* flush(batch)
    for (const { outcomes, state, stored } of batch.campaigns.values()) {
      const { customer_id, id } = state.campaign
      for (const [outcome, count] of outcomes) {
        yield* repository.campaigns.countOutcome(customer_id, id, at, outcome, count)
      }
      yield* campaigns.save(stored, state)
    }
    batch.campaigns.clear()
  })

  /** A message has events of its own: what became of each attempt at it. */
  const newsOfMessage = (before: State | null, after: State): ReadonlyArray<News> => {
    const told = toldOf(before, after)
    return told === null
      ? []
      : [{ type: "message_status", of: ofCall(after.call, told), data: () => statusJson(told) }]
  }

  /** What a step changes, but for its call. `dial_number` is that of the attempt that it begins. */
  const settle = (batch: StepBatch, before: State | null, step: Step, dial_number: number | null) => {
    const { call, events, movements, recordings } = step
    const attempt =
      step.attempt === null || dial_number === null ? step.attempt : { ...step.attempt, dial_number }
    const { changes, makeId, now } = batch
    if (attempt !== null && attempt !== before?.attempt) {
      const isNew = attempt.id !== before?.attempt?.id
      batch.attempts.set(attempt.id, attempt)
      ;(isNew ? changes.newAttempts : changes.attempts).push(attempt)
    }
    const { call_id: reference, customer_id } = call
    for (const { amount, kind } of movements) {
      changes.entries.push({ id: makeId("led"), customer_id, kind, amount, reference, created_at: now })
    }
    if (batch.balance !== null) batch.balance += sum(movements)
    if (call.channel === "msg") {
      changes.news.push(...newsOfMessage(before, { call, attempt }))
      return
    }
    for (const { call, type } of events) {
      changes.news.push({ type, of: ofCall(call, attempt), data: () => toJson(call) })
    }
    if (attempt === null) return
    for (const recording of recordings) {
      keepRecording(batch, call, attempt, recording)
    }
  }

  /** A step as one of a batch: `finish` stores it. `before` is as the steps before it in the batch have left it. */
  const saveIn = (batch: StepBatch, before: State, step: Step) =>
    Effect.suspend(() => {
      if (step.call !== before.call) {
        const call = { ...step.call, version: before.call.version + 1 }
        batch.calls.set(call.call_id, call)
        batch.changes.calls.push(call)
      }
      const { campaign_id } = step.call
      if (campaign_id === null || !Projection.matters(before, step)) {
        settle(batch, before, step, null)
        return Effect.void
      }
      return Effect.map(project(batch, campaign_id, before, step), (dial_number) =>
        settle(batch, before, step, dial_number)
      )
    })

  /** Answers false, and stores nothing, when the call was changed since `before` was read. */
  const save = (before: State, step: Step, now: number) =>
    batchAt(now).pipe(
      Effect.flatMap((batch) => Effect.zipRight(saveIn(batch, before, step), finish(batch))),
      Effect.as(true),
      Effect.catchTag("CallChanged", () => Effect.succeed(false))
    )

  /**
   * The first step of a recipient's new call as one of a batch. Answers what it makes of the campaign, which the caller
   * stores once for all the calls that it begins.
   */
  const begin = (
    batch: StepBatch,
    campaign: CampaignState,
    recipient: Recipient,
    step: Step,
    indexed: ReadonlyArray<string>
  ): CampaignState => {
    batch.changes.begun.push({ call: step.call, indexed })
    const after = Projection.project(campaign, recipient, null, step, batch.now)
    batch.changes.recipients.push(after.recipient)
    settle(batch, null, step, after.dial_number)
    return after.state
  }

  return { stateOf, load, save, batchAt, saveIn, finish, balance, begin, index, readRecipients, recipientOf }
})
