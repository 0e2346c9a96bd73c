import { Schema } from "effect"
import { AgentRecord } from "../../../adapters/http/contract/Agents.ts"
import { placeholders } from "../../../core/agents/Prompt.ts"
import type { Agent } from "../../../core/agents/Agent.ts"
import { type Attempt, AttemptRecord, toRecord } from "../../../core/calls/Attempt.ts"
import { type Call, type CallRecord, fieldsOf } from "../../../core/calls/Call.ts"
import {
  type CampaignRecord,
  type CampaignState,
  toJson as campaignJson
} from "../../../core/campaigns/Campaign.ts"
import { ImportRecord } from "../../../core/campaigns/CampaignImport.ts"
import { CampaignProgress } from "../../../core/campaigns/CampaignProgress.ts"
import {
  type Recipient,
  type RecipientRecord,
  toJson as recipientJson
} from "../../../core/campaigns/Recipient.ts"
import type { RawJson } from "../../../core/json/RawJson.ts"
import { Blocked } from "../../../core/numbers/DoNotCallList.ts"
import { PhoneNumber } from "../../../core/numbers/PhoneNumber.ts"
import { Recording } from "../../../core/recordings/Recording.ts"
import { PlayResult, resultOf } from "../../../core/suites/Play.ts"
import { RunSummary } from "../../../core/suites/Run.ts"
import type { RunDetail } from "../../../core/suites/Runs.ts"
import { SuiteRecord } from "../../../core/suites/Suite.ts"
import { Template } from "../../../core/templates/Template.ts"
import { Delivery, Webhook } from "../../../core/webhooks/Webhook.ts"
import { LedgerEntry } from "../../../core/workspaces/Ledger.ts"
import { ApiKey, Workspace } from "../../../core/workspaces/Workspace.ts"

type Json<Record> = Schema.Schema.Encoded<Record extends Schema.Schema.Any ? Record : never>

/** A call as the REST interface shows it: times as ISO 8601 texts, the number called masked. */
export type CallJson = typeof CallRecord.Encoded
const noFields = Object.freeze({})
const parsed = (json: RawJson | null): Readonly<Record<string, unknown>> | null =>
  json === null ? null : (JSON.parse(json) as Readonly<Record<string, unknown>>)
export const call = (found: Call): CallJson => ({
  ...fieldsOf(found),
  custom_variables: parsed(found.custom_variables) ?? noFields,
  call_config: parsed(found.call_config) ?? noFields,
  smart_formatter: parsed(found.smart_formatter) ?? noFields,
  metadata: parsed(found.metadata)
})

export type CampaignJson = typeof CampaignRecord.Encoded
export const campaign = (state: CampaignState): CampaignJson =>
  JSON.parse(campaignJson(state)) as CampaignJson

export type RecipientJson = typeof RecipientRecord.Encoded
export const recipient = (found: Recipient): RecipientJson =>
  JSON.parse(recipientJson(found)) as RecipientJson

export type AttemptJson = Json<typeof AttemptRecord>
const encodeAttempt = Schema.encodeSync(AttemptRecord)
export const attempt = (found: Attempt): AttemptJson => encodeAttempt(toRecord(found))

export type AgentJson = Json<typeof AgentRecord>
const encodeAgent = Schema.encodeSync(AgentRecord)
export const agent = (found: Agent): AgentJson =>
  encodeAgent({ ...found, placeholders: placeholders(found.prompt) })

export type ApiKeyJson = Omit<Json<typeof ApiKey>, "digest">
/** Without its digest. */
export const apiKey = Schema.encodeSync(ApiKey.omit("digest"))

/** A new key, with the text of it, which is not shown again. */
export const newKey = (made: { readonly apiKey: ApiKey; readonly key: string }) => ({
  ...apiKey(made.apiKey),
  key: made.key
})

export type WebhookJson = Json<typeof Webhook>
export const webhook = Schema.encodeSync(Webhook)

/** With the secret that signs its events, which is not shown again. */
export const webhookWithSecret = (found: Webhook) => ({ ...webhook(found), secret: found.secret })

export const importRecord = Schema.encodeSync(ImportRecord)
export const progress = Schema.encodeSync(CampaignProgress)
export const blocked = Schema.encodeSync(Blocked)
export const phoneNumber = Schema.encodeSync(PhoneNumber)
export type RecordingJson = Json<typeof Recording>
export const recording = Schema.encodeSync(Recording)
export const run = Schema.encodeSync(RunSummary)
export const suite = Schema.encodeSync(SuiteRecord)
export const template = Schema.encodeSync(Template)
export const delivery = Schema.encodeSync(Delivery)
export const ledgerEntry = Schema.encodeSync(LedgerEntry)
export const workspace = Schema.encodeSync(Workspace)

const encodeResult = Schema.encodeSync(PlayResult)

/** A run with what came of each play. */
export const runDetail = ({ plays, run: found }: RunDetail) => ({
  ...run(found),
  results: plays.map((play) => encodeResult(resultOf(play)))
})
