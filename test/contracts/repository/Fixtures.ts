import { Effect, type Option } from "effect"
import type { Agent } from "../../../core/model/agents/Agent.ts"
import { standardTalk } from "../../../core/model/agents/Talk.ts"
import type { Attempt } from "../../../core/model/calls/Attempt.ts"
import type { Call } from "../../../core/model/calls/Call.ts"
import type { Campaign, CampaignState } from "../../../core/model/campaigns/Campaign.ts"
import { type CampaignCounters, emptyCounters } from "../../../core/model/campaigns/CampaignCounters.ts"
import type { CampaignImport } from "../../../core/model/campaigns/CampaignImport.ts"
import type { Recipient } from "../../../core/model/campaigns/Recipient.ts"
import { backchannelsOf } from "../../../core/model/conversations/Backchannel.ts"
import { noTotals, type Session } from "../../../core/model/conversations/Session.ts"
import { RawJson } from "../../../core/model/json/RawJson.ts"
import type { PhoneNumber } from "../../../core/model/numbers/PhoneNumber.ts"
import type { Recording } from "../../../core/model/recordings/Recording.ts"
import type { Play } from "../../../core/model/suites/Play.ts"
import type { Run } from "../../../core/model/suites/Run.ts"
import type { Subject } from "../../../core/model/suites/Subject.ts"
import type { Suite } from "../../../core/model/suites/Suite.ts"
import type { Template } from "../../../core/model/templates/Template.ts"
import type { Delivery, Webhook, WebhookEvent } from "../../../core/model/webhooks/Webhook.ts"
import type { EntryKind, LedgerEntry } from "../../../core/model/workspaces/Ledger.ts"
import type { ApiKey, Workspace } from "../../../core/model/workspaces/Workspace.ts"
import type { ClaimedDelivery, DeliveryRows } from "../../../core/ports/DeliveryRows.ts"
import type { Hold } from "../../../core/ports/SuiteRows.ts"

/** Two tenants; whatever is stored for the one, the other must not meet. */
export const ws = "ws_a"
export const other = "ws_b"
export const start = 1_790_000_000_000
export const page = { limit: 100, offset: 0 }

const padded = (n: number) => String(n).padStart(6, "0")

export const makeWorkspace = (over: Partial<Workspace> = {}): Workspace => ({
  id: ws,
  name: "Åre 🎿",
  max_concurrency: 10,
  calls_per_second: 5,
  allowed_countries: ["FR", "IN"],
  allow_costly_destinations: false,
  indexed_metadata_keys: ["order", "Größe"],
  recording_retention_days: 30,
  transcript_retention_days: null,
  call_retention_days: 365,
  created_at: start,
  updated_at: start,
  ...over
})

export const makeKey = (n: number, over: Partial<ApiKey> = {}): ApiKey => ({
  id: `key_${padded(n)}`,
  customer_id: ws,
  name: "server",
  scopes: ["sessions:write", "campaigns:read"],
  digest: "d".repeat(64),
  created_at: start + n,
  revoked_at: null,
  expires_at: n % 2 === 0 ? null : start + 1_000,
  last_used_at: null,
  ...over
})

export const makeEntry = (n: number, amount: number, over: Partial<LedgerEntry> = {}): LedgerEntry => ({
  id: `led_${padded(n)}`,
  customer_id: ws,
  kind: (amount < 0 ? "hold" : "top_up") satisfies EntryKind,
  amount,
  reference: null,
  created_at: start + n,
  ...over
})

export const makeNumber = (n: number, over: Partial<PhoneNumber> = {}): PhoneNumber => ({
  id: `pn_${padded(n)}`,
  customer_id: ws,
  number: `+1415555${padded(n)}`,
  label: n % 2 === 0 ? null : "front desk",
  created_at: start + n,
  ...over
})

export const makeAgent = (n: number, over: Partial<Agent> = {}): Agent => ({
  id: `agent_${padded(n)}`,
  customer_id: ws,
  name: "Ada",
  channel: "voice",
  prompt: "Greet {{name}} — “kindly” 👋",
  first_message: "Hello",
  voice: "alloy",
  language: "en",
  published: true,
  version: null,
  unpublished_changes: false,
  ...standardTalk,
  idle_timeout_warning: 10,
  idle_timeout_end: 20,
  max_call_length: 3600,
  created_at: start + n,
  updated_at: start + n,
  ...over
})

export const makeCall = (n: number, over: Partial<Call> = {}): Call => ({
  call_id: `call_${padded(n)}`,
  customer_id: ws,
  channel: "voice",
  agent_id: "agent_1",
  status: "queued",
  outcome: null,
  sub_status: null,
  error: null,
  to_number: "+14155550123",
  callee_name: null,
  from_number: "+14155550100",
  from_phone_number_id: "pn_1",
  custom_variables: null,
  call_config: null,
  smart_formatter: null,
  metadata: null,
  scheduled_for: null,
  attempt_count: 0,
  session_id: null,
  agent_version: 2,
  duration_seconds: 0,
  credits: 0,
  created_at: start + n,
  updated_at: start + n,
  completed_at: null,
  idempotency_key: null,
  campaign_id: null,
  recipient_id: null,
  attempt_id: null,
  redial: false,
  cancel_requested: false,
  price_per_minute: 1,
  credits_held: 1,
  phase: "waiting",
  due_at: start + n,
  transitions: null,
  version: 0,
  ...over
})

export const makeAttempt = (n: number, over: Partial<Attempt> = {}): Attempt => ({
  id: `att_${padded(n)}`,
  customer_id: ws,
  call_id: "call_000001",
  campaign_id: null,
  recipient_id: null,
  session_id: `sess_${padded(n)}`,
  channel: "voice",
  dial_number: null,
  attempt_number: n,
  status: "scheduled",
  scheduled_for: start,
  started_at: null,
  answered_at: null,
  completed_at: null,
  carrier_call_id: null,
  error_code: null,
  error_message: null,
  from_number: "+14155550100",
  outcome: null,
  sub_status: null,
  duration_seconds: 0,
  credits: 0,
  agent_version: 3,
  created_at: start + n,
  updated_at: start + n,
  ...over
})

export const makeCampaign = (n: number, over: Partial<Campaign> = {}): Campaign => ({
  id: `camp_${padded(n)}`,
  customer_id: ws,
  name: "Rappel d'été ☀️",
  agent_id: "agent_1",
  channel: "voice",
  status: "draft",
  status_reason: null,
  from_phone_number_id: "pn_1",
  template: null,
  call_config: null,
  max_concurrency: null,
  recipient_timezone: "by_number",
  skip_public_holidays: true,
  failure_breaker: null,
  calls_per_minute: null,
  scheduled_for: null,
  started_at: null,
  completed_at: null,
  metadata: null,
  created_at: start + n,
  updated_at: start + n,
  ...over
})

export const makeCounters = (n: number, over: Partial<CampaignCounters> = {}): CampaignCounters => ({
  ...emptyCounters(ws, `camp_${padded(n)}`),
  ...over
})

/** A campaign and its counters, of the same workspace. */
export const makeState = (
  n: number,
  over: Partial<Campaign> = {},
  counted: Partial<CampaignCounters> = {}
): CampaignState => {
  const campaign = makeCampaign(n, over)
  return { campaign, counters: makeCounters(n, { customer_id: campaign.customer_id, ...counted }) }
}

export const makeRecipient = (n: number, over: Partial<Recipient> = {}): Recipient => ({
  id: `rcpt_${padded(n)}`,
  customer_id: ws,
  campaign_id: "camp_000001",
  phone_number: `+1415556${padded(n)}`,
  status: "pending",
  timezone: null,
  call_id: null,
  variables: RawJson(`{"first_name":"Ada ${n}"}`),
  outcome: null,
  review: null,
  next_action_at: null,
  last_customer_message_at: null,
  last_customer_message: null,
  created_at: start + n,
  updated_at: start + n,
  ...over
})

export const makeImport = (n: number, over: Partial<CampaignImport> = {}): CampaignImport => ({
  id: `imp_${padded(n)}`,
  customer_id: ws,
  campaign_id: "camp_000001",
  filename: "élèves “2026”.csv",
  source_uri: null,
  status: "processing",
  total_rows: 0,
  accepted_rows: 0,
  rejected_rows: 0,
  errors: [],
  metadata: { content_type: "text/csv" },
  created_at: start + n,
  completed_at: null,
  ...over
})

export const makeSuite = (n: number, over: Partial<Suite> = {}): Suite => ({
  id: `suite_${padded(n)}`,
  customer_id: ws,
  agent_id: "agent_1",
  name: `Ada — generated (${n})`,
  scenarios: [
    { label: "In a hurry", instructions: "Interrupt. Give short answers.", runs: 2, max_turns: 10 }
  ],
  config: { judges: ["task_completion", "safety"], variables: { first_name: "" } },
  created_by_user_id: "key_000001",
  created_at: start + n,
  updated_at: start + n,
  ...over
})

export const makeTemplate = (n: number, over: Partial<Template> = {}): Template => ({
  id: `tmpl_${padded(n)}`,
  customer_id: ws,
  name: `reminder_${n}`,
  language: "en_US",
  category: "utility",
  parameter_format: "positional",
  components: [
    { type: "body", text: "Hello {{1}}, this is Åre 🎿.", example: { body_text: [["Ada"]] } },
    { type: "buttons", buttons: [{ type: "quick_reply", text: "Yes" }] }
  ],
  provider_template_id: null,
  status: "pending",
  rejection_reason: null,
  created_at: start + n,
  updated_at: start + n,
  ...over
})

export const subject: Subject = {
  agent: {
    ...standardTalk,
    name: "Ada",
    channel: "voice",
    prompt: "Greet — “kindly” 👋",
    first_message: "Hello",
    voice: "default",
    language: "en",
    idle_timeout_warning: 10,
    idle_timeout_end: 30,
    max_call_length: 600
  },
  variables: { name: "", city: "Bonn" },
  real_tools: false,
  model: "built-in rules"
}

export const makeRun = (n: number, over: Partial<Run> = {}): Run => ({
  id: `run_${padded(n)}`,
  customer_id: ws,
  suite_id: "suite_000001",
  agent_id: "agent_1",
  status: "queued",
  counts: { total: 2, passed: 0, failed: 0, errored: 0 },
  score: null,
  credits_used: 0,
  error: null,
  started_at: null,
  completed_at: null,
  created_at: start + n,
  subject,
  judges: ["task_completion", "safety"],
  deadline_at: start + 1_000 + n,
  points: 0,
  judged: 0,
  ...over
})

export const makePlay = (n: number, over: Partial<Play> = {}): Play => ({
  id: `play_${padded(n)}`,
  customer_id: ws,
  run_id: "run_000001",
  position: n,
  run_index: 1,
  scenario: { label: "In a hurry", instructions: "Interrupt. Give short answers.", runs: 2, max_turns: 10 },
  open: true,
  over: false,
  status: null,
  transcript: [],
  judgments: {},
  error: null,
  due_at: start + n,
  failures: 0,
  updated_at: start + n,
  version: 1,
  ...over
})

export const makeHold = (n: number, over: Partial<Hold> = {}): Hold => ({
  id: `suite_${padded(n)}`,
  customer_id: ws,
  amount: 5,
  expires_at: start + n,
  ...over
})

export const makeRecording = (n: number, over: Partial<Recording> = {}): Recording => ({
  id: `rec_${padded(n)}`,
  customer_id: ws,
  session_id: "sess_1",
  call_id: "call_000001",
  carrier_recording_id: `RE${padded(n)}`,
  status: "completed",
  track: "mixed",
  channels: 2,
  format: "wav",
  duration_seconds: 12.345,
  size_bytes: 3_000_000_000,
  url: "https://recordings.example/1.wav",
  url_expires_at: null,
  started_at: start,
  completed_at: start + 1,
  created_at: start + n,
  ...over
})

export const makeWebhook = (n: number, over: Partial<Webhook> = {}): Webhook => ({
  id: `whk_${padded(n)}`,
  customer_id: ws,
  url: "https://receiver.example/hook",
  event_types: ["call_started", "call_completed"],
  status: "active",
  disabled_reason: null,
  secret: "whsec_c2VjcmV0",
  previous_secret: null,
  previous_secret_until: null,
  created_at: start + n,
  updated_at: start + n,
  ...over
})

export const makeEvent = (n: number, over: Partial<WebhookEvent> = {}): WebhookEvent => ({
  id: `evt_${padded(n)}`,
  customer_id: ws,
  subject_id: "call_000001",
  event_type: "call_completed",
  body: `{"n":${n},"metadata":{"x":1.0}}`,
  created_at: start + n,
  ...over
})

export const makeDelivery = (n: number, over: Partial<Delivery> = {}): Delivery => ({
  id: `dlv_${padded(n)}`,
  customer_id: ws,
  webhook_id: "whk_000001",
  event_id: `evt_${padded(n)}`,
  event_type: "call_completed",
  call_id: over.subject_id ?? "call_000001",
  subject_id: "call_000001",
  status: "pending",
  attempts: 0,
  response_status: null,
  last_error: null,
  next_attempt_at: null,
  delivered_at: null,
  created_at: start + n,
  updated_at: start + n,
  ...over
})

/** What the lane of one try has next. */
export const settle = (
  deliveries: DeliveryRows,
  delivery: Delivery,
  until: number,
  response_body: string | null = null
): Effect.Effect<Option.Option<ClaimedDelivery>> =>
  Effect.map(deliveries.settle(delivery.customer_id, [{ delivery, response_body, until }]), ([head]) => head!)

export const makeSession = (n: number, over: Partial<Session> = {}): Session => ({
  session_id: `sess_${padded(n)}`,
  customer_id: ws,
  kind: "call",
  call_id: "call_000001",
  attempt_id: `att_${padded(n)}`,
  agent_id: "agent_1",
  agent_version: 2,
  status: "open",
  reason: null,
  error_code: null,
  started_at: start + n,
  connected_at: null,
  ended_at: null,
  credits: 0,
  model: "built-in rules",
  ...noTotals,
  settings: {
    first_message: "Hello “Åre” 🎿",
    idle_timeout_warning: 10,
    idle_timeout_end: 20,
    max_call_length: 600,
    interruptible: "any",
    backchannels: backchannelsOf("en"),
    lines: { nudge: ["N"], filler: ["F"], closing: "C", apology: "A", resumed: "R" },
    voicemail: { action: "hang_up", message: "" },
    transfers: [],
    line: { reportsPlayout: true, endDropsSpeech: true, reportsPartials: true, reportsMessageEnd: true }
  },
  variables: RawJson(`{"name":1.0}`),
  review_status: "none",
  review: null,
  review_due_at: null,
  review_failures: 0,
  version: 1,
  ...over
})
