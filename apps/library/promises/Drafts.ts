import { Effect, Either, Schema } from "effect"
import { AgentChange, NewAgent } from "../../../adapters/http/contract/Agents.ts"
import { ApiKeyChange } from "../../../adapters/http/contract/ApiKeys.ts"
import { NewDoNotCallEntries } from "../../../adapters/http/contract/DoNotCall.ts"
import { PersonNumber } from "../../../adapters/http/contract/People.ts"
import { NewPhoneNumber, PhoneNumberChange } from "../../../adapters/http/contract/PhoneNumbers.ts"
import { NewTrial } from "../../../adapters/http/contract/Sessions.ts"
import { NewWebhook, Redelivery, WebhookChange } from "../../../adapters/http/contract/Webhooks.ts"
import { WorkspaceChange as SettingsChange } from "../../../adapters/http/contract/Workspace.ts"
import { type CallBatchBody, fromValue as batchFromValue } from "../../../core/model/calls/CallBatch.ts"
import type { Agent, AgentDraft } from "../../../core/model/agents/Agent.ts"
import * as PlaceCall from "../../../core/model/calls/PlaceCall.ts"
import {
  changeFromValue,
  type CreateCampaignBody,
  draftFromValue,
  type UpdateCampaignBody
} from "../../../core/model/campaigns/CampaignBody.ts"
import { ChangeRefused } from "../../../core/model/campaigns/CampaignErrors.ts"
import {
  type AddRecipientsBody,
  recipientChangeFromValue,
  type RecipientChangeBody,
  recipientsFromValue
} from "../../../core/model/campaigns/RecipientBody.ts"
import { firstOf, type InvalidInput } from "../../../core/model/InvalidInput.ts"
import { RawJson } from "../../../core/model/json/RawJson.ts"
import type { PhoneNumber } from "../../../core/model/numbers/PhoneNumber.ts"
import { type SimulateBody, simulationFromValue } from "../../../core/model/simulation/SimulationBody.ts"
import {
  type CreateSuite,
  CreateSuiteBody,
  type GenerateSuite,
  GenerateSuiteBody,
  UpdateSuiteBody
} from "../../../core/model/suites/SuiteBody.ts"
import { type NewTemplate, templateFromValue } from "../../../core/model/templates/TemplateBody.ts"
import type { EventType, Webhook } from "../../../core/model/webhooks/Webhook.ts"
import { Scope } from "../../../core/model/workspaces/Principal.ts"
import { ApiKey, settings, type WorkspaceChange } from "../../../core/model/workspaces/Workspace.ts"
import type { Redelivery as RedeliverySince } from "../../../core/usecases/Webhooks.ts"
import type { KeyChange } from "../../../core/usecases/Workspaces.ts"
import { reading } from "./Verbs.ts"

/** The body of `POST /calls`; durations in the units that it has there. */
export interface PlaceCallInput extends Schema.Schema.Encoded<typeof PlaceCall.PlaceCallBody> {}
export const placeCall = (input: PlaceCallInput) => PlaceCall.fromValue(input)

/** The body of `POST /call-batches`. */
export interface CallBatchInput extends Schema.Schema.Encoded<typeof CallBatchBody> {}
export const callBatch = (input: CallBatchInput) => batchFromValue(input)

/** The body of `POST /campaigns`. */
export interface CampaignInput extends Schema.Schema.Encoded<typeof CreateCampaignBody> {}
export const campaign = (input: CampaignInput) => Either.mapLeft(draftFromValue(input), firstOf)

/** The body of `PATCH /campaigns/{campaign_id}`. */
export interface CampaignChangeInput extends Schema.Schema.Encoded<typeof UpdateCampaignBody> {}
export const campaignChange = (input: CampaignChangeInput) =>
  Either.mapLeft(changeFromValue(input), (issues) => new ChangeRefused({ issues }))

/** The body of `POST /campaigns/{campaign_id}/simulations`. */
export interface SimulationInput extends Schema.Schema.Encoded<typeof SimulateBody> {}
export const simulation = (input: SimulationInput) => Either.mapLeft(simulationFromValue(input), firstOf)

export type RecipientInput = (typeof AddRecipientsBody.Encoded)["recipients"][number]
/** One to a thousand. */
export type RecipientChangeInput = typeof RecipientChangeBody.Encoded
export const recipientChange = (change: RecipientChangeInput) => recipientChangeFromValue(change)
export const recipients = (added: ReadonlyArray<RecipientInput>) => recipientsFromValue({ recipients: added })

/** The body of `POST /msg/templates`. */
export interface TemplateInput extends Schema.Schema.Encoded<typeof NewTemplate> {}
export const template = (input: TemplateInput) => Either.mapLeft(templateFromValue(input), firstOf)

/** What the REST interface fills in may be left out. */
export type AgentInput = Pick<AgentDraft, "name" | "prompt"> & Partial<AgentDraft>
export const agent: (input: AgentInput) => Effect.Effect<AgentDraft, InvalidInput> = reading(NewAgent)

/** `published: true` publishes the agent. */
export type AgentChangeInput = Partial<AgentDraft & Pick<Agent, "published">>
const agentFields = reading(AgentChange)
const publishing = reading(Schema.Struct({ published: Schema.optional(Schema.Boolean) }))
export const agentChange = ({ published, ...rest }: AgentChangeInput) =>
  Effect.zipWith(agentFields(rest), publishing({ published }), (fields, state) =>
    given<AgentChangeInput>({ ...fields, ...state })
  )

/** Only what is given: a property that is absent must not come out as undefined. */
const given = <A>(change: { readonly [Key in keyof A]: A[Key] | undefined }): A =>
  Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) as A

export interface PhoneNumberInput {
  /** E.164 */
  readonly number: string
  readonly label?: string | null
}
export const phoneNumber: (
  input: PhoneNumberInput
) => Effect.Effect<Pick<PhoneNumber, "number" | "label">, InvalidInput> = reading(NewPhoneNumber)

export const phoneNumberChange: (
  input: Pick<PhoneNumber, "label">
) => Effect.Effect<Pick<PhoneNumber, "label">, InvalidInput> = reading(PhoneNumberChange)

const person = reading(PersonNumber)
/** E.164 */
export const personNumber = (phone_number: string) =>
  Effect.map(person({ phone_number }), (read) => read.phone_number)

const blocked = reading(NewDoNotCallEntries)
/** One to a thousand numbers in E.164. */
export const blockedNumbers = (phone_numbers: ReadonlyArray<string>) =>
  Effect.map(blocked({ phone_numbers }), (read) => read.phone_numbers)

export interface WebhookInput {
  readonly url: string
  /** The kinds that it receives; by default, and when there is none, those of the contract. */
  readonly event_types?: ReadonlyArray<EventType>
}
export const webhook: (
  input: WebhookInput
) => Effect.Effect<{ readonly url: string; readonly event_types: ReadonlyArray<EventType> }, InvalidInput> =
  reading(NewWebhook)

export type WebhookChangeInput = Partial<Pick<Webhook, "url" | "event_types" | "status">>
const webhookFields = reading(WebhookChange)
export const webhookChange = (input: WebhookChangeInput) =>
  Effect.map(webhookFields(input), (fields) =>
    given<WebhookChangeInput>(fields as Required<WebhookChangeInput>)
  )

/** The body of `POST /webhooks/{webhook_id}/redeliver`. */
export interface RedeliveryInput {
  /** What was made at this moment or later: ISO 8601. */
  readonly since: string
  /** Only deliveries of this status. */
  readonly status?: "delivered" | "dead" | undefined
}
export const redelivery: (input: RedeliveryInput) => Effect.Effect<RedeliverySince, InvalidInput> =
  reading(Redelivery)

/** The body of `POST /agent-test-suites/generate`. */
export interface GenerateSuiteInput extends Schema.Schema.Encoded<typeof GenerateSuiteBody> {}
export const generateSuite: (input: GenerateSuiteInput) => Effect.Effect<GenerateSuite, InvalidInput> =
  reading(GenerateSuiteBody)

/** The body of `POST /agent-test-suites`. */
export interface SuiteInput extends Schema.Schema.Encoded<typeof CreateSuiteBody> {}
export const suite: (input: SuiteInput) => Effect.Effect<CreateSuite, InvalidInput> = reading(CreateSuiteBody)

export interface SuiteChangeInput extends Schema.Schema.Encoded<typeof UpdateSuiteBody> {}
export const suiteChange: (
  input: SuiteChangeInput
) => Effect.Effect<typeof UpdateSuiteBody.Type, InvalidInput> = reading(UpdateSuiteBody)

const { name, ...others } = settings
const {
  allow_costly_destinations,
  allowed_countries,
  call_retention_days,
  calls_per_second,
  indexed_metadata_keys,
  max_concurrency,
  recording_retention_days,
  transcript_retention_days
} = others
const NewWorkspace = Schema.Struct({
  name,
  max_concurrency: Schema.optionalWith(max_concurrency, { exact: true }),
  calls_per_second: Schema.optionalWith(calls_per_second, { exact: true }),
  allowed_countries: Schema.optionalWith(allowed_countries, { exact: true }),
  allow_costly_destinations: Schema.optionalWith(allow_costly_destinations, { exact: true }),
  indexed_metadata_keys: Schema.optionalWith(indexed_metadata_keys, { exact: true }),
  recording_retention_days: Schema.optionalWith(recording_retention_days, { exact: true }),
  transcript_retention_days: Schema.optionalWith(transcript_retention_days, { exact: true }),
  call_retention_days: Schema.optionalWith(call_retention_days, { exact: true })
})
export interface WorkspaceInput extends Schema.Schema.Encoded<typeof NewWorkspace> {}
export const workspace: (input: WorkspaceInput) => Effect.Effect<typeof NewWorkspace.Type, InvalidInput> =
  reading(NewWorkspace)

/** The body of `PATCH /workspace`. */
export interface WorkspaceChangeInput extends Partial<WorkspaceInput> {}
const settingsFields = reading(SettingsChange)
export const workspaceChange = (input: WorkspaceChangeInput) =>
  Effect.map(settingsFields(input), (fields) => given<WorkspaceChange>(fields as Required<WorkspaceChange>))

const NewKey = Schema.Struct({
  name: ApiKey.fields.name,
  scopes: Schema.Array(Scope),
  /** Null, the default: it does not expire. */
  expires_at: Schema.optionalWith(ApiKey.fields.expires_at, { exact: true }),
  /** A key of your own; it is not checked for strength. */
  key: Schema.optionalWith(Schema.NonEmptyString, { exact: true })
})
export interface KeyInput extends Schema.Schema.Encoded<typeof NewKey> {}
export const key: (input: KeyInput) => Effect.Effect<typeof NewKey.Type, InvalidInput> = reading(NewKey)

/** The body of `PATCH /api-keys/{key_id}`. */
export interface KeyChangeInput extends Partial<Pick<KeyInput, "name" | "expires_at">> {}
const keyFields = reading(ApiKeyChange)
export const keyChange = (input: KeyChangeInput) =>
  Effect.map(keyFields(input), (fields) => given<KeyChange>(fields as Required<KeyChange>))

/** Whole credits, negative to take some. */
export const credits = reading(
  Schema.Int.annotations({ message: () => ({ message: "amount must be a whole number", override: true }) })
)

/** The body of `POST /agents/{agent_id}/conversations`. */
export interface TrialInput {
  /** Null: the agent's draft. */
  readonly version?: number | null
  readonly custom_variables?: Readonly<Record<string, unknown>>
}
export const trial = (input: TrialInput) =>
  Effect.map(reading(NewTrial)(input), ({ custom_variables, version }) => ({
    version,
    variables: RawJson(JSON.stringify(custom_variables))
  }))
