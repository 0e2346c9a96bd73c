import { created_at, ids, workspace as id } from "./Examples.ts"

export const workspace = {
  id,
  name: "Acme",
  max_concurrency: 50,
  calls_per_second: 10,
  allowed_countries: ["US", "CA"],
  allow_costly_destinations: false,
  indexed_metadata_keys: ["order"],
  recording_retention_days: 90,
  transcript_retention_days: 90,
  call_retention_days: 365,
  created_at,
  updated_at: created_at
}

export const carriers = {
  data: [
    { channel: "voice", status: "up" },
    { channel: "msg", status: "down" }
  ]
}

export const toolSecret = {
  secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  previous_secret_until: null
}

export const newKey = {
  name: "backend",
  scopes: ["sessions:read", "sessions:write"],
  expires_at: "2027-03-02T00:00:00.000Z"
}

export const apiKey = {
  id: "3f9c2a7be1d04586",
  customer_id: id,
  ...newKey,
  created_at,
  revoked_at: null,
  last_used_at: "2026-03-02T11:02:31.000Z"
}

export const madeKey = {
  ...apiKey,
  last_used_at: null,
  key: `od_live_${apiKey.id}_${"0123456789abcdef".repeat(4)}`
}

const used = { attempts: 120, reached: 64, minutes: 98.5, messages: 0, turns: 512, credits: 131 }

export const usage = {
  by: "day",
  from: "2026-03-01T00:00:00.000Z",
  until: "2026-03-03T00:00:00.000Z",
  data: [{ key: "2026-03-02", ...used }],
  total: used
}

export const auditEntry = {
  id: "aud_01jd4xa1b2m7c5v9b3n6k1t0r8",
  customer_id: id,
  actor_kind: "api_key",
  actor: apiKey.id,
  operation: "updateCampaign",
  object_id: ids.campaign,
  created_at
}
