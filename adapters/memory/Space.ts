import type { Agent } from "../../core/agents/Agent.ts"
import type { Attempt } from "../../core/calls/Attempt.ts"
import { type Call, channelOf, type Phase } from "../../core/calls/Call.ts"
import type { Campaign } from "../../core/campaigns/Campaign.ts"
import type { CampaignImport } from "../../core/campaigns/CampaignImport.ts"
import type { Recipient } from "../../core/campaigns/Recipient.ts"
import type { Tally, Work } from "../../core/campaigns/Tally.ts"
import type { PhoneNumber } from "../../core/numbers/PhoneNumber.ts"
import type { OutcomeCount } from "../../core/ports/Repository.ts"
import type { Recording } from "../../core/recordings/Recording.ts"
import type { Delivery, Webhook, WebhookEvent } from "../../core/webhooks/Webhook.ts"
import type { ApiKey } from "../../core/workspaces/Workspace.ts"
import type { Journal } from "./Journal.ts"
import { Ledger } from "./Ledger.ts"
import { byText, type Compare } from "./SortedSet.ts"
import { makeHolds, makePlays, makeRuns, makeSuites } from "./SuiteSpace.ts"
import { Table } from "./Table.ts"
import { makeTemplates } from "./Templates.ts"

export interface Balance {
  readonly customer_id: string
  readonly amount: number
}

export interface Blocked {
  readonly number: string
  readonly created_at: number
}

const byDue: Compare<Call> = (left, right) =>
  left.due_at! - right.due_at! || byText(left.call_id, right.call_id)

const byId: Compare<Call> = (left, right) => byText(left.call_id, right.call_id)
const isMessage = (call: Call) => channelOf(call) === "msg"

const makeCalls = (journal: Journal) => {
  const table = new Table<Call>(
    journal,
    (call) => call.call_id,
    (left, right) => left.created_at - right.created_at || byText(left.call_id, right.call_id)
  )
  const isDue = (phase: Phase) => (call: Call) => call.phase === phase && call.due_at !== null
  return {
    table,
    byKey: table.index(
      (left, right) => byText(left.idempotency_key!, right.idempotency_key!),
      (call) => call.idempotency_key !== null
    ),
    waiting: table.index(
      (left, right) => byText(left.campaign_id ?? "", right.campaign_id ?? "") || byDue(left, right),
      isDue("waiting")
    ),
    overdue: table.index(byDue, isDue("live")),
    live: table.index(byId, isDue("live")),
    messages: table.index(byId, isMessage),
    liveMessages: table.index(byId, (call) => isMessage(call) && isDue("live")(call))
  }
}

const makeAttempts = (journal: Journal) => {
  const table = new Table<Attempt>(journal, (attempt) => attempt.id)
  return {
    table,
    ofCall: table.index(
      (left, right) =>
        byText(left.call_id, right.call_id) ||
        left.attempt_number - right.attempt_number ||
        byText(left.id, right.id)
    ),
    ofCampaign: table.index(
      (left, right) => byText(left.campaign_id!, right.campaign_id!) || byText(left.id, right.id),
      (attempt) => attempt.campaign_id !== null
    ),
    started: table.index(
      (left, right) => left.started_at! - right.started_at! || byText(left.id, right.id),
      (attempt) => attempt.started_at !== null
    )
  }
}

const makeCampaigns = (journal: Journal) => {
  const tallies = new Table<Tally>(journal, ({ campaign_id }) => campaign_id)
  const due = (work: Work) =>
    tallies.index(
      (left, right) => left.due_at! - right.due_at! || byText(left.campaign_id, right.campaign_id),
      (tally) => tally.work === work && tally.due_at !== null
    )
  return {
    table: new Table<Campaign>(
      journal,
      ({ id }) => id,
      (left, right) => left.created_at - right.created_at || byText(left.id, right.id)
    ),
    tallies,
    due: { dial: due("dial"), tend: due("tend") }
  }
}

/** What one campaign has. */
const makeList = (journal: Journal) => {
  const recipients = new Table<Recipient>(journal, ({ id }) => id)
  return {
    recipients,
    byNumber: recipients.index((left, right) => byText(left.phone_number, right.phone_number)),
    pending: recipients.index(
      (left, right) => byText(left.timezone ?? "", right.timezone ?? "") || byText(left.id, right.id),
      ({ status }) => status === "pending"
    ),
    imports: new Table<CampaignImport>(journal, ({ id }) => id),
    outcomes: new Table<OutcomeCount>(
      journal,
      ({ at, outcome }) => `${at} ${outcome}`,
      (left, right) => left.at - right.at || byText(left.outcome, right.outcome)
    )
  }
}

const makeLists = (journal: Journal) => {
  const lists = new Map<string, ReturnType<typeof makeList>>()
  const nothing = makeList(journal)
  return {
    /** To read from: a campaign that has nothing yet has an empty list. */
    read: (campaign_id: string) => lists.get(campaign_id) ?? nothing,
    /** To write to. */
    write: (campaign_id: string) => {
      const list = lists.get(campaign_id) ?? makeList(journal)
      lists.set(campaign_id, list)
      return list
    }
  }
}

const makeDeliveries = (journal: Journal) => {
  const table = new Table<Delivery>(journal, (delivery) => delivery.id)
  return {
    table,
    lanes: table.index(
      (left, right) =>
        byText(left.webhook_id, right.webhook_id) ||
        byText(left.call_id, right.call_id) ||
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

const makePhoneNumbers = (journal: Journal) => {
  const table = new Table<PhoneNumber>(journal, ({ id }) => id)
  return { table, byNumber: table.index((left, right) => byText(left.number, right.number)) }
}

const makeRecordings = (journal: Journal) => {
  const table = new Table<Recording>(journal, ({ id }) => id)
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
export const makeSpace = (journal: Journal) => ({
  apiKeys: new Table<ApiKey>(journal, ({ id }) => id),
  balances: new Table<Balance>(journal, ({ customer_id }) => customer_id),
  ledger: new Ledger(journal),
  phoneNumbers: makePhoneNumbers(journal),
  agents: new Table<Agent>(journal, ({ id }) => id),
  calls: makeCalls(journal),
  attempts: makeAttempts(journal),
  campaigns: makeCampaigns(journal),
  lists: makeLists(journal),
  suites: makeSuites(journal),
  runs: makeRuns(journal),
  plays: makePlays(journal),
  holds: makeHolds(journal),
  recordings: makeRecordings(journal),
  webhooks: new Table<Webhook>(journal, ({ id }) => id),
  events: new Table<WebhookEvent>(journal, ({ id }) => id),
  deliveries: makeDeliveries(journal),
  templates: makeTemplates(journal),
  doNotCall: new Table<Blocked>(
    journal,
    ({ number }) => number,
    (left, right) => left.created_at - right.created_at || byText(left.number, right.number)
  )
})
export type Space = ReturnType<typeof makeSpace>
