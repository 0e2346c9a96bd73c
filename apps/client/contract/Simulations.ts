// Written by apps/client/generator/main.ts from adapters/http/contract.

import type { RequestOptions } from "../request/Options.ts"
import type { CampaignStats, Timestamp } from "./Shared.ts"

export interface CampaignSimulation {
  readonly starts_at: Timestamp
  /** Those who were still to be called. */
  readonly recipients: number
  /** The share of the seeds in which the campaign was completed; else it stood still for good. */
  readonly completed_share: number
  /** When it is completed, in the seeds in which it is; null: in none. */
  readonly finishes_at: {
    readonly min: Timestamp
    readonly p10: Timestamp
    readonly p50: Timestamp
    readonly p90: Timestamp
    readonly max: Timestamp
  } | null
  /** From the start to the completion, in the seeds in which it is completed. */
  readonly duration_seconds: Spread | null
  /** Recipients who answered. */
  readonly reached: {
    readonly mean: number
    readonly min: number
    readonly p10: number
    readonly p50: number
    readonly p90: number
    readonly max: number
  }
  readonly attempts: Spread
  /** In the mean over the recipients. */
  readonly attempts_per_recipient: {
    readonly mean: number
    readonly min: number
    readonly p10: number
    readonly p50: number
    readonly p90: number
    readonly max: number
  }
  /** How many recipients were dialled how often. */
  readonly recipients_by_attempts: ReadonlyArray<{
    readonly attempts: number
    readonly recipients: Spread
  }>
  /** What is charged. */
  readonly credits: {
    readonly mean: number
    readonly min: number
    readonly p10: number
    readonly p50: number
    readonly p90: number
    readonly max: number
  }
  /** The most calls under way at one time. */
  readonly peak_calls: {
    readonly mean: number
    readonly min: number
    readonly p10: number
    readonly p50: number
    readonly p90: number
    readonly max: number
  }
  readonly timeline: SimulationTimeline
  readonly seeds: ReadonlyArray<SimulatedSeed>
  /** What callees do falls on whole multiples of this; finer for few recipients. */
  readonly beat_seconds: number
  readonly model: CalleeModel
  /** One SVG document: calls under way and recipients reached over time, and when it is completed. */
  readonly chart: string
}

export interface Spread {
  readonly mean: number
  readonly min: number
  readonly p10: number
  readonly p50: number
  readonly p90: number
  readonly max: number
}

export interface SimulationTimeline {
  readonly step_seconds: number
  readonly points: ReadonlyArray<{
    readonly at: Timestamp
    /** Calls under way in this step, in the mean over the step. */
    readonly calls: {
      readonly p10: number
      readonly p50: number
      readonly p90: number
    }
    /** Recipients who have answered by the end of this step. */
    readonly reached: {
      readonly p10: number
      readonly p50: number
      readonly p90: number
    }
  }>
}

export interface SimulatedSeed {
  readonly seed: number
  readonly status: "draft" | "scheduled" | "running" | "paused" | "completed" | "failed" | "cancelled"
  readonly status_reason:
    | "user"
    | "insufficient_credits"
    | "failure_rate"
    | "engine_unavailable"
    | "no_recipients"
    | "agent_not_found"
    | "agent_not_published"
    | "agent_not_voice"
    | "agent_not_msg"
    | "phone_number_not_found"
    | "template_not_found"
    | "template_not_approved"
    | null
  readonly ended_at: Timestamp
  readonly stats: CampaignStats
  readonly credits: number
  readonly peak_calls: number
}

export interface CalleeModel {
  readonly rates: ReadonlyArray<CalleeRates>
  /** How long those who answer talk, up to the longest call. */
  readonly talk: {
    /** 1 to 3600. */
    readonly median_seconds: number
    /** The standard deviation of the time's logarithm; 0: all are the median. 0 to 3. */
    readonly spread: number
  }
  /** How long a call lasts that a machine answers. */
  readonly voicemail: {
    /** 1 to 3600. */
    readonly median_seconds: number
    /** The standard deviation of the time's logarithm; 0: all are the median. 0 to 3. */
    readonly spread: number
  }
  /** Who answers does so within this time, evenly spread. 1 to 60. */
  readonly answer_seconds: number
  /** How long it rings when the callee does not answer. 1 to 110. */
  readonly ring_seconds: number
}

export interface CalleeRates {
  /** The callee answers and talks. 0 to 1. */
  readonly answered: number
  /** A machine answers. 0 to 1. */
  readonly voicemail: number
  /** It rings until the carrier gives up. 0 to 1. */
  readonly no_answer: number
  /** 0 to 1. */
  readonly busy: number
  /** The carrier cannot complete the call. 0 to 1. */
  readonly failed: number
}

export interface SimulateCampaign {
  /**
   * How often it is played, each time with other chances; default 10, fewer for many recipients. 1 to
   * 100.
   */
  readonly seeds?: number | undefined
  /**
   * The first of the seeds, the others count on from it; default 1. The same seed plays the same. 0 to
   * 2147483547.
   */
  readonly seed?: number | undefined
  /** By default when the campaign is scheduled, or now. */
  readonly starts_at?: Timestamp | undefined
  /** How callees behave: what it does not say is the default. */
  readonly model?: PartialCalleeModel | undefined
}

export interface PartialCalleeModel {
  readonly rates?: ReadonlyArray<CalleeRates> | undefined
  /** How long those who answer talk, up to the longest call. */
  readonly talk?:
    | {
        /** 1 to 3600. */
        readonly median_seconds: number
        /** The standard deviation of the time's logarithm; 0: all are the median. 0 to 3. */
        readonly spread: number
      }
    | undefined
  /** How long a call lasts that a machine answers. */
  readonly voicemail?:
    | {
        /** 1 to 3600. */
        readonly median_seconds: number
        /** The standard deviation of the time's logarithm; 0: all are the median. 0 to 3. */
        readonly spread: number
      }
    | undefined
  /** Who answers does so within this time, evenly spread. 1 to 60. */
  readonly answer_seconds?: number | undefined
  /** How long it rings when the callee does not answer. 1 to 110. */
  readonly ring_seconds?: number | undefined
}

export interface Simulations {
  /**
   * Simulate a campaign.
   * Plays what is left of a campaign, its pending recipients, by the same engine in virtual time,
   * whatever the campaign's status: within its window, its caps, its retries, the do-not-call list and
   * the credits that the workspace has now. Callees answer by chance as `model` says. Nothing is
   * dialled, spent or stored. Each seed is one run with other chances, and the same seed plays the same;
   * the answer has the percentiles over all of them. Of many recipients it may take a minute or two.
   *
   * What the default model says of callees is an assumption: give the rates of your own calls.
   *
   * Needs the scope `campaigns:read`.
   *
   * An addition to the published interface.
   *
   * Source: `POST /campaigns/{campaign_id}/simulations`.
   *
   * @throws {OutdialError} 400: A property breaks its rule or is not permitted; the campaign has no
   * pending recipient or sends messages; or recipients times `seeds` are more than 200,000
   * @throws {OutdialError} 404: There is no such record in the workspace
   * @throws {OutdialError} 408: The request body took too long to arrive
   * @throws {OutdialError} 429: Another simulation is under way; it may be asked for again after
   * Retry-After seconds
   * @throws {OutdialError} 503: This server simulates no campaigns
   * @throws {OutdialError} 504: The simulation took too long
   */
  readonly simulate: (
    campaign_id: string,
    body: SimulateCampaign,
    options?: RequestOptions
  ) => Promise<CampaignSimulation>
}
