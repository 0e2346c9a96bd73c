import { defaultModel } from "../../../core/model/simulation/CalleeModel.ts"
import { nothingLearned } from "../../../core/model/simulation/Learned.ts"
import { ids } from "./Examples.ts"

const rates = { answered: 0.3, voicemail: 0.25, no_answer: 0.35, busy: 0.08, failed: 0.02 }

export const request = { seeds: 2, seed: 1, starts_at: "2026-03-02T10:00:00.000Z", model: { rates: [rates] } }

const spread = (min: number, max: number, mean = (min + max) / 2) => ({
  mean,
  min,
  p10: min + (max - min) / 10,
  p50: mean,
  p90: max - (max - min) / 10,
  max
})

const band = (value: number) => ({ p10: value, p50: value, p90: value })

const seed = (seed: number, ended_at: string, answered: number, attempts: number) => ({
  seed,
  status: "completed",
  status_reason: null,
  ended_at,
  stats: {
    total: 100,
    pending: 0,
    in_progress: 0,
    retry_scheduled: 0,
    completed: 90,
    failed: 10,
    skipped: 0,
    attempts,
    answered
  },
  credits: answered * 2,
  peak_calls: 20
})

const ends = ["2026-03-02T10:04:00.000Z", "2026-03-02T10:05:00.000Z"] as const

export const simulation = {
  starts_at: "2026-03-02T10:00:00.000Z",
  call_time: { call_start_time: "09:00", call_end_time: "18:00", timezone: "Europe/Paris" },
  recipients: 100,
  completed_share: 1,
  finishes_at: {
    min: ends[0],
    p10: "2026-03-02T10:04:06.000Z",
    p50: "2026-03-02T10:04:30.000Z",
    p90: "2026-03-02T10:04:54.000Z",
    max: ends[1]
  },
  duration_seconds: spread(240, 300),
  reached: spread(50, 60),
  attempts: spread(150, 170),
  attempts_per_recipient: spread(1.5, 1.7),
  recipients_by_attempts: [
    { attempts: 0, recipients: spread(0, 0) },
    { attempts: 1, recipients: spread(40, 60) },
    { attempts: 2, recipients: spread(40, 60) }
  ],
  credits: spread(100, 120),
  peak_calls: spread(20, 20),
  timeline: {
    step_seconds: 60,
    points: [
      { at: "2026-03-02T10:00:00.000Z", calls: band(14.5), reached: band(11) },
      { at: "2026-03-02T10:01:00.000Z", calls: band(19.25), reached: band(24) }
    ]
  },
  seeds: [seed(1, ends[0], 50, 150), seed(2, ends[1], 60, 170)],
  beat_seconds: 1,
  model: { ...defaultModel, rates: [rates] },
  learned: null,
  chart: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 600"></svg>'
}

const learned = {
  ...nothingLearned,
  campaign_id: ids.campaign,
  since: "2026-03-01T00:00:00.000Z",
  attempts: 812,
  under_way: 4,
  talk: { observations: 241, median_seconds: 66.5, spread: 0.72 },
  voicemail: { observations: 180, median_seconds: 14.1, spread: 0.31 },
  answer: { observations: 421, mean_seconds: 8.75 },
  ring: { observations: 302, mean_seconds: 27.5 },
  failures: 21,
  final_failures: 6
}

export const forecast = {
  campaign_id: ids.campaign,
  made_at: "2026-03-02T10:00:00.000Z",
  recipients: 640,
  runs: 39,
  completed_share: 1,
  finishes_at: {
    p10: "2026-03-02T14:40:00.000Z",
    p50: "2026-03-02T15:05:00.000Z",
    p90: "2026-03-02T15:35:00.000Z"
  },
  reached: { p10: 420, p50: 441, p90: 460 },
  attempts: { p10: 1710, p50: 1742, p90: 1775 },
  credits: { p10: 300, p50: 322, p90: 345 },
  model: { ...defaultModel, answer_seconds: 17 },
  learned: { ...learned, since: null }
}

export const callees = {
  model: { ...defaultModel, answer_seconds: 17 },
  learned
}
