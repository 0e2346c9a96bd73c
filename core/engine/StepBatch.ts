import { Data } from "effect"
import type { Attempt } from "../model/calls/Attempt.ts"
import type { Call, Outcome } from "../model/calls/Call.ts"
import type { CampaignState } from "../model/campaigns/Campaign.ts"
import type { Recipient } from "../model/campaigns/Recipient.ts"
import type { Recording } from "../model/recordings/Recording.ts"
import type { LedgerEntry } from "../model/workspaces/Ledger.ts"
import type { IdMaker } from "../ports/Ids.ts"
import type { News } from "./Outbox.ts"

/** What the steps of one transaction have made of a campaign. */
interface CampaignSteps {
  /** As it is stored. */
  stored: CampaignState
  /** As the last step has left it. */
  state: CampaignState
  /** How attempts have ended, to be counted. */
  readonly outcomes: Map<Outcome, number>
}

/** A new call, with the keys of metadata by which it is found. */
interface Begun {
  readonly call: Call
  readonly indexed: ReadonlyArray<string>
}

/** A recording, with what is told of it unless it is known already. */
interface Recorded {
  readonly recording: Recording
  readonly news: News
}

/** What steps have changed and is not stored yet, in the order in which they did. */
export interface Changes {
  readonly begun: Array<Begun>
  readonly calls: Array<Call>
  readonly newAttempts: Array<Attempt>
  readonly attempts: Array<Attempt>
  readonly recipients: Array<Recipient>
  readonly recordings: Array<Recorded>
  readonly entries: Array<LedgerEntry>
  /** What is to be told, in the order in which it happened. */
  readonly news: Array<News>
}

const nothing = (): Changes => ({
  begun: [],
  calls: [],
  newAttempts: [],
  attempts: [],
  recipients: [],
  recordings: [],
  entries: [],
  news: []
})

/**
 * The steps of many calls of one workspace in one transaction. What they change is stored together: on PostgreSQL in as
 * many round trips as that of one call. A campaign is read and its counters are stored once.
 */
export interface StepBatch {
  /** The moment at which all its steps are taken. */
  readonly now: number
  readonly makeId: IdMaker
  readonly campaigns: Map<string, CampaignSteps>
  /** By their ids: those that were read together or changed, as the steps so far have left them. */
  readonly attempts: Map<string, Attempt>
  readonly calls: Map<string, Call>
  readonly recipients: Map<string, Recipient>
  /** Credits that are free after all steps so far; null until they are asked for. */
  balance: number | null
  changes: Changes
}

export const stepBatch = (makeId: IdMaker, now: number): StepBatch => ({
  now,
  makeId,
  campaigns: new Map(),
  attempts: new Map(),
  calls: new Map(),
  recipients: new Map(),
  balance: null,
  changes: nothing()
})

/** Takes what is to be stored out of a batch. */
export const takeChanges = (batch: StepBatch): Changes => {
  const { changes } = batch
  batch.changes = nothing()
  return changes
}

export const stepsOf = (state: CampaignState): CampaignSteps => ({
  stored: state,
  state,
  outcomes: new Map()
})

/** Someone else changed a call after a step read it. The transaction of its batch has to be undone. */
export class CallChanged extends Data.TaggedError("CallChanged") {}
