import type { Agent } from "../../core/agents/Agent.ts"
import type { Attempt } from "../../core/calls/Attempt.ts"
import type { Call, Phase } from "../../core/calls/Call.ts"
import type { PhoneNumber } from "../../core/numbers/PhoneNumber.ts"
import type { Recording } from "../../core/recordings/Recording.ts"
import type { Delivery, Webhook, WebhookEvent } from "../../core/webhooks/Webhook.ts"
import type { ApiKey } from "../../core/workspaces/Workspace.ts"
import type { LedgerEntry } from "../../core/workspaces/Ledger.ts"
import type { Journal } from "./Journal.ts"
import { byText, type Compare } from "./SortedSet.ts"
import { Table } from "./Table.ts"

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
    due: { waiting: table.index(byDue, isDue("waiting")), live: table.index(byDue, isDue("live")) },
    live: table.index((left, right) => byText(left.call_id, right.call_id), isDue("live"))
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
    started: table.index(
      (left, right) => left.started_at! - right.started_at! || byText(left.id, right.id),
      (attempt) => attempt.started_at !== null
    )
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
  ledger: new Table<LedgerEntry>(journal, ({ id }) => id),
  phoneNumbers: makePhoneNumbers(journal),
  agents: new Table<Agent>(journal, ({ id }) => id),
  calls: makeCalls(journal),
  attempts: makeAttempts(journal),
  recordings: makeRecordings(journal),
  webhooks: new Table<Webhook>(journal, ({ id }) => id),
  events: new Table<WebhookEvent>(journal, ({ id }) => id),
  deliveries: makeDeliveries(journal),
  doNotCall: new Table<Blocked>(
    journal,
    ({ number }) => number,
    (left, right) => left.created_at - right.created_at || byText(left.number, right.number)
  )
})
export type Space = ReturnType<typeof makeSpace>
