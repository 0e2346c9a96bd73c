import { standardTalk } from "../../../core/model/agents/Talk.ts"

export const workspace = "ws_01jd4x8q2m7c5v9b3n6k1t0r8e"
export const created_at = "2026-03-02T09:30:00.000Z"

export const ids = {
  agent: "agent_01jd4x8q2mh5c0v9b3n6k1t0r8",
  call: "call_01jd4x9a7vq3m6k1t0r8e5c2b9",
  number: "pn_01jd4x8q9d2m7c5v9b3n6k1t0r",
  campaign: "camp_01jd4xc5d6m7c5v9b3n6k1t0r8",
  recipient: "rcpt_01jd4xd7e8m7c5v9b3n6k1t0r8",
  message: "msg_01jd4x9a7vq3m6k1t0r8e5c2b9",
  session: "sess_01jd4xe9f0m7c5v9b3n6k1t0r8",
  webhook: "whk_01jd4xa1b2m7c5v9b3n6k1t0r8",
  delivery: "dlv_01jd4xb3c4m7c5v9b3n6k1t0r8"
}

export const placeCall = {
  agent_id: ids.agent,
  to_number: "+14155550123",
  callee_name: "Ada Lovelace",
  custom_variables: { name: "Ada", balance: 12.5 },
  metadata: { order: "A-1017" },
  idempotency_key: "order-A-1017",
  call_config: {
    idle_timeout_warning: 10,
    idle_timeout_end: 30,
    max_call_length: 600,
    call_retry_config: { retry_count: 2, retry_busy: 5, retry_not_picked: 30, retry_failed: 15 },
    call_time: { call_start_time: "09:00", call_end_time: "18:00", timezone: "Europe/Paris" }
  }
}

export const call = {
  call_id: ids.call,
  customer_id: workspace,
  agent_id: ids.agent,
  status: "queued",
  outcome: null,
  sub_status: null,
  error: null,
  to_number_masked: "+*******0123",
  callee_name: "Ada Lovelace",
  from_number: "+14155550100",
  from_phone_number_id: ids.number,
  scheduled_for: null,
  attempt_count: 0,
  session_id: null,
  agent_version: null,
  campaign_id: null,
  recipient_id: null,
  duration_seconds: 0,
  credits: 0,
  created_at,
  updated_at: created_at,
  completed_at: null,
  custom_variables: placeCall.custom_variables,
  call_config: placeCall.call_config,
  smart_formatter: {},
  metadata: placeCall.metadata
}

export const callBatch = {
  id: "batch_01jd4x9a7vq3m6k1t0r8e5c2b9",
  customer_id: workspace,
  status: "accepted",
  scheduled_for: "2090-03-02T10:00:00.000Z",
  counts: { total: 3, created: 1, duplicate: 1, refused: 1 },
  statuses: {
    queued: 1,
    ringing: 0,
    in_progress: 0,
    retry_scheduled: 0,
    completed: 0,
    failed: 0,
    cancelled: 0
  },
  items: [
    { index: 0, status: "created", call_id: ids.call, error: null },
    { index: 1, status: "duplicate", call_id: "call_01jd4x9a7vq3m6k1t0r8e5c2b8", error: null },
    {
      index: 2,
      status: "refused",
      call_id: null,
      error: { code: "invalid_request", message: "to_number is missing" }
    }
  ],
  created_at,
  cancelled_at: null
}

export const cancelledCall = {
  ...call,
  status: "cancelled",
  outcome: "cancelled",
  sub_status: "cancelled",
  completed_at: created_at
}

export const startedCall = {
  ...call,
  status: "in_progress",
  outcome: "answered",
  attempt_count: 1,
  session_id: "sess_01jd4x9b8wq3m6k1t0r8e5c2b9",
  agent_version: 1,
  updated_at: "2026-03-02T09:30:08.000Z"
}

export const completedCall = {
  ...startedCall,
  status: "completed",
  sub_status: "user_hangup",
  duration_seconds: 42,
  credits: 1,
  updated_at: "2026-03-02T09:30:50.500Z",
  completed_at: "2026-03-02T09:30:50.500Z"
}

export const callAttempt = {
  id: "att_01jd4x9b8wq3m6k1t0r8e5c2b9",
  call_id: ids.call,
  campaign_id: null,
  recipient_id: null,
  session_id: startedCall.session_id,
  channel: "voice",
  attempt_number: 1,
  status: "completed",
  scheduled_for: created_at,
  started_at: "2026-03-02T09:30:00.500Z",
  answered_at: startedCall.updated_at,
  completed_at: completedCall.completed_at,
  provider_message_id: null,
  carrier_call_id: "CA0123456789abcdef0123456789abcdef",
  error_code: null,
  error_message: null,
  from_number: call.from_number,
  result: { outcome: "answered", sub_status: "user_hangup" },
  agent_version: 1,
  duration_seconds: 42,
  credits: 1,
  created_at: "2026-03-02T09:30:00.500Z",
  updated_at: completedCall.completed_at
}

const transition = {
  status: "queued",
  attempt_number: 1,
  outcome: null,
  sub_status: null,
  scheduled_for: null
}

export const callEvents = {
  data: [
    { ...transition, at: created_at, cause: "placed", attempt_number: null },
    { ...transition, at: callAttempt.started_at, cause: "dialled" },
    { ...transition, at: "2026-03-02T09:30:02.000Z", cause: "ringing", status: "ringing" },
    { ...transition, at: callAttempt.answered_at, cause: "answered", status: "in_progress" },
    {
      ...transition,
      at: callAttempt.completed_at,
      cause: "attempt_ended",
      status: "completed",
      ...callAttempt.result
    }
  ]
}

export const reviewed = {
  session_id: startedCall.session_id,
  agent_version: 1,
  summary: "Ada confirmed the appointment on Friday.",
  sentiment: "positive",
  qualification_status: "unknown",
  answers: { confirmed: true }
}

/** What the head of an event that is not of a call has. */
export const ofNoCall = {
  call_id: null,
  agent_id: null as string | null,
  session_id: null as string | null,
  campaign_id: null as string | null,
  recipient_id: null as string | null,
  attempt_number: null as number | null,
  metadata: null as object | null
}

export const ofCampaign = {
  ...ofNoCall,
  agent_id: ids.agent,
  campaign_id: ids.campaign,
  metadata: { season: "spring" }
}

export const ofMessage = {
  ...ofCampaign,
  call_id: ids.message,
  session_id: ids.session,
  recipient_id: ids.recipient,
  attempt_number: 1
}

/** The body of an event, of the call unless `head` says otherwise. */
export const event = (event_type: string, data: unknown, head: object = {}) => ({
  id: "evt_01jd4xb3c4m7c5v9b3n6k1t0r8",
  event_type,
  created_at: completedCall.updated_at,
  customer_id: workspace,
  call_id: ids.call,
  agent_id: ids.agent,
  session_id: completedCall.session_id,
  campaign_id: null,
  recipient_id: null,
  attempt_number: 1,
  metadata: placeCall.metadata,
  ...head,
  data
})

export const agentDraft = {
  name: "Reminders",
  prompt: "You remind {{name}} of an appointment.",
  first_message: "Hello, this is the practice."
}

export const agent = {
  id: ids.agent,
  customer_id: workspace,
  ...agentDraft,
  channel: "voice",
  voice: "default",
  language: "en-US",
  published: false,
  version: null,
  unpublished_changes: false,
  idle_timeout_warning: 10,
  idle_timeout_end: 30,
  max_call_length: 3600,
  ...standardTalk,
  created_at,
  updated_at: created_at,
  placeholders: ["name"]
}

const {
  created_at: _created,
  customer_id: _customer,
  id: _id,
  placeholders: _placeholders,
  published: _published,
  unpublished_changes: _changes,
  updated_at: _updated,
  version: _version,
  ...draft
} = agent

export const agentVersion = { agent_id: ids.agent, version: 1, published_at: created_at, agent: draft }

export const phoneNumber = {
  id: ids.number,
  customer_id: workspace,
  number: "+14155550100",
  label: "Front desk",
  created_at
}

export const availableNumber = {
  number: "+14155550142",
  country: "US",
  region: "California",
  number_type: null,
  setup_price: "0.00",
  monthly_price: "1.15",
  currency: "USD"
}

export const recording = {
  id: "rec_01jd4xk7l8m7c5v9b3n6k1t0r8",
  session_id: "sess_01jd4x9b8wq3m6k1t0r8e5c2b9",
  call_id: ids.call,
  status: "completed",
  track: "mixed",
  channels: 1,
  format: "wav",
  duration_seconds: 42.5,
  size_bytes: 680_044,
  url:
    "https://voice.example.com/v0/recordings/rec_01jd4xk7l8m7c5v9b3n6k1t0r8/audio" +
    `?workspace=${workspace}&expires=1772447430&signature=(43 characters)`,
  url_expires_at: "2026-03-02T10:30:30.000Z",
  started_at: created_at,
  completed_at: "2026-03-02T09:30:42.500Z",
  created_at
}

export const webhook = {
  id: ids.webhook,
  customer_id: workspace,
  url: "https://example.com/hooks",
  event_types: ["call_completed"],
  status: "active",
  disabled_reason: null,
  created_at,
  updated_at: created_at
}

export const webhookWithSecret = { ...webhook, secret: "whsec_(shown once)" }

export const delivery = {
  id: ids.delivery,
  customer_id: workspace,
  webhook_id: ids.webhook,
  event_id: "evt_01jd4xb3c4m7c5v9b3n6k1t0r8",
  event_type: "call_completed",
  call_id: ids.call,
  subject_id: ids.call,
  status: "dead",
  attempts: 10,
  response_status: 500,
  last_error: "the receiver answered 500",
  next_attempt_at: null,
  delivered_at: null,
  created_at,
  updated_at: created_at
}

export const testDelivery = {
  ...delivery,
  event_type: "webhook_test",
  call_id: null,
  subject_id: ids.webhook,
  status: "pending",
  attempts: 0,
  response_status: null,
  last_error: null,
  next_attempt_at: created_at
}

export const deliveryDetail = {
  ...delivery,
  request_body: JSON.stringify(event("call_completed", completedCall)),
  response_body: "Internal Server Error"
}

export const ledgerEntry = {
  id: "led_01jd4x9a7vq3m6k1t0r8e5c2b9",
  customer_id: workspace,
  kind: "hold",
  amount: -1,
  reference: ids.call,
  created_at
}

export const balance = { customer_id: workspace, balance: 999 }

export const deleted = (id: string) => ({ id, deleted: true })

export const pageOf = (record: unknown) => ({
  data: [record],
  pagination: { limit: 50, offset: 0, total: 1 }
})
