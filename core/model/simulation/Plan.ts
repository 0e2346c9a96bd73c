import type { Agent } from "../agents/Agent.ts"
import type { CallConfig, CallTime } from "../calls/CallConfig.ts"
import type { Campaign, CampaignStatus, StatusReason } from "../campaigns/Campaign.ts"
import type { Stats } from "../campaigns/CampaignCounters.ts"
import type { Workspace } from "../workspaces/Workspace.ts"
import type { CalleeModel, PartialModel } from "./CalleeModel.ts"
import type { Learned } from "./Learned.ts"
import { drawn } from "./Posterior.ts"

/** A recipient, as far as it matters to when the call is made. */
export interface Person {
  readonly phone_number: string
  readonly timezone: string | null
}

/** Everything that a simulation goes by: the same plan and seed have the same end, to the byte. */
export interface Plan {
  readonly starts_at: number
  /** What callees do falls on whole multiples of this, so that what is near in time is done together. */
  readonly beat_seconds: number
  readonly model: CalleeModel
  /** What of the model is given, and what the rest was learned from; null: no part is learned. */
  readonly learned: { readonly by: Learned; readonly given: PartialModel } | null
  readonly workspace: Pick<
    Workspace,
    "max_concurrency" | "calls_per_second" | "allowed_countries" | "allow_costly_destinations"
  >
  /** What there is to spend; null: enough. */
  readonly credits: number | null
  readonly price_per_minute: number
  readonly max_call_length: Agent["max_call_length"]
  readonly campaign: Pick<
    Campaign,
    "call_config" | "max_concurrency" | "calls_per_minute" | "failure_breaker" | "skip_public_holidays"
  >
  readonly people: ReadonlyArray<Person>
  /** Those of them whom the workspace must not call. */
  readonly do_not_call: ReadonlyArray<string>
}

/** The callees of one seed: by what is learned each seed has others, as they may be. */
export const calleesOf = ({ learned, model }: Pick<Plan, "learned" | "model">, seed: number): CalleeModel =>
  learned === null ? model : { ...drawn(learned.by, seed), ...learned.given }

/** The calling window of the campaign, as far as its hours go; null when it may call at any time. */
export const callTimeOf = ({ campaign: { call_config } }: Pick<Plan, "campaign">): CallTime | null => {
  const { call_time } = (call_config === null ? {} : JSON.parse(call_config)) as CallConfig
  if (call_time === undefined) return null
  const { call_end_time, call_start_time, timezone } = call_time
  return { call_start_time, call_end_time, timezone }
}

/** A second for few recipients. For many it is coarser: times are rounded, so that calls last as long in the mean. */
export const beatFor = (recipients: number): number =>
  recipients <= 10_000 ? 1 : recipients <= 50_000 ? 5 : 10

/** How one seed's run of a plan went. Times in epoch milliseconds. */
export interface Run {
  readonly seed: number
  readonly status: CampaignStatus
  readonly status_reason: StatusReason | null
  /** When the campaign was completed, or stood still for good. */
  readonly ended_at: number
  readonly stats: Stats
  readonly credits: number
  readonly peak: number
  /** Recipients by how often they were dialled, from 0. */
  readonly tries: ReadonlyArray<number>
  /** Of each minute from the start: calls under way in the mean, and recipients reached by its end. */
  readonly calls: ReadonlyArray<number>
  readonly reached: ReadonlyArray<number>
}
