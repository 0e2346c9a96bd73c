import type { Agent, AgentVersion } from "../../core/model/agents/Agent.ts"
import type { Attempt } from "../../core/model/calls/Attempt.ts"
import type { Call, Phase } from "../../core/model/calls/Call.ts"
import type { Campaign } from "../../core/model/campaigns/Campaign.ts"
import type { CampaignCounters, Work } from "../../core/model/campaigns/CampaignCounters.ts"
import type { CampaignImport, RowError } from "../../core/model/campaigns/CampaignImport.ts"
import type { OutcomeCount } from "../../core/model/campaigns/CampaignProgress.ts"
import type { Recipient } from "../../core/model/campaigns/Recipient.ts"
import type { ValueKind } from "../../core/model/campaigns/RecipientValues.ts"
import type { PhoneNumber } from "../../core/model/numbers/PhoneNumber.ts"
import type { Recording } from "../../core/model/recordings/Recording.ts"
import type { SigningSecret } from "../../core/model/webhooks/SigningSecret.ts"
import type { Delivery, Webhook, WebhookEvent } from "../../core/model/webhooks/Webhook.ts"
import type { AuditEntry } from "../../core/model/workspaces/Audit.ts"
import type { UsageCount } from "../../core/model/workspaces/Usage.ts"
import type { ApiKey } from "../../core/model/workspaces/Workspace.ts"
import type { KeyedRequest } from "../../core/ports/AnswerRows.ts"
import type { ImportKey } from "../../core/ports/ImportRows.ts"
import { makeCallBatches } from "./CallBatches.ts"
import { Ledger } from "./Ledger.ts"
import { makeSessions } from "./Sessions.ts"
import { byText, type Compare } from "./SortedSet.ts"
import { makeHolds, makePlays, makeRuns, makeSuites } from "./SuiteTables.ts"
import { Table } from "./Table.ts"
import { makeTemplates } from "./Templates.ts"
import type { UndoLog } from "./UndoLog.ts"

export interface Balance {
  readonly customer_id: string
  readonly amount: number
}

/** What was counted of an hour. */
export interface UsageHour {
  readonly at: number
  readonly counts: ReadonlyArray<UsageCount>
}

export interface Blocked {
  readonly number: string
  readonly created_at: number
}

const byDue: Compare<Call> = (left, right) =>
  left.due_at! - right.due_at! || byText(left.call_id, right.call_id)

const byId: Compare<Call> = (left, right) => byText(left.call_id, right.call_id)
const isMessage = (call: Call) => call.channel === "msg"

const makeCalls = (undo: UndoLog) => {
  const table = new Table<Call>(
    undo,
    (call) => call.call_id,
    (left, right) => left.created_at - right.created_at || byText(left.call_id, right.call_id)
  )
  const isDue = (phase: Phase) => (call: Call) => call.phase === phase && call.due_at !== null
  return {
    table,
    /** The values of metadata by which calls are found. */
    indexed: new Table<{ readonly call_id: string; readonly name: string; readonly value: string }>(
      undo,
      ({ call_id, name }) => `${call_id} ${name}`
    ),
    byKey: table.index(
      (left, right) => byText(left.idempotency_key!, right.idempotency_key!),
      (call) => call.idempotency_key !== null
    ),
    waiting: table.index(
      (left, right) => byText(left.campaign_id ?? "", right.campaign_id ?? "") || byDue(left, right),
      isDue("waiting")
    ),
    overdue: table.index(byDue, (call) => call.phase !== "waiting" && call.due_at !== null),
    live: table.index(byId, isDue("live")),
    messages: table.index(byId, isMessage),
    liveMessages: table.index(byId, (call) => isMessage(call) && isDue("live")(call))
  }
}

const makeAttempts = (undo: UndoLog) => {
  const table = new Table<Attempt>(undo, (attempt) => attempt.id)
  return {
    table,
    ofCall: table.index(
      (left, right) =>
        byText(left.call_id, right.call_id) ||
        left.attempt_number - right.attempt_number ||
        byText(left.id, right.id)
    ),
    ofCampaign: table.index(
      (left, right) =>
        byText(left.campaign_id!, right.campaign_id!) ||
        left.created_at - right.created_at ||
        byText(left.id, right.id),
      (attempt) => attempt.campaign_id !== null
    ),
    started: table.index(
      (left, right) => left.started_at! - right.started_at! || byText(left.id, right.id),
      (attempt) => attempt.started_at !== null
    )
  }
}

const makeCampaigns = (undo: UndoLog) => {
  const tallies = new Table<CampaignCounters>(undo, ({ campaign_id }) => campaign_id)
  const due = (work: Work) =>
    tallies.index(
      (left, right) => left.due_at! - right.due_at! || byText(left.campaign_id, right.campaign_id),
      (counters) => counters.work === work && counters.due_at !== null
    )
  return {
    table: new Table<Campaign>(
      undo,
      ({ id }) => id,
      (left, right) => left.created_at - right.created_at || byText(left.id, right.id)
    ),
    tallies,
    due: { dial: due("dial"), tend: due("tend") }
  }
}

/** A slice of the rows that an import has refused. */
interface RefusedRows {
  readonly import_id: string
  /** The first of its rows. */
  readonly from: number
  readonly errors: ReadonlyArray<RowError>
}

/** What a recipient is found by. */
interface RecipientValues {
  readonly id: string
  readonly kind: ValueKind
  readonly values: ReadonlyMap<string, string>
}

/** An import that is not completed, and by when its process renews it. */
interface OpenImport extends ImportKey {
  readonly due_at: number
}

/** What one campaign has. */
const makeList = (undo: UndoLog) => {
  const recipients = new Table<Recipient>(undo, ({ id }) => id)
  return {
    recipients,
    byNumber: recipients.index(
      (left, right) => byText(left.phone_number, right.phone_number),
      ({ phone_number }) => phone_number !== ""
    ),
    pending: recipients.index(
      (left, right) => byText(left.timezone ?? "", right.timezone ?? "") || byText(left.id, right.id),
      ({ status }) => status === "pending"
    ),
    values: new Table<RecipientValues>(undo, ({ id, kind }) => `${id} ${kind}`),
    imports: new Table<CampaignImport>(undo, ({ id }) => id),
    refused: new Table<RefusedRows>(
      undo,
      ({ from, import_id }) => `${import_id} ${from}`,
      (left, right) => byText(left.import_id, right.import_id) || left.from - right.from
    ),
    outcomes: new Table<OutcomeCount>(
      undo,
      ({ at, outcome }) => `${at} ${outcome}`,
      (left, right) => left.at - right.at || byText(left.outcome, right.outcome)
    )
  }
}

const makeLists = (undo: UndoLog) => {
  const lists = new Map<string, ReturnType<typeof makeList>>()
  const nothing = makeList(undo)
  return {
    /** To read from: a campaign that has nothing yet has an empty list. */
    read: (campaign_id: string) => lists.get(campaign_id) ?? nothing,
    /** To write to. */
    write: (campaign_id: string) => {
      const list = lists.get(campaign_id) ?? makeList(undo)
      lists.set(campaign_id, list)
      return list
    }
  }
}

const makeDeliveries = (undo: UndoLog) => {
  const table = new Table<Delivery>(undo, (delivery) => delivery.id)
  return {
    table,
    answers: new Table<{ readonly id: string; readonly body: string | null }>(undo, ({ id }) => id),
    lanes: table.index(
      (left, right) =>
        byText(left.webhook_id, right.webhook_id) ||
        byText(left.subject_id, right.subject_id) ||
        byText(left.id, right.id),
      (delivery) => delivery.status === "pending"
    ),
    due: table.index(
      (left, right) =>
        byText(left.webhook_id, right.webhook_id) ||
        left.next_attempt_at! - right.next_attempt_at! ||
        byText(left.id, right.id),
      (delivery) => delivery.next_attempt_at !== null
    )
  }
}

const makePhoneNumbers = (undo: UndoLog) => {
  const table = new Table<PhoneNumber>(undo, ({ id }) => id)
  return { table, byNumber: table.index((left, right) => byText(left.number, right.number)) }
}

const makeRecordings = (undo: UndoLog) => {
  const table = new Table<Recording>(undo, ({ id }) => id)
  return {
    table,
    bySource: table.index(
      (left, right) =>
        byText(left.session_id, right.session_id) ||
        byText(left.carrier_recording_id, right.carrier_recording_id)
    )
  }
}

/** What one workspace has. */
export const makeTenantTables = (undo: UndoLog) => ({
  apiKeys: new Table<ApiKey>(undo, ({ id }) => id),
  balances: new Table<Balance>(undo, ({ customer_id }) => customer_id),
  ledger: new Ledger(undo),
  toolSecrets: new Table<SigningSecret & { readonly workspace_id: string }>(
    undo,
    ({ workspace_id }) => workspace_id
  ),
  phoneNumbers: makePhoneNumbers(undo),
  agents: new Table<Agent>(undo, ({ id }) => id),
  agentVersions: new Table<AgentVersion>(
    undo,
    ({ agent_id, version }) => `${agent_id} ${version}`,
    (left, right) => byText(left.agent_id, right.agent_id) || left.version - right.version
  ),
  answers: new Table<KeyedRequest>(undo, ({ key }) => key),
  calls: makeCalls(undo),
  callBatches: makeCallBatches(undo),
  attempts: makeAttempts(undo),
  campaigns: makeCampaigns(undo),
  lists: makeLists(undo),
  suites: makeSuites(undo),
  runs: makeRuns(undo),
  plays: makePlays(undo),
  holds: makeHolds(undo),
  recordings: makeRecordings(undo),
  sessions: makeSessions(undo),
  webhooks: new Table<Webhook>(undo, ({ id }) => id),
  events: new Table<WebhookEvent>(undo, ({ id }) => id),
  deliveries: makeDeliveries(undo),
  templates: makeTemplates(undo),
  openImports: new Table<OpenImport>(
    undo,
    ({ id }) => id,
    (left, right) => left.due_at - right.due_at || byText(left.id, right.id)
  ),
  audit: new Table<AuditEntry>(undo, ({ id }) => id),
  usage: new Table<UsageHour>(
    undo,
    ({ at }) => String(at),
    (left, right) => left.at - right.at
  ),
  doNotCallKeys: new Table<{ readonly workspace_id: string; readonly key: string }>(
    undo,
    ({ workspace_id }) => workspace_id
  ),
  doNotCall: new Table<Blocked>(
    undo,
    ({ number }) => number,
    (left, right) => left.created_at - right.created_at || byText(left.number, right.number)
  )
})
export type TenantTables = ReturnType<typeof makeTenantTables>
