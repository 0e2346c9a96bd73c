import { Schema } from "effect"
import { type Agent, AgentRecord, AgentVersion } from "../../../core/model/agents/Agent.ts"
import { placeholders } from "../../../core/model/agents/Prompt.ts"
import {
  type Attempt,
  AttemptRecord,
  CallAttemptRecord,
  toCallRecord,
  toRecord
} from "../../../core/model/calls/Attempt.ts"
import { type Call, type CallRecord, fieldsOf } from "../../../core/model/calls/Call.ts"
import { type CallBatchRecord, type CallBatchState, recordOf } from "../../../core/model/calls/CallBatch.ts"
import { Transition } from "../../../core/model/calls/Transition.ts"
import {
  type CampaignRecord,
  type CampaignState,
  fieldsOf as campaignFields
} from "../../../core/model/campaigns/Campaign.ts"
import { ImportRecord } from "../../../core/model/campaigns/CampaignImport.ts"
import { CampaignProgress } from "../../../core/model/campaigns/CampaignProgress.ts"
import { timezoneOf } from "../../../core/model/campaigns/Place.ts"
import {
  msgContextOf,
  noReview,
  type Recipient,
  type RecipientRecord,
  windowOf
} from "../../../core/model/campaigns/Recipient.ts"
import type { Change } from "../../../core/model/changes/Change.ts"
import { isoOrNull, isoTimestamp } from "../../../core/model/Codecs.ts"
import { SessionRecord, SessionUpdate, TrialRecord } from "../../../core/model/conversations/Session.ts"
import { TranscriptTurn } from "../../../core/model/conversations/Transcript.ts"
import { Forecast } from "../../../core/model/forecasts/Forecast.ts"
import type { RawJson } from "../../../core/model/json/RawJson.ts"
import { maskNumber } from "../../../core/model/numbers/Masking.ts"
import { PhoneNumber } from "../../../core/model/numbers/PhoneNumber.ts"
import { Recording } from "../../../core/model/recordings/Recording.ts"
import { chartOf } from "../../../core/model/simulation/Chart.ts"
import { Callees } from "../../../core/model/simulation/Learned.ts"
import { Simulation } from "../../../core/model/simulation/Simulation.ts"
import { PlayResult, resultOf } from "../../../core/model/suites/Play.ts"
import { RunSummary } from "../../../core/model/suites/Run.ts"
import { SuiteRecord } from "../../../core/model/suites/Suite.ts"
import { Template } from "../../../core/model/templates/Template.ts"
import { type SigningSecret, ToolSecret } from "../../../core/model/webhooks/SigningSecret.ts"
import { Delivery, Webhook } from "../../../core/model/webhooks/Webhook.ts"
import { AuditEntry } from "../../../core/model/workspaces/Audit.ts"
import { LedgerEntry } from "../../../core/model/workspaces/Ledger.ts"
import { Usage } from "../../../core/model/workspaces/Usage.ts"
import { type ApiKey, ApiKeyRecord, Workspace } from "../../../core/model/workspaces/Workspace.ts"
import type { DeliveryBodies } from "../../../core/ports/DeliveryRows.ts"
import { Blocked } from "../../../core/usecases/DoNotCallList.ts"
import type { Person } from "../../../core/usecases/People.ts"
import type { RunDetail } from "../../../core/usecases/Runs.ts"
import type { TrialSession } from "../../../core/usecases/Sessions.ts"
import type { DeliveryDetail } from "../../../core/usecases/Webhooks.ts"

type Json<Record extends Schema.Schema.Any> = Schema.Schema.Encoded<Record>

/** A call as the REST interface shows it: times as ISO 8601 texts, the number called masked. */
export interface CallJson extends Json<typeof CallRecord> {}
const noFields = Object.freeze({})
const parsed = <A = Readonly<Record<string, unknown>>>(json: RawJson | null): A | null =>
  json === null ? null : (JSON.parse(json) as A)
export const call = (found: Call): CallJson => ({
  ...fieldsOf(found),
  custom_variables: parsed(found.custom_variables) ?? noFields,
  call_config: parsed(found.call_config) ?? noFields,
  smart_formatter: parsed(found.smart_formatter) ?? noFields,
  metadata: parsed(found.metadata)
})

export interface CampaignJson extends Json<typeof CampaignRecord> {}
export const campaign = (state: CampaignState): CampaignJson => ({
  ...campaignFields(state),
  template: parsed<NonNullable<CampaignJson["template"]>>(state.campaign.template),
  call_config: parsed(state.campaign.call_config) ?? noFields,
  metadata: parsed(state.campaign.metadata)
})

export interface RecipientJson extends Json<typeof RecipientRecord> {}
export const recipient = (found: Recipient): RecipientJson => ({
  id: found.id,
  campaign_id: found.campaign_id,
  phone_number_masked: maskNumber(found.phone_number),
  status: found.status,
  timezone: timezoneOf(found.timezone),
  variables: parsed(found.variables) ?? noFields,
  msg_context: msgContextOf(found),
  outcome: parsed(found.outcome) ?? noFields,
  ...parsed<Pick<RecipientJson, "answers" | "qualification_status" | "sentiment">>(found.review ?? noReview)!,
  next_action_at: isoOrNull(found.next_action_at),
  last_customer_message_at: isoOrNull(found.last_customer_message_at),
  service_window_expires_at: isoOrNull(windowOf(found)),
  created_at: isoTimestamp(found.created_at),
  updated_at: isoTimestamp(found.updated_at)
})

export interface CallBatchJson extends Json<typeof CallBatchRecord> {}
export const callBatch: (state: CallBatchState) => CallBatchJson = recordOf

export interface AttemptJson extends Json<typeof AttemptRecord> {}
const encodeAttempt = Schema.encodeSync(AttemptRecord)
export const attempt = (found: Attempt): AttemptJson => encodeAttempt(toRecord(found))

/** An attempt as its call shows it. */
export interface CallAttemptJson extends Json<typeof CallAttemptRecord> {}
const encodeCallAttempt: (found: CallAttemptRecord) => CallAttemptJson = Schema.encodeSync(CallAttemptRecord)
export const callAttempt = (found: Attempt): CallAttemptJson => encodeCallAttempt(toCallRecord(found))

/** What a call became, when, and why. */
export interface TransitionJson extends Json<typeof Transition> {}
export const transitions: (found: ReadonlyArray<Transition>) => ReadonlyArray<TransitionJson> =
  Schema.encodeSync(Schema.Array(Transition))

export interface AgentJson extends Json<typeof AgentRecord> {}
const encodeAgent = Schema.encodeSync(AgentRecord)
export const agent = (found: Agent): AgentJson =>
  encodeAgent({ ...found, placeholders: placeholders(found.prompt) })

export interface AgentVersionJson extends Json<typeof AgentVersion> {}
export const agentVersion: (found: typeof AgentVersion.Type) => AgentVersionJson =
  Schema.encodeSync(AgentVersion)

export interface SessionJson extends Json<typeof SessionRecord> {}
export const session: (found: SessionRecord) => SessionJson = Schema.encodeSync(SessionRecord)

export interface TrialJson extends Json<typeof TrialRecord> {}
const encodeTrial = Schema.encodeSync(TrialRecord)
export const trial = ({
  expires_at,
  session: { agent_id, agent_version, session_id },
  url
}: TrialSession): TrialJson =>
  encodeTrial({ session_id, agent_id, agent_version, url, url_expires_at: expires_at })

export interface TurnJson extends Json<typeof TranscriptTurn> {}
const encodeTurns = Schema.encodeSync(Schema.Array(TranscriptTurn))
export const transcript = (turns: ReadonlyArray<TranscriptTurn>): ReadonlyArray<TurnJson> =>
  encodeTurns(turns)

export type SessionUpdateJson = Json<typeof SessionUpdate>
export const sessionUpdate: (update: SessionUpdate) => SessionUpdateJson = Schema.encodeSync(SessionUpdate)

/** An API key, without what is secret of it. */
export interface ApiKeyJson extends Json<typeof ApiKeyRecord> {}
export const apiKey: (found: Omit<ApiKey, "digest">) => ApiKeyJson = Schema.encodeSync(ApiKeyRecord)

/** A new key, with the text of it, which is not shown again. */
export interface NewKeyJson extends ApiKeyJson {
  readonly key: string
}
export const newKey = (made: { readonly apiKey: ApiKey; readonly key: string }): NewKeyJson => ({
  ...apiKey(made.apiKey),
  key: made.key
})

export interface WebhookJson extends Json<typeof Webhook> {}
export const webhook: (found: Webhook) => WebhookJson = Schema.encodeSync(Webhook)

/** With the secret that signs its events, which is not shown again. */
export interface NewWebhookJson extends WebhookJson {
  readonly secret: string
}
export const webhookWithSecret = (found: Webhook): NewWebhookJson => ({
  ...webhook(found),
  secret: found.secret
})

export interface ImportJson extends Json<typeof ImportRecord> {}
export const importRecord: (found: typeof ImportRecord.Type) => ImportJson = Schema.encodeSync(ImportRecord)

export interface ProgressJson extends Json<typeof CampaignProgress> {}
export const progress: (found: CampaignProgress) => ProgressJson = Schema.encodeSync(CampaignProgress)

/** A number that must not be called. */
export interface BlockedJson extends Json<typeof Blocked> {}
export const blocked: (found: Blocked) => BlockedJson = Schema.encodeSync(Blocked)

export interface CalleesJson extends Json<typeof Callees> {}
export const callees: (found: Callees) => CalleesJson = Schema.encodeSync(Callees)

export interface ForecastJson extends Json<typeof Forecast> {}
export const forecast: (found: Forecast) => ForecastJson = Schema.encodeSync(Forecast)

/** What a simulation came to, with its chart as one SVG document. */
export interface SimulationJson extends Json<typeof Simulation> {
  readonly chart: string
}
const encodeSimulation: (found: Simulation) => Json<typeof Simulation> = Schema.encodeSync(Simulation)
export const simulation = (found: Simulation): SimulationJson => ({
  ...encodeSimulation(found),
  chart: chartOf(found)
})

export interface PhoneNumberJson extends Json<typeof PhoneNumber> {}
export const phoneNumber: (found: PhoneNumber) => PhoneNumberJson = Schema.encodeSync(PhoneNumber)

export interface RecordingJson extends Json<typeof Recording> {}
export const recording: (found: typeof Recording.Type) => RecordingJson = Schema.encodeSync(Recording)

export interface SuiteJson extends Json<typeof SuiteRecord> {}
export const suite: (found: typeof SuiteRecord.Type) => SuiteJson = Schema.encodeSync(SuiteRecord)

export interface TemplateJson extends Json<typeof Template> {}
export const template: (found: Template) => TemplateJson = Schema.encodeSync(Template)

export interface DeliveryJson extends Json<typeof Delivery> {}
export const delivery: (found: Delivery) => DeliveryJson = Schema.encodeSync(Delivery)

/** A delivery with what is sent, and what its last try was answered. */
export interface DeliveryDetailJson extends DeliveryJson, DeliveryBodies {}
export const deliveryDetail = ({ delivery: found, ...bodies }: DeliveryDetail): DeliveryDetailJson => ({
  ...delivery(found),
  ...bodies
})

export interface LedgerEntryJson extends Json<typeof LedgerEntry> {}
export const ledgerEntry: (found: LedgerEntry) => LedgerEntryJson = Schema.encodeSync(LedgerEntry)

export interface ToolSecretJson extends Json<typeof ToolSecret> {}
const encodeToolSecret = Schema.encodeSync(ToolSecret)
export const toolSecret = (found: SigningSecret): ToolSecretJson => encodeToolSecret(found)

/** Everything that is kept of a person. */
export interface PersonJson {
  readonly calls: ReadonlyArray<{
    readonly call: CallJson
    readonly transcripts: ReadonlyArray<{
      readonly session_id: string
      readonly turns: ReadonlyArray<TurnJson>
    }>
    readonly recordings: ReadonlyArray<RecordingJson>
  }>
  readonly recipients: ReadonlyArray<RecipientJson>
  readonly on_do_not_call_list: boolean
}
export const person = (found: Person): PersonJson => ({
  calls: found.calls.map(({ recordings, transcripts, ...of }) => ({
    call: call(of.call),
    transcripts: transcripts.map(({ session_id, turns }) => ({ session_id, turns: transcript(turns) })),
    recordings: recordings.map(recording)
  })),
  recipients: found.recipients.map(recipient),
  on_do_not_call_list: found.on_do_not_call_list
})

export interface AuditEntryJson extends Json<typeof AuditEntry> {}
export const auditEntry: (found: AuditEntry) => AuditEntryJson = Schema.encodeSync(AuditEntry)

export interface UsageJson extends Json<typeof Usage> {}
export const usage: (found: Usage) => UsageJson = Schema.encodeSync(Usage)

export interface WorkspaceJson extends Json<typeof Workspace> {}
export const workspace: (found: Workspace) => WorkspaceJson = Schema.encodeSync(Workspace)

export interface RunJson extends Json<typeof RunSummary> {}
export const run: (found: typeof RunSummary.Type) => RunJson = Schema.encodeSync(RunSummary)

export interface PlayJson extends Json<typeof PlayResult> {}
const encodeResult: (found: PlayResult) => PlayJson = Schema.encodeSync(PlayResult)

/** A run with what came of each play. */
export interface RunDetailJson extends RunJson {
  readonly results: ReadonlyArray<PlayJson>
}
export const runDetail = ({ plays, run: found }: RunDetail): RunDetailJson => ({
  ...run(found),
  results: plays.map((play) => encodeResult(resultOf(play, found.subject.model)))
})

/** What has changed in a workspace, with the record as it now stands. */
export type ChangeJson =
  | { readonly type: "ready" }
  | { readonly type: "call"; readonly record: CallJson }
  | { readonly type: "campaign"; readonly record: CampaignJson }
  | { readonly type: "run"; readonly record: RunJson }
  | { readonly type: "delivery"; readonly record: DeliveryJson }
export const change = (found: Change): ChangeJson => {
  switch (found.type) {
    case "ready":
      return found
    case "call":
      return { type: "call", record: call(found.record) }
    case "campaign":
      return { type: "campaign", record: campaign(found.record) }
    case "run":
      return { type: "run", record: run(found.record) }
    case "delivery":
      return { type: "delivery", record: delivery(found.record) }
  }
}
