import { Effect, Stream } from "effect"
import { AvailableQuery, wantedOf } from "../../../adapters/http/contract/AvailableNumbers.ts"
import { PageQuery } from "../../../adapters/http/contract/Paging.ts"
import {
  AgentQuery,
  AttemptQuery,
  AuditQuery,
  CalleesQuery,
  CallQuery,
  CampaignQuery,
  DeliveryQuery,
  DoNotCallQuery,
  LedgerQuery,
  ProgressQuery,
  RecipientQuery,
  RunQuery,
  SuiteQuery,
  TemplateQuery,
  UsageQuery
} from "../../../adapters/http/contract/Queries.ts"
import type { CarrierReportsShape } from "../../../core/engine/CarrierReports.ts"
import type { RowError } from "../../../core/model/campaigns/CampaignImport.ts"
import type { Audio } from "../../../core/ports/RecordingStore.ts"
import type { AgentsShape } from "../../../core/usecases/Agents.ts"
import type { AuditLogShape } from "../../../core/usecases/AuditLog.ts"
import type { AvailableNumbersShape } from "../../../core/usecases/AvailableNumbers.ts"
import type { CallBatchesShape } from "../../../core/usecases/CallBatches.ts"
import type { CallsShape } from "../../../core/usecases/Calls.ts"
import type { CampaignsShape } from "../../../core/usecases/Campaigns.ts"
import type { CarriersShape } from "../../../core/usecases/Carriers.ts"
import type { ChangesShape } from "../../../core/usecases/Changes.ts"
import type { CreditsShape } from "../../../core/usecases/Credits.ts"
import type { DoNotCallListShape } from "../../../core/usecases/DoNotCallList.ts"
import type { ImportsShape } from "../../../core/usecases/Imports.ts"
import type { PeopleShape } from "../../../core/usecases/People.ts"
import type { PhoneNumbersShape } from "../../../core/usecases/PhoneNumbers.ts"
import type { RecipientsShape } from "../../../core/usecases/Recipients.ts"
import type { RecordingsShape } from "../../../core/usecases/Recordings.ts"
import type { RunsShape } from "../../../core/usecases/Runs.ts"
import type { SessionsShape } from "../../../core/usecases/Sessions.ts"
import type { SimulationsShape } from "../../../core/usecases/Simulations.ts"
import type { SuitesShape } from "../../../core/usecases/Suites.ts"
import type { TemplatesShape } from "../../../core/usecases/Templates.ts"
import type { UsageReportsShape } from "../../../core/usecases/UsageReports.ts"
import type { WebhooksShape } from "../../../core/usecases/Webhooks.ts"
import type { WorkspacesShape } from "../../../core/usecases/Workspaces.ts"
import type { AudioFile } from "../ports/Audio.ts"
import * as Drafts from "./Drafts.ts"
import * as Records from "./Records.ts"
import { type Asked, type FilterOf, listing, made, type Paging, querying, shown } from "./Verbs.ts"

// Each group has the verbs of a use case as they are outside: drafts and queries go in, records come out. A verb
// that takes and answers plain values already goes through as it is.

const listed = {
  workspaces: listing(PageQuery, Records.workspace),
  keys: listing(PageQuery, Records.apiKey),
  calls: listing(CallQuery, Records.call),
  campaigns: listing(CampaignQuery, Records.campaign),
  attempts: listing(AttemptQuery, Records.attempt),
  recipients: listing(RecipientQuery, Records.recipient),
  imports: listing(PageQuery, Records.importRecord),
  agents: listing(AgentQuery, Records.agent),
  agentVersions: listing(PageQuery, Records.agentVersion),
  numbers: listing(PageQuery, Records.phoneNumber),
  blocked: listing(DoNotCallQuery, Records.blocked),
  recordings: listing(PageQuery, Records.recording),
  templates: listing(TemplateQuery, Records.template),
  suites: listing(SuiteQuery, Records.suite),
  runs: listing(RunQuery, Records.run),
  webhooks: listing(PageQuery, Records.webhook),
  deliveries: listing(DeliveryQuery, Records.delivery),
  ledger: listing(LedgerQuery, Records.ledgerEntry),
  audit: listing(AuditQuery, Records.auditEntry)
}

export const workspaces = (use: WorkspacesShape) => ({
  ...use,
  create: (draft: Drafts.WorkspaceInput) => made(Drafts.workspace(draft), use.create, Records.workspace),
  get: shown(use.get, Records.workspace),
  list: (page?: Paging) => listed.workspaces(page, (_, slice) => use.list(slice)),
  update: (workspace_id: string, draft: Drafts.WorkspaceChangeInput) =>
    made(Drafts.workspaceChange(draft), (change) => use.update(workspace_id, change), Records.workspace),
  updateKey: (workspace_id: string, key_id: string, draft: Drafts.KeyChangeInput) =>
    made(Drafts.keyChange(draft), (change) => use.updateKey(workspace_id, key_id, change), Records.apiKey),
  revokeKey: shown(use.revokeKey, Records.apiKey),
  toolSecret: shown(use.toolSecret, Records.toolSecret),
  rotateToolSecret: shown(use.rotateToolSecret, Records.toolSecret),
  createKey: (workspace_id: string, draft: Drafts.KeyInput) =>
    made(Drafts.key(draft), (key) => use.createKey(workspace_id, key), Records.newKey),
  keys: (workspace_id: string, page?: Paging) =>
    listed.keys(page, (_, slice) => use.keys(workspace_id, slice))
})

export const calls = (use: CallsShape) => ({
  ...use,
  place: (workspace_id: string, draft: Drafts.PlaceCallInput) =>
    made(Drafts.placeCall(draft), (call) => use.place(workspace_id, call), Records.call),
  get: shown(use.get, Records.call),
  attempts: shown(use.attempts, (attempts) => attempts.map(Records.callAttempt)),
  transitions: shown(use.transitions, Records.transitions),
  list: (workspace_id: string, query?: Asked<typeof CallQuery>) =>
    listed.calls(query, (filter, slice) => use.list(workspace_id, filter, slice)),
  cancel: shown(use.cancel, Records.call)
})

export const callBatches = (use: CallBatchesShape) => ({
  ...use,
  create: (workspace_id: string, draft: Drafts.CallBatchInput, idempotency_key: string | null = null) =>
    made(
      Drafts.callBatch(draft),
      (batch) => use.create(workspace_id, batch, idempotency_key),
      Records.callBatch
    ),
  get: shown(use.get, Records.callBatch),
  cancel: shown(use.cancel, Records.callBatch)
})

/** What a carrier of the embedding program tells of calls. */
export const reports = ({ record }: Pick<CarrierReportsShape, "record">) => ({ record })

const progressQuery = querying(ProgressQuery)

export const campaigns = (use: CampaignsShape) => ({
  ...use,
  create: (workspace_id: string, draft: Drafts.CampaignInput) =>
    made(Drafts.campaign(draft), (campaign) => use.create(workspace_id, campaign), Records.campaign),
  get: shown(use.get, Records.campaign),
  list: (workspace_id: string, query?: Asked<typeof CampaignQuery>) =>
    listed.campaigns(query, (filter, slice) => use.list(workspace_id, filter, slice)),
  update: (workspace_id: string, id: string, draft: Drafts.CampaignChangeInput) =>
    made(Drafts.campaignChange(draft), (change) => use.update(workspace_id, id, change), Records.campaign),
  start: shown(use.start, Records.campaign),
  attempts: (workspace_id: string, id: string, query?: Asked<typeof AttemptQuery>) =>
    listed.attempts(query, (filter, slice) => use.attempts(workspace_id, id, filter, slice)),
  progress: (workspace_id: string, id: string, query?: FilterOf<typeof ProgressQuery.Type>) =>
    made(progressQuery(query), (request) => use.progress(workspace_id, id, request), Records.progress)
})

const calleesQuery = querying(CalleesQuery)

export const simulations = (use: SimulationsShape) => ({
  ...use,
  forecast: shown(use.forecast, Records.forecast),
  callees: (workspace_id: string, query?: FilterOf<typeof CalleesQuery.Type>) =>
    made(
      calleesQuery(query),
      ({ campaign_id = null, since = null }) => use.callees(workspace_id, { campaign_id, since }),
      Records.callees
    ),
  simulate: (workspace_id: string, campaign_id: string, request: Drafts.SimulationInput = {}) =>
    made(
      Drafts.simulation(request),
      (wanted) => use.simulate(workspace_id, campaign_id, wanted),
      Records.simulation
    )
})

export const recipients = (use: RecipientsShape) => ({
  ...use,
  add: (workspace_id: string, campaign_id: string, drafts: ReadonlyArray<Drafts.RecipientInput>) =>
    made(
      Drafts.recipients(drafts),
      (people) => use.add(workspace_id, campaign_id, people),
      (added) => added.map(Records.recipient)
    ),
  get: shown(use.get, Records.recipient),
  change: (
    workspace_id: string,
    campaign_id: string,
    recipient_id: string,
    draft: Drafts.RecipientChangeInput
  ) =>
    made(
      Drafts.recipientChange(draft),
      (change) => use.change(workspace_id, campaign_id, recipient_id, change),
      Records.recipient
    ),
  retry: shown(use.retry, Records.recipient),
  list: (workspace_id: string, campaign_id: string, query?: Asked<typeof RecipientQuery>) =>
    listed.recipients(query, (filter, slice) => use.list(workspace_id, campaign_id, filter, slice)),
  all: (workspace_id: string, campaign_id: string) =>
    Stream.unwrap(use.all(workspace_id, campaign_id)).pipe(
      Stream.mapConcat((slice) => slice.map(Records.recipient))
    )
})

/** A file to import: CSV in UTF-8, or XLSX. */
export interface UploadInput {
  readonly filename: string
  readonly file: Uint8Array | string
}

const bytesOf = (file: Uint8Array | string) =>
  typeof file === "string" ? new TextEncoder().encode(file) : file

/** What became of a file: its record, and the recipients that were added. */
export interface UploadJson {
  readonly import: Records.ImportJson
  readonly recipients: ReadonlyArray<Records.RecipientJson>
}

export const imports = (use: ImportsShape) => ({
  ...use,
  upload: (workspace_id: string, campaign_id: string, { file, filename }: UploadInput) =>
    use.upload(workspace_id, campaign_id, { filename, file: bytesOf(file) }).pipe(
      Stream.unwrapScoped,
      Stream.runFold(
        {
          import: null as Records.ImportJson | null,
          recipients: [] as Array<Records.RecipientJson>
        },
        (answer, part) => {
          if (part._tag === "Import") return { ...answer, import: Records.importRecord(part.campaignImport) }
          for (const each of part.recipients) answer.recipients.push(Records.recipient(each))
          return answer
        }
      ),
      Effect.map((answer): UploadJson => ({ import: answer.import!, recipients: answer.recipients }))
    ),
  get: shown(use.get, Records.importRecord),
  list: (workspace_id: string, campaign_id: string, page?: Paging) =>
    listed.imports(page, (_, slice) => use.list(workspace_id, campaign_id, slice)),
  errors: (workspace_id: string, campaign_id: string, import_id: string) =>
    Stream.unwrap(use.errors(workspace_id, campaign_id, import_id)).pipe(
      Stream.mapConcat((slice): ReadonlyArray<RowError> => slice)
    )
})

export const agents = (use: AgentsShape) => ({
  ...use,
  create: (workspace_id: string, draft: Drafts.AgentInput) =>
    made(Drafts.agent(draft), (agent) => use.create(workspace_id, agent), Records.agent),
  get: shown(use.get, Records.agent),
  list: (workspace_id: string, query?: Asked<typeof AgentQuery>) =>
    listed.agents(query, (filter, slice) => use.list(workspace_id, filter, slice)),
  update: (workspace_id: string, agent_id: string, draft: Drafts.AgentChangeInput) =>
    made(Drafts.agentChange(draft), (change) => use.update(workspace_id, agent_id, change), Records.agent),
  version: shown(use.version, Records.agentVersion),
  versions: (workspace_id: string, agent_id: string, page?: Paging) =>
    listed.agentVersions(page, (_, slice) => use.versions(workspace_id, agent_id, slice)),
  publishVersion: shown(use.publishVersion, Records.agent)
})

export const sessions = (use: SessionsShape) => ({
  ...use,
  tryOut: (workspace_id: string, agent_id: string, trial: Drafts.TrialInput = {}) =>
    made(Drafts.trial(trial), (read) => use.tryOut(workspace_id, agent_id, read), Records.trial),
  get: shown(use.get, Records.session),
  transcript: shown(use.transcript, Records.transcript),
  erase: shown(use.erase, Records.session),
  events: shown(use.events, (updates) => Stream.toAsyncIterable(Stream.map(updates, Records.sessionUpdate)))
})

export const changes = (use: ChangesShape) => ({
  ...use,
  follow: (workspace_id: string) => Stream.map(use.follow(workspace_id), Records.change)
})

export const numbers = (use: PhoneNumbersShape) => ({
  ...use,
  add: (workspace_id: string, draft: Drafts.PhoneNumberInput) =>
    made(Drafts.phoneNumber(draft), (number) => use.add(workspace_id, number), Records.phoneNumber),
  get: shown(use.get, Records.phoneNumber),
  update: (workspace_id: string, id: string, change: Pick<Records.PhoneNumberJson, "label">) =>
    made(Drafts.phoneNumberChange(change), (read) => use.update(workspace_id, id, read), Records.phoneNumber),
  list: (workspace_id: string, page?: Paging) =>
    listed.numbers(page, (_, slice) => use.list(workspace_id, slice))
})

/** What of the numbers for sale is wanted. */
export interface BrowseInput {
  /** ISO 3166 alpha-2 */
  readonly country?: string
  /** Digits, with or without a leading +, that the number contains. */
  readonly search?: string
  /** At most 100, which is what more counts as; default 50. */
  readonly limit?: number
}

const availableQuery = querying(AvailableQuery)

export const availableNumbers = ({ browse }: AvailableNumbersShape) => ({
  browse: (wanted?: BrowseInput) =>
    Effect.flatMap(availableQuery(wanted), (query) => browse(wantedOf(query), query.limit))
})

export const doNotCall = (use: DoNotCallListShape) => ({
  ...use,
  add: (workspace_id: string, numbers: ReadonlyArray<string>) =>
    Effect.flatMap(Drafts.blockedNumbers(numbers), (read) => use.add(workspace_id, read)),
  list: (workspace_id: string, query?: Asked<typeof DoNotCallQuery>) =>
    listed.blocked(query, (filter, slice) => use.list(workspace_id, { ...filter, ...slice })),
  upload: (workspace_id: string, file: Uint8Array | string) => use.upload(workspace_id, bytesOf(file))
})

const audioFile = ({ bytes, size_bytes }: Audio): AudioFile => ({
  size_bytes,
  bytes: (from, until) => Stream.toAsyncIterable(bytes(from, until))
})

export const recordings = (use: RecordingsShape) => ({
  ...use,
  ofSession: (workspace_id: string, session_id: string, page?: Paging) =>
    listed.recordings(page, (_, slice) => use.ofSession(workspace_id, session_id, slice)),
  open: shown(use.open, audioFile),
  remove: shown(use.remove, Records.recording)
})

export const templates = (use: TemplatesShape) => ({
  ...use,
  create: (workspace_id: string, draft: Drafts.TemplateInput) =>
    made(Drafts.template(draft), (template) => use.create(workspace_id, template), Records.template),
  get: shown(use.get, Records.template),
  list: (workspace_id: string, query?: Asked<typeof TemplateQuery>) =>
    listed.templates(query, (filter, slice) => use.list(workspace_id, filter, slice))
})

export const suites = (use: SuitesShape) => ({
  ...use,
  generate: (workspace_id: string, request: Drafts.GenerateSuiteInput, created_by_user_id = "") =>
    made(
      Drafts.generateSuite(request),
      (wanted) => use.generate(workspace_id, wanted, created_by_user_id),
      Records.suite
    ),
  create: (workspace_id: string, draft: Drafts.SuiteInput, created_by_user_id = "") =>
    made(Drafts.suite(draft), (suite) => use.create(workspace_id, suite, created_by_user_id), Records.suite),
  get: shown(use.get, Records.suite),
  list: (workspace_id: string, query?: Asked<typeof SuiteQuery>) =>
    listed.suites(query, (filter, slice) => use.list(workspace_id, filter, slice)),
  update: (workspace_id: string, suite_id: string, draft: Drafts.SuiteChangeInput) =>
    made(Drafts.suiteChange(draft), (change) => use.update(workspace_id, suite_id, change), Records.suite)
})

export const runs = (use: RunsShape) => ({
  ...use,
  start: shown(use.start, Records.run),
  get: shown(use.get, Records.runDetail),
  list: (workspace_id: string, query?: Asked<typeof RunQuery>) =>
    listed.runs(query, (filter, slice) => use.list(workspace_id, filter, slice)),
  cancel: shown(use.cancel, Records.run)
})

export const webhooks = (use: WebhooksShape) => ({
  ...use,
  create: (workspace_id: string, draft: Drafts.WebhookInput) =>
    made(Drafts.webhook(draft), (webhook) => use.create(workspace_id, webhook), Records.webhookWithSecret),
  list: (workspace_id: string, page?: Paging) =>
    listed.webhooks(page, (_, slice) => use.list(workspace_id, slice)),
  update: (workspace_id: string, webhook_id: string, draft: Drafts.WebhookChangeInput) =>
    made(
      Drafts.webhookChange(draft),
      (change) => use.update(workspace_id, webhook_id, change),
      Records.webhook
    ),
  get: shown(use.get, Records.webhook),
  rotate: shown(use.rotate, Records.webhookWithSecret),
  test: shown(use.test, Records.delivery),
  delivery: shown(use.delivery, Records.deliveryDetail),
  redeliverSince: (workspace_id: string, webhook_id: string, draft: Drafts.RedeliveryInput) =>
    Effect.flatMap(Drafts.redelivery(draft), (wanted) =>
      use.redeliverSince(workspace_id, webhook_id, wanted)
    ),
  deliveries: (workspace_id: string, webhook_id: string, query?: Asked<typeof DeliveryQuery>) =>
    listed.deliveries(query, (filter, slice) => use.deliveries(workspace_id, webhook_id, filter, slice)),
  redeliver: shown(use.redeliver, Records.delivery)
})

export const people = (use: PeopleShape) => ({
  erase: (workspace_id: string, phone_number: string) =>
    Effect.flatMap(Drafts.personNumber(phone_number), (number) => use.erase(workspace_id, number)),
  collect: (workspace_id: string, phone_number: string) =>
    made(Drafts.personNumber(phone_number), (number) => use.collect(workspace_id, number), Records.person)
})

/** What requests to the REST interface have changed; functions of the library are not noted. */
export const audit = (use: AuditLogShape) => ({
  list: (workspace_id: string, query?: Asked<typeof AuditQuery>) =>
    listed.audit(query, (filter, slice) => use.list(workspace_id, filter, slice))
})

const usageQuery = querying(UsageQuery)

export const usage = (use: UsageReportsShape) => ({
  report: (workspace_id: string, query?: FilterOf<typeof UsageQuery.Type>) =>
    made(usageQuery(query), (request) => use.report(workspace_id, request), Records.usage)
})

export const carriers = (use: CarriersShape) => use

export const credits = (use: CreditsShape) => ({
  ...use,
  ledger: (workspace_id: string, query?: Asked<typeof LedgerQuery>) =>
    listed.ledger(query, (filter, slice) => use.ledger(workspace_id, filter, slice)),
  topUp: (workspace_id: string, amount: number, reference: string | null = null) =>
    Effect.flatMap(Drafts.credits(amount), (whole) => use.topUp(workspace_id, whole, reference))
})
