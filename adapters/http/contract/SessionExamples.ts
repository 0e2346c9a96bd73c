import { ids } from "./Examples.ts"

const session_id = "sess_01jd4x9b8wq3m6k1t0r8e5c2b9"

export const session = {
  session_id,
  kind: "call",
  call_id: ids.call,
  attempt_id: "att_01jd4x9b8wq3m6k1t0r8e5c2b9",
  agent_id: ids.agent,
  agent_version: 1,
  status: "over",
  reason: "user_hangup",
  error_code: null,
  started_at: "2026-03-02T09:30:08.000Z",
  connected_at: "2026-03-02T09:30:08.400Z",
  ended_at: "2026-03-02T09:30:50.000Z",
  credits: 0,
  model: "gpt-4.1-mini",
  turns: 2,
  interruptions: 0,
  tool_calls: 0,
  first_token_ms: { median: 420, worst: 420 },
  first_sound_ms: { median: 730, worst: 730 },
  input_tokens: 812,
  output_tokens: 24,
  review_status: "done",
  review: {
    summary: "Ada confirmed the appointment on Friday.",
    sentiment: "positive",
    qualification_status: "unknown",
    answers: { confirmed: true }
  }
}

const turn = {
  role: "agent",
  text: "Hello Ada, can you come on Friday?",
  generated: null,
  started_at: "2026-03-02T09:30:08.400Z",
  ended_at: "2026-03-02T09:30:11.000Z",
  interrupted: false,
  digits: false,
  tool: null,
  first_token_ms: null,
  first_sound_ms: null
}

export const trial = {
  session_id,
  agent_id: ids.agent,
  agent_version: null,
  url: "wss://voice.example.com/v0/conversations/WyJ3c18xIiwic2Vzc18xIl0.c2VhbA",
  url_expires_at: "2026-03-02T09:31:00.000Z"
}

export const transcript = {
  session_id,
  turns: [
    turn,
    {
      ...turn,
      role: "callee",
      text: "Yes, Friday is fine.",
      started_at: "2026-03-02T09:30:11.700Z",
      ended_at: "2026-03-02T09:30:13.100Z"
    }
  ]
}

export const events =
  `event: turn\ndata: ${JSON.stringify({ number: 1, turn })}\n\n` +
  `event: over\ndata: ${JSON.stringify({ session })}\n\n`
