import type { CampaignRecord } from "../../../../core/model/campaigns/Campaign.ts"

/** A campaign as the server writes it. */
export const campaign = (
  fields: Partial<Record<keyof CampaignRecord, unknown>> = {},
  stats: Partial<CampaignRecord["stats"]> = {}
) => ({
  id: "camp_1",
  customer_id: "ws_1",
  name: "Spring",
  agent_id: "agent_1",
  channel: "voice",
  status: "running",
  status_reason: null,
  from_phone_number_id: "pn_1",
  max_concurrency: null,
  calls_per_minute: null,
  scheduled_for: null,
  started_at: null,
  completed_at: null,
  stats: {
    total: 10,
    pending: 10,
    in_progress: 0,
    retry_scheduled: 0,
    completed: 0,
    failed: 0,
    skipped: 0,
    attempts: 0,
    answered: 0,
    ...stats
  },
  created_at: "2026-02-03T04:05:06.000Z",
  updated_at: "2026-02-03T04:05:06.000Z",
  template: null,
  call_config: {},
  recipient_timezone: null,
  skip_public_holidays: false,
  failure_breaker: { share: 0.5, window: 50, least: 20 },
  metadata: null,
  ...fields
})

/** The progress of that campaign as the server writes it. */
export const progress = (fields: Readonly<Record<string, unknown>> = {}) => ({
  campaign_id: "camp_1",
  status: "running",
  stats: campaign().stats,
  next_retry_at: null,
  interval: "day",
  from: "2026-02-03T00:00:00.000Z",
  until: "2026-02-05T00:00:00.000Z",
  series: [],
  ...fields
})
