import { Context, Data, type Effect, type Option } from "effect"
import type { Agent, AgentVersion } from "../model/agents/Agent.ts"
import type { Channel } from "../model/agents/Channel.ts"
import type { Attempt, AttemptStatus, Spent } from "../model/calls/Attempt.ts"
import type { Call, CallStatus, Outcome } from "../model/calls/Call.ts"
import type { Campaign, CampaignState, CampaignStatus } from "../model/campaigns/Campaign.ts"
import type { CampaignCounters, Work } from "../model/campaigns/CampaignCounters.ts"
import type { CampaignImport, RowError } from "../model/campaigns/CampaignImport.ts"
import type { OutcomeCount } from "../model/campaigns/CampaignProgress.ts"
import type { Recipient, RecipientStatus } from "../model/campaigns/Recipient.ts"
import type { PhoneNumber } from "../model/numbers/PhoneNumber.ts"
import type { Page, PageRequest } from "../model/Page.ts"
import type { Recording } from "../model/recordings/Recording.ts"
import type { Delivery, DeliveryStatus, Webhook, WebhookEvent } from "../model/webhooks/Webhook.ts"
import type { LedgerEntry } from "../model/workspaces/Ledger.ts"
import type { ApiKey, Workspace } from "../model/workspaces/Workspace.ts"
import type { SessionRows } from "./SessionRows.ts"
import type { HoldRows, PlayRows, RunRows, SuiteRows } from "./SuiteRows.ts"
import type { TemplateRows } from "./TemplateRows.ts"

/** What was at the root of an error, in its own words, or by its code where it has none. */
const rootOf = (error: unknown, depth = 0): string => {
  const { cause, code, message } = (error ?? {}) as Readonly<Record<"cause" | "code" | "message", unknown>>
  if (cause !== undefined && cause !== null && depth < 8) return rootOf(cause, depth + 1)
  if (typeof error === "string") return error
  return String([message, code].find((each) => typeof each === "string" && each !== "") ?? "no reason given")
}

/**
 * The store cannot be read or written (read-only, full, out of reach). No use case can mend it, so any method
 * may die with it; the edges turn it into a 503, the loops try again later.
 */
export class StoreUnavailable extends Data.TaggedError("StoreUnavailable")<{ readonly cause: unknown }> {
  override get message() {
    return `the store cannot be read or written: ${rootOf(this.cause)}`
  }
}

/**
 * Named as a workspace, it stands for all of them together: lists of every workspace, and what belongs to none.
 * Verbs that take no workspace read or write this.
 */
export const platformWide = "*"

/** A unit read or wrote rows of a workspace that it had not named. */
export class WorkspaceNotNamed extends Data.TaggedError("WorkspaceNotNamed")<{
  readonly workspace_id: string
}> {
  override readonly message = `the transaction did not name workspace ${this.workspace_id}, which it touches`
}

export interface CallFilter {
  readonly status?: CallStatus | undefined
  readonly agent_id?: string | undefined
  readonly campaign_id?: string | undefined
  /** Inclusive, epoch milliseconds. */
  readonly created_after?: number | undefined
  /** Exclusive, epoch milliseconds. */
  readonly created_before?: number | undefined
}

export interface AttemptFilter {
  readonly recipient_id?: string | undefined
  readonly status?: AttemptStatus | undefined
  readonly channel?: Channel | undefined
}

export interface CampaignFilter {
  readonly status?: CampaignStatus | undefined
  readonly agent_id?: string | undefined
  /** Inclusive, epoch milliseconds. */
  readonly created_after?: number | undefined
  /** Exclusive, epoch milliseconds. */
  readonly created_before?: number | undefined
}

export interface DeliveryFilter {
  readonly webhook_id: string
  readonly status?: DeliveryStatus | undefined
}

/** A delivery claimed for one try, with what the try needs. */
export interface ClaimedDelivery {
  readonly delivery: Delivery
  readonly body: string
}

/**
 * Everything that is kept. Methods take the workspace first and never see another's rows: an id of another
 * workspace is answered as an unknown one. Lists are newest first; ids of a kind sort by age. Storing an id a
 * second time is a defect, and updating what is not there does nothing.
 */
export class Repository extends Context.Tag("outdial/Repository")<
  Repository,
  {
    /**
     * Runs work as one unit on one workspace or several: all of its writes happen or, when it fails, dies or is
     * interrupted, none. No other fiber or process sees a part of it. The work may use this repository and nothing
     * that waits: work that waits dies. Work that touches a workspace which the unit has not named dies with
     * WorkspaceNotNamed. A transaction inside a transaction joins it: it names no workspace that the outer one does
     * not, ends with the outer one, and is undone alone when it alone fails. A unit whose verb died is undone, even
     * if the work caught the defect. Units are serialisable: what one reads of its workspaces no other changes
     * before it ends. Units of one workspace go one after the other; units of different workspaces may run at the
     * same time.
     */
    readonly transaction: <A, E, R>(
      workspaces: string | ReadonlyArray<string>,
      work: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E, R>
    /**
     * Whether a later version has changed the store so that this one may not use it any more; null where no other
     * process can change it.
     */
    readonly outdated: Effect.Effect<boolean> | null
    readonly workspaces: WorkspaceRows
    readonly apiKeys: ApiKeyRows
    readonly credits: CreditRows
    readonly phoneNumbers: PhoneNumberRows
    readonly agents: AgentRows
    readonly calls: CallRows
    readonly attempts: AttemptRows
    readonly campaigns: CampaignRows
    readonly recipients: RecipientRows
    readonly imports: ImportRows
    readonly suites: SuiteRows
    readonly runs: RunRows
    readonly plays: PlayRows
    readonly holds: HoldRows
    readonly recordings: RecordingRows
    readonly sessions: SessionRows
    readonly webhooks: WebhookRows
    readonly deliveries: DeliveryRows
    readonly doNotCall: DoNotCallRows
    readonly templates: TemplateRows
  }
>() {}

export interface WorkspaceRows {
  readonly insert: (workspace: Workspace) => Effect.Effect<void>
  readonly get: (workspace_id: string) => Effect.Effect<Option.Option<Workspace>>
  readonly list: (page: PageRequest) => Effect.Effect<Page<Workspace>>
  readonly update: (workspace: Workspace) => Effect.Effect<void>
  /**
   * What the workspace's tools are signed with: `fresh` if there is nothing yet, for good. None when there is nothing
   * and `fresh` is null. Of racers one's is taken.
   */
  readonly toolSecret: (workspace_id: string, fresh: string | null) => Effect.Effect<Option.Option<string>>
  /**
   * The workspaces that have a call not yet done, a campaign due, a test run open, a hold, a delivery pending or a review due:
   * those whose loop has something to run or to wait for.
   */
  readonly withWork: Effect.Effect<ReadonlyArray<string>>
  /**
   * Follows a clock that was set back to `now`. What a clock that was ahead has stored (`updated_at` is later than `now`)
   * counts as stored now, and is due as long after it as before: calls, webhook deliveries and plays. Attempts under
   * way count as begun at `now` at the latest. Campaigns that dial, or clear what is left, are due now. Answers whether
   * anything was changed.
   */
  readonly setBack: (workspace_id: string, now: number) => Effect.Effect<boolean>
}

export interface ApiKeyRows {
  readonly insert: (key: ApiKey) => Effect.Effect<void>
  /** By the id inside the key alone: the workspace is what it tells. */
  readonly get: (key_id: string) => Effect.Effect<Option.Option<ApiKey>>
  readonly list: (workspace_id: string, page: PageRequest) => Effect.Effect<Page<ApiKey>>
  /** False when there is no such key, or it is revoked already. */
  readonly revoke: (workspace_id: string, key_id: string, at: number) => Effect.Effect<boolean>
}

export interface CreditRows {
  /** The sum of all entries; kept, not computed. */
  readonly balance: (workspace_id: string) => Effect.Effect<number>
  /** Adds all entries, or none and answers false when their sum would take the balance below zero. */
  readonly append: (workspace_id: string, entries: ReadonlyArray<LedgerEntry>) => Effect.Effect<boolean>
  readonly list: (
    workspace_id: string,
    filter: { readonly reference?: string | undefined },
    page: PageRequest
  ) => Effect.Effect<Page<LedgerEntry>>
}

export interface PhoneNumberRows {
  /** False when the workspace has the number already. */
  readonly insert: (number: PhoneNumber) => Effect.Effect<boolean>
  readonly get: (workspace_id: string, id: string) => Effect.Effect<Option.Option<PhoneNumber>>
  /** Who has the number, in all workspaces: what comes in to it names none. */
  readonly holders: (number: string) => Effect.Effect<ReadonlyArray<PhoneNumber>>
  /** The workspace's oldest: what is dialled from when a call names none. */
  readonly first: (workspace_id: string) => Effect.Effect<Option.Option<PhoneNumber>>
  readonly list: (workspace_id: string, page: PageRequest) => Effect.Effect<Page<PhoneNumber>>
  /** False when there is none. */
  readonly remove: (workspace_id: string, id: string) => Effect.Effect<boolean>
}

export interface AgentRows {
  readonly insert: (agent: Agent) => Effect.Effect<void>
  readonly get: (workspace_id: string, id: string) => Effect.Effect<Option.Option<Agent>>
  readonly list: (
    workspace_id: string,
    filter: { readonly published?: boolean | undefined },
    page: PageRequest
  ) => Effect.Effect<Page<Agent>>
  readonly update: (agent: Agent) => Effect.Effect<void>
  /** The agent as calls meet it: as its published version has it, where it was changed since. */
  readonly spoken: (workspace_id: string, id: string) => Effect.Effect<Option.Option<Agent>>
  readonly insertVersion: (version: AgentVersion) => Effect.Effect<void>
  readonly version: (
    workspace_id: string,
    id: string,
    version: number
  ) => Effect.Effect<Option.Option<AgentVersion>>
  /** Newest first. */
  readonly versions: (
    workspace_id: string,
    id: string,
    page: PageRequest
  ) => Effect.Effect<Page<AgentVersion>>
}

export interface CallRows {
  /** None once stored; the id of the call that has the idempotency key already, and nothing is stored. */
  readonly insert: (call: Call) => Effect.Effect<Option.Option<string>>
  readonly get: (workspace_id: string, call_id: string) => Effect.Effect<Option.Option<Call>>
  readonly byKey: (workspace_id: string, idempotency_key: string) => Effect.Effect<Option.Option<string>>
  readonly list: (workspace_id: string, filter: CallFilter, page: PageRequest) => Effect.Effect<Page<Call>>
  /**
   * Stores the call if the stored version is `call.version - 1`; false, and nothing happens, if it is not. What
   * was supplied on creation (numbers, agent, JSON but for `call_config`, key, campaign, price, `created_at`)
   * stays as it is.
   */
  readonly update: (call: Call) => Effect.Effect<boolean>
  /** Calls of phase waiting of a campaign, or of none, with `due_at <= now`, earliest first. */
  readonly dialable: (
    workspace_id: string,
    campaign_id: string | null,
    now: number,
    limit: number
  ) => Effect.Effect<ReadonlyArray<Call>>
  /** Calls of phase live with `due_at <= now`, earliest first. */
  readonly overdue: (workspace_id: string, now: number, limit: number) => Effect.Effect<ReadonlyArray<Call>>
  /** Calls of phase live with an id greater than `after`, by id: what a new owner has to look up. */
  readonly live: (workspace_id: string, after: string, limit: number) => Effect.Effect<ReadonlyArray<Call>>
  /** How many calls, messages not counted, are live. */
  readonly countLive: (workspace_id: string) => Effect.Effect<number>
  /** The earliest `due_at` of the waiting calls of a campaign, or of none. */
  readonly nextWaiting: (
    workspace_id: string,
    campaign_id: string | null
  ) => Effect.Effect<Option.Option<number>>
  /** The earliest `due_at` of the live calls. */
  readonly nextOverdue: (workspace_id: string) => Effect.Effect<Option.Option<number>>
}

export interface AttemptRows {
  readonly insert: (attempt: Attempt) => Effect.Effect<void>
  readonly get: (workspace_id: string, id: string) => Effect.Effect<Option.Option<Attempt>>
  /** Its call, session, channel and number in the call's row of attempts stay as they are. */
  readonly update: (attempt: Attempt) => Effect.Effect<void>
  /** Notes the carrier's id of a dial, unless one is noted already. */
  readonly accept: (
    workspace_id: string,
    id: string,
    carrier_call_id: string,
    at: number
  ) => Effect.Effect<void>
  /** Oldest first; at most ten, since a call has at most nine retries. */
  readonly ofCall: (workspace_id: string, call_id: string) => Effect.Effect<ReadonlyArray<Attempt>>
  /**
   * `started_at` of the attempts begun after `since`, oldest first: what the pace has used up. Of one campaign,
   * or, when it is null, of the whole workspace.
   */
  readonly startedSince: (
    workspace_id: string,
    campaign_id: string | null,
    since: number
  ) => Effect.Effect<ReadonlyArray<number>>
  /** A campaign's attempts, newest first. Page 1,000 of a million reads no more rows than page 1. */
  readonly ofCampaign: (
    workspace_id: string,
    campaign_id: string,
    filter: AttemptFilter,
    page: PageRequest
  ) => Effect.Effect<ReadonlyArray<Attempt>>
  /** What the attempts of each of these calls come to. A call without an attempt is left out. */
  readonly spentOn: (
    workspace_id: string,
    call_ids: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyMap<string, Spent>>
  /** How many the filter lets through, counted one by one: without a filter, the campaign's counters tell. */
  readonly countOfCampaign: (
    workspace_id: string,
    campaign_id: string,
    filter: AttemptFilter
  ) => Effect.Effect<number>
}

export interface CampaignRows {
  /** Stores the campaign and its counters. */
  readonly insert: (state: CampaignState) => Effect.Effect<void>
  readonly get: (workspace_id: string, id: string) => Effect.Effect<Option.Option<CampaignState>>
  readonly list: (
    workspace_id: string,
    filter: CampaignFilter,
    page: PageRequest
  ) => Effect.Effect<Page<CampaignState>>
  /** Stores the campaign without its counters. Its channel and `created_at` stay as they are. */
  readonly update: (campaign: Campaign) => Effect.Effect<void>
  readonly counters: (
    workspace_id: string,
    campaign_id: string
  ) => Effect.Effect<Option.Option<CampaignCounters>>
  readonly saveCounters: (counters: CampaignCounters) => Effect.Effect<void>
  /** Campaigns with work of this kind and `due_at <= now`, earliest first. */
  readonly due: (
    workspace_id: string,
    work: Work,
    now: number,
    limit: number
  ) => Effect.Effect<ReadonlyArray<CampaignState>>
  /** The earliest `due_at` later than `after` of the campaigns with work of this kind. */
  readonly nextDue: (workspace_id: string, work: Work, after: number) => Effect.Effect<Option.Option<number>>
  /** Counts the end of an attempt in the minute that begins at `at`. */
  readonly countOutcome: (
    workspace_id: string,
    campaign_id: string,
    at: number,
    outcome: Outcome
  ) => Effect.Effect<void>
  /**
   * What was counted from `from` (inclusive) until `until` (exclusive), oldest first, in spans of `span`
   * milliseconds that are counted from the epoch; `at` is a span's beginning.
   */
  readonly outcomes: (
    workspace_id: string,
    campaign_id: string,
    from: number,
    until: number,
    span: number
  ) => Effect.Effect<ReadonlyArray<OutcomeCount>>
}

/** Recipients of one campaign; every one of a campaign has a phone number of its own. */
export interface RecipientRows {
  /**
   * Stores the recipients whose phone number the campaign does not have yet. Answers for each, in order: null
   * once it is stored, else the id of the recipient that has the number, be it one of the same request.
   */
  readonly insert: (recipients: ReadonlyArray<Recipient>) => Effect.Effect<ReadonlyArray<string | null>>
  readonly get: (
    workspace_id: string,
    campaign_id: string,
    id: string
  ) => Effect.Effect<Option.Option<Recipient>>
  readonly list: (
    workspace_id: string,
    campaign_id: string,
    filter: { readonly status?: RecipientStatus | undefined },
    page: PageRequest
  ) => Effect.Effect<Page<Recipient>>
  /** Recipients with an id greater than `after`, oldest first: all of them, slice by slice. */
  readonly after: (
    workspace_id: string,
    campaign_id: string,
    after: string,
    limit: number
  ) => Effect.Effect<ReadonlyArray<Recipient>>
  /** Those of status pending of one timezone, or of none of their own, oldest first. */
  readonly pending: (
    workspace_id: string,
    campaign_id: string,
    timezone: string | null,
    limit: number
  ) => Effect.Effect<ReadonlyArray<Recipient>>
  /** The timezones, null for none of their own, of those of status pending: each once, whatever their number. */
  readonly zones: (workspace_id: string, campaign_id: string) => Effect.Effect<ReadonlyArray<string | null>>
  /** Stores status, call, outcome, `next_action_at` and `updated_at`; all else stays as it is. */
  readonly update: (recipient: Recipient) => Effect.Effect<void>
  /**
   * Notes, of every recipient of this phone number whom a campaign of channel msg has written to from
   * `from_phone_number_id`, that a message came from there at `at`, unless a later one did.
   */
  readonly heard: (
    workspace_id: string,
    from_phone_number_id: string,
    phone_number: string,
    at: number
  ) => Effect.Effect<void>
  /** Makes up to `limit` pending ones skipped; answers how many. */
  readonly skip: (
    workspace_id: string,
    campaign_id: string,
    at: number,
    limit: number
  ) => Effect.Effect<number>
}

export interface ImportRows {
  readonly insert: (campaignImport: CampaignImport) => Effect.Effect<void>
  readonly get: (
    workspace_id: string,
    campaign_id: string,
    id: string
  ) => Effect.Effect<Option.Option<CampaignImport>>
  readonly list: (
    workspace_id: string,
    campaign_id: string,
    page: PageRequest
  ) => Effect.Effect<Page<CampaignImport>>
  /** Stores status, counts, errors and `completed_at`; all else stays as it is. */
  readonly update: (campaignImport: CampaignImport) => Effect.Effect<void>
  /** Adds refused rows in the order of the file, behind those that are there, as a slice that is read at once. */
  readonly addErrors: (campaignImport: ImportKey, errors: ReadonlyArray<RowError>) => Effect.Effect<void>
  /** The first slice of refused rows behind a row; empty when there is none. */
  readonly errorsAfter: (campaignImport: ImportKey, row: number) => Effect.Effect<ReadonlyArray<RowError>>
}

export type ImportKey = Pick<CampaignImport, "customer_id" | "campaign_id" | "id">

/** A recording's place among those of all workspaces: by age, then by workspace and id. */
export type KeptRecording = Pick<Recording, "created_at" | "customer_id" | "id">

export interface RecordingRows {
  /** False when the session has a recording of that `carrier_recording_id` already. */
  readonly insert: (recording: Recording) => Effect.Effect<boolean>
  readonly get: (workspace_id: string, id: string) => Effect.Effect<Option.Option<Recording>>
  readonly ofSession: (
    workspace_id: string,
    session_id: string,
    page: PageRequest
  ) => Effect.Effect<Page<Recording>>
  /** Makes the record one of status deleted, without a url; false when it is that already, or there is none. */
  readonly erase: (workspace_id: string, id: string) => Effect.Effect<boolean>
  /** Those of all workspaces of status completed that were made by `until`, oldest first, from behind `after`. */
  readonly kept: (
    until: number,
    after: KeptRecording | null,
    limit: number
  ) => Effect.Effect<ReadonlyArray<Recording>>
  /** The secret that links are signed with: `fresh` if there is none yet, for good. Of racers one's is taken. */
  readonly secret: (fresh: string) => Effect.Effect<string>
}

export interface WebhookRows {
  readonly insert: (webhook: Webhook) => Effect.Effect<void>
  readonly get: (workspace_id: string, id: string) => Effect.Effect<Option.Option<Webhook>>
  readonly list: (workspace_id: string, page: PageRequest) => Effect.Effect<Page<Webhook>>
  readonly active: (workspace_id: string) => Effect.Effect<ReadonlyArray<Webhook>>
  readonly update: (webhook: Webhook) => Effect.Effect<void>
  /** Removes it with its deliveries; false when there is none. */
  readonly remove: (workspace_id: string, id: string) => Effect.Effect<boolean>
}

export interface DeliveryRows {
  /**
   * Stores an event with its deliveries. A delivery whose lane (its endpoint and call) has no other pending is
   * the head of it, due at once: its `next_attempt_at` becomes the event's `created_at`; else null.
   */
  readonly append: (event: WebhookEvent, deliveries: ReadonlyArray<Delivery>) => Effect.Effect<void>
  readonly get: (workspace_id: string, id: string) => Effect.Effect<Option.Option<Delivery>>
  readonly list: (
    workspace_id: string,
    filter: DeliveryFilter,
    page: PageRequest
  ) => Effect.Effect<Page<Delivery>>
  /** Heads of the endpoint's lanes that are due, earliest first, each claimed by moving it to `until`. */
  readonly claim: (
    workspace_id: string,
    webhook_id: string,
    now: number,
    until: number,
    limit: number
  ) => Effect.Effect<ReadonlyArray<ClaimedDelivery>>
  /**
   * Stores what came of a try: status, attempts, answer and `next_attempt_at`, provided that the delivery is
   * pending still. Once it is delivered or dead the next one of its lane is claimed until `until` and returned,
   * unless that has been redelivered and is under way by itself.
   */
  readonly settle: (delivery: Delivery, until: number) => Effect.Effect<Option.Option<ClaimedDelivery>>
  /** Stores a delivery as pending, to be tried at its `next_attempt_at` whatever its lane does. */
  readonly redeliver: (delivery: Delivery) => Effect.Effect<void>
  /** Makes all that is pending for an endpoint dead; answers how many. */
  readonly bury: (workspace_id: string, webhook_id: string, at: number) => Effect.Effect<number>
  /** The earliest `next_attempt_at` of what is pending for active endpoints. */
  readonly nextDue: (workspace_id: string) => Effect.Effect<Option.Option<number>>
}

export interface DoNotCallRows {
  /** Answers how many were new. */
  readonly add: (workspace_id: string, numbers: ReadonlyArray<string>, at: number) => Effect.Effect<number>
  readonly contains: (workspace_id: string, number: string) => Effect.Effect<boolean>
  /** Those of the numbers that are on the list. */
  readonly among: (workspace_id: string, numbers: ReadonlyArray<string>) => Effect.Effect<ReadonlySet<string>>
  readonly remove: (workspace_id: string, number: string) => Effect.Effect<boolean>
  readonly list: (
    workspace_id: string,
    page: PageRequest
  ) => Effect.Effect<Page<{ readonly number: string; readonly created_at: number }>>
}
