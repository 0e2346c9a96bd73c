import { call, created_at, ids, placeCall, workspace } from "./Examples.ts"
import { template_id } from "./TemplateExamples.ts"

const started_at = "2026-03-02T10:00:00.000Z"
const updated_at = "2026-03-02T10:02:30.000Z"

export const draft = {
  name: "March reminders",
  agent_id: ids.agent,
  call_config: placeCall.call_config,
  max_concurrency: 20,
  calls_per_minute: 120,
  failure_breaker: { share: 0.4 },
  metadata: { season: "spring" }
}

/** What a campaign of channel msg sends. */
export const messages = {
  channel: "msg",
  template: {
    id: template_id,
    variables: { body: { "1": "name", "2": "day" }, buttons: { "1": "appointment" } }
  }
}

const nothing = {
  total: 0,
  pending: 0,
  in_progress: 0,
  retry_scheduled: 0,
  completed: 0,
  failed: 0,
  skipped: 0,
  attempts: 0,
  answered: 0
}

export const campaign = {
  id: ids.campaign,
  customer_id: workspace,
  name: draft.name,
  agent_id: ids.agent,
  channel: "voice",
  status: "draft",
  status_reason: null,
  from_phone_number_id: ids.number,
  max_concurrency: 20,
  calls_per_minute: 120,
  recipient_timezone: null,
  skip_public_holidays: false,
  failure_breaker: { share: 0.4, window: 50, least: 20 },
  scheduled_for: null,
  started_at: null,
  completed_at: null,
  stats: nothing,
  created_at,
  updated_at: created_at,
  template: null,
  call_config: draft.call_config,
  metadata: draft.metadata
}

const stats = {
  total: 480,
  pending: 300,
  in_progress: 20,
  retry_scheduled: 10,
  completed: 140,
  failed: 8,
  skipped: 2,
  attempts: 184,
  answered: 138
}

export const running = { ...campaign, status: "running", started_at, updated_at, stats }

export const paused = { ...running, status: "paused", status_reason: "user" }

export const completed = { ...running, status: "completed", completed_at: updated_at }

export const attempt = {
  id: "att_01jd4xe9f0m7c5v9b3n6k1t0r8",
  call_id: ids.call,
  campaign_id: ids.campaign,
  recipient_id: ids.recipient,
  session_id: ids.session,
  channel: "voice",
  attempt_number: 1,
  status: "completed",
  scheduled_for: started_at,
  started_at,
  completed_at: updated_at,
  provider_message_id: null,
  error_code: null,
  error_message: null,
  from_number: call.from_number,
  result: { outcome: "answered" },
  created_at: started_at,
  updated_at
}

export const messageStatus = {
  ...attempt,
  call_id: ids.message,
  channel: "msg",
  provider_message_id: "wamid.HBgLMTQxNTU1NTAxMjM",
  result: { outcome: "delivered" },
  message_status: "delivered"
}

export const progress = {
  campaign_id: ids.campaign,
  status: "running",
  stats,
  next_retry_at: "2026-03-02T10:17:30.000Z",
  interval: "hour",
  from: "2026-01-02T11:00:00.000Z",
  until: "2026-03-02T11:00:00.000Z",
  series: [{ at: started_at, attempts: 164, outcomes: { answered: 138, busy: 12, no_answer: 14 } }]
}

export const newRecipients = {
  recipients: [
    { phone_number: "+14155550123", variables: { name: "Ada", balance: 12.5 }, timezone: "Europe/Paris" }
  ]
}

export const recipient = {
  id: ids.recipient,
  campaign_id: ids.campaign,
  phone_number_masked: "+*******0123",
  status: "pending",
  timezone: "Europe/Paris",
  variables: { name: "Ada", balance: 12.5 },
  msg_context: {},
  outcome: {},
  answers: {},
  qualification_status: null,
  sentiment: null,
  next_action_at: null,
  last_customer_message_at: null,
  service_window_expires_at: null,
  created_at,
  updated_at: created_at
}

const rowError = {
  row: 3,
  error: "the phone number must have a leading +, the country code and digits only",
  value: "call me"
}

export const campaignImport = {
  id: "imp_01jd4xf1g2m7c5v9b3n6k1t0r8",
  campaign_id: ids.campaign,
  filename: "recipients.csv",
  source_uri: null,
  status: "completed_with_errors",
  total_rows: 2,
  accepted_rows: 1,
  rejected_rows: 1,
  errors: [rowError],
  metadata: { content_type: "text/csv" },
  created_at,
  completed_at: created_at,
  errors_url: `/v0/campaigns/${ids.campaign}/imports/imp_01jd4xf1g2m7c5v9b3n6k1t0r8/errors.csv`
}

export const importErrors = `row,error,value\r\n${rowError.row},"${rowError.error}",${rowError.value}\r\n`

export const imported = {
  recipients: [{ ...recipient, timezone: null, variables: { name: "Ada" } }],
  import: campaignImport
}

/** The form of an upload, as far as JSON can show one. */
export const form = { file: "phone_number,name\r\n+14155550123,Ada\r\ncall me,Grace\r\n" }

export const results =
  "recipient_id,phone_number_masked,status,outcome,reason,call_id,updated_at,attempts,duration_seconds,credits,answers,qualification_status,sentiment,last_customer_message,name\r\n" +
  `${ids.recipient},'+*******0123,completed,answered,user_hangup,${ids.call},${updated_at},1,42.5,1,{},,,,Ada\r\n`

export const blocked = { phone_number: "+14155550123", created_at }

export const unblocked = { phone_number: "+14155550123", deleted: true }

export const doNotCallImport = {
  total_rows: 2,
  accepted_rows: 1,
  rejected_rows: 1,
  added: 1,
  errors: [rowError]
}
