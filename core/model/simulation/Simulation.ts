import { Schema } from "effect"
import { CallTime } from "../calls/CallConfig.ts"
import { CampaignStatus, StatusReason } from "../campaigns/Campaign.ts"
import { Stats } from "../campaigns/CampaignCounters.ts"
import { second, Timestamp } from "../Codecs.ts"
import { CalleeModel } from "./CalleeModel.ts"
import { Learned } from "./Learned.ts"
import { callTimeOf, type Plan, type Run } from "./Plan.ts"
import { rounded, Spread, spreadOf } from "./Spread.ts"
import { Timeline, timelineOf } from "./Timeline.ts"

const Seed = Schema.Struct({
  seed: Schema.Int,
  status: CampaignStatus,
  status_reason: Schema.NullOr(StatusReason),
  ended_at: Timestamp,
  stats: Stats,
  credits: Schema.Int,
  peak_calls: Schema.Int
}).annotations({ identifier: "SimulatedSeed" })

/** What simulated runs of a campaign come to. */
export const Simulation = Schema.Struct({
  starts_at: Timestamp,
  call_time: Schema.NullOr(CallTime).annotations({
    description: "The campaign's calling window; null: it calls at any time"
  }),
  recipients: Schema.Int.annotations({ description: "Recipients who were still to be called" }),
  completed_share: Schema.Number.annotations({
    description: "The share of the seeds in which the campaign was completed; else it stood still for good"
  }),
  finishes_at: Schema.NullOr(
    Schema.Struct({ min: Timestamp, p10: Timestamp, p50: Timestamp, p90: Timestamp, max: Timestamp })
  ).annotations({ description: "When it is completed, in the seeds in which it is; null: in none" }),
  duration_seconds: Schema.NullOr(Spread).annotations({
    description: "From the start to the completion, in the seeds in which it is completed"
  }),
  reached: Spread.annotations({ description: "Recipients who answered" }),
  attempts: Spread,
  attempts_per_recipient: Spread.annotations({ description: "In the mean over the recipients" }),
  recipients_by_attempts: Schema.Array(
    Schema.Struct({ attempts: Schema.Int, recipients: Spread })
  ).annotations({ description: "How many recipients were dialled how often" }),
  credits: Spread.annotations({ description: "What is charged" }),
  peak_calls: Spread.annotations({ description: "The most calls under way at one time" }),
  timeline: Timeline,
  seeds: Schema.Array(Seed),
  beat_seconds: Schema.Int.annotations({
    description: "What callees do falls on whole multiples of this; finer for few recipients"
  }),
  model: CalleeModel.annotations({
    description:
      "How callees behave: of what is learned, the likeliest. Each seed has callees that may differ from it"
  }),
  learned: Schema.NullOr(Learned).annotations({
    description: "The observations behind the model; null when it was not to be learned"
  })
}).annotations({ identifier: "Simulation" })
export type Simulation = typeof Simulation.Type

const finishing = (ends: ReadonlyArray<number>): Simulation["finishes_at"] => {
  if (ends.length === 0) return null
  const { max, min, p10, p50, p90 } = spreadOf(ends)
  return { min, p10: Math.round(p10), p50: Math.round(p50), p90: Math.round(p90), max }
}

const byAttempts = (runs: ReadonlyArray<Run>): Simulation["recipients_by_attempts"] =>
  Array.from({ length: Math.max(...runs.map(({ tries }) => tries.length)) }, (_, attempts) => ({
    attempts,
    recipients: spreadOf(runs.map(({ tries }) => tries[attempts] ?? 0))
  }))

/** What one run or more of a plan come to. */
export const simulationOf = (plan: Plan, runs: ReadonlyArray<Run>): Simulation => {
  const completed = runs.filter(({ status }) => status === "completed")
  const ends = completed.map(({ ended_at }) => ended_at)
  const people = Math.max(1, plan.people.length)
  return {
    starts_at: plan.starts_at,
    call_time: callTimeOf(plan),
    recipients: plan.people.length,
    completed_share: rounded(completed.length / runs.length),
    finishes_at: finishing(ends),
    duration_seconds: ends.length === 0 ? null : spreadOf(ends.map((end) => (end - plan.starts_at) / second)),
    reached: spreadOf(runs.map(({ stats }) => stats.answered)),
    attempts: spreadOf(runs.map(({ stats }) => stats.attempts)),
    attempts_per_recipient: spreadOf(runs.map(({ stats }) => stats.attempts / people)),
    recipients_by_attempts: byAttempts(runs),
    credits: spreadOf(runs.map(({ credits }) => credits)),
    peak_calls: spreadOf(runs.map(({ peak }) => peak)),
    timeline: timelineOf(plan.starts_at, runs),
    seeds: runs.map(({ credits, ended_at, peak, seed, stats, status, status_reason }) => ({
      seed,
      status,
      status_reason,
      ended_at,
      stats,
      credits,
      peak_calls: peak
    })),
    beat_seconds: plan.beat_seconds,
    model: plan.model,
    learned: plan.learned === null ? null : plan.learned.by
  }
}

const encode = Schema.encodeSync(Simulation)

/** As it is sent: the same runs are the same text, byte for byte. */
export const toJson = (simulation: Simulation): string => JSON.stringify(encode(simulation), null, 2)
