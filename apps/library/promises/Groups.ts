import { Effect, pipe, Stream } from "effect"
import { AgentsGroup } from "../../../adapters/http/contract/Agents.ts"
import { wantedOf } from "../../../adapters/http/contract/AvailableNumbers.ts"
import { CallsGroup } from "../../../adapters/http/contract/Calls.ts"
import { CampaignsGroup } from "../../../adapters/http/contract/Campaigns.ts"
import { CreditsGroup } from "../../../adapters/http/contract/Credits.ts"
import { DoNotCallGroup } from "../../../adapters/http/contract/DoNotCall.ts"
import { PhoneNumbersGroup } from "../../../adapters/http/contract/PhoneNumbers.ts"
import { RecipientsGroup } from "../../../adapters/http/contract/Recipients.ts"
import { RunsGroup } from "../../../adapters/http/contract/Runs.ts"
import { SuitesGroup } from "../../../adapters/http/contract/Suites.ts"
import { TemplatesGroup } from "../../../adapters/http/contract/Templates.ts"
import { WebhooksGroup } from "../../../adapters/http/contract/Webhooks.ts"
import type { CarrierReportsShape } from "../../../core/engine/CarrierReports.ts"
import type { PageRequest } from "../../../core/model/Page.ts"
import type { Audio } from "../../../core/ports/RecordingStore.ts"
import type { AgentsShape } from "../../../core/usecases/Agents.ts"
import type { AvailableNumbersShape } from "../../../core/usecases/AvailableNumbers.ts"
import type { CallsShape } from "../../../core/usecases/Calls.ts"
import type { CampaignsShape } from "../../../core/usecases/Campaigns.ts"
import type { CreditsShape } from "../../../core/usecases/Credits.ts"
import type { DoNotCallListShape } from "../../../core/usecases/DoNotCallList.ts"
import type { ImportsShape } from "../../../core/usecases/Imports.ts"
import type { PhoneNumbersShape } from "../../../core/usecases/PhoneNumbers.ts"
import type { RecipientsShape } from "../../../core/usecases/Recipients.ts"
import type { RecordingsShape } from "../../../core/usecases/Recordings.ts"
import type { RunsShape } from "../../../core/usecases/Runs.ts"
import type { SimulationsShape } from "../../../core/usecases/Simulations.ts"
import type { SuitesShape } from "../../../core/usecases/Suites.ts"
import type { TemplatesShape } from "../../../core/usecases/Templates.ts"
import type { WebhooksShape } from "../../../core/usecases/Webhooks.ts"
import type { WorkspacesShape } from "../../../core/usecases/Workspaces.ts"
import type { AudioFile } from "../ports/Audio.ts"
import * as Drafts from "./Drafts.ts"
import * as Records from "./Records.ts"
import { drafted, filtered, paged, queryOf, shown } from "./Verbs.ts"

// Each group has the verbs of a use case as they are outside: drafts and queries go in, records come out. A verb
// that takes and answers plain values already goes through as it is.

export const workspaces = (use: WorkspacesShape) => ({
  ...use,
  create: pipe(use.create, drafted(Drafts.workspace), shown(Records.workspace)),
  get: pipe(use.get, shown(Records.workspace)),
  list: pipe(use.list, paged(CallsGroup, "list", 0, Records.workspace)),
  createKey: pipe(use.createKey, drafted(Drafts.key), shown(Records.newKey)),
  keys: pipe(use.keys, paged(CallsGroup, "list", 1, Records.apiKey))
})

export const calls = (use: CallsShape, { record }: Pick<CarrierReportsShape, "record">) => ({
  ...use,
  record,
  place: pipe(use.place, drafted(Drafts.placeCall), shown(Records.call)),
  get: pipe(use.get, shown(Records.call)),
  list: pipe(use.list, filtered(CallsGroup, "list", 1, Records.call)),
  cancel: pipe(use.cancel, shown(Records.call))
})

export const campaigns = (use: CampaignsShape) => {
  const progress = queryOf<Parameters<CampaignsShape["progress"]>[2]>(CampaignsGroup, "progress")
  return {
    ...use,
    create: pipe(use.create, drafted(Drafts.campaign), shown(Records.campaign)),
    get: pipe(use.get, shown(Records.campaign)),
    list: pipe(use.list, filtered(CampaignsGroup, "list", 1, Records.campaign)),
    update: pipe(use.update, drafted(Drafts.campaignChange), shown(Records.campaign)),
    start: pipe(use.start, shown(Records.campaign)),
    attempts: pipe(use.attempts, filtered(CampaignsGroup, "attempts", 2, Records.attempt)),
    progress: (
      workspace_id: string,
      id: string,
      query?: {
        readonly interval?: "minute" | "hour" | "day"
        readonly from?: Date | string
        readonly until?: Date | string
      }
    ) =>
      Effect.flatMap(progress(query), (request) =>
        Effect.map(use.progress(workspace_id, id, request), Records.progress)
      )
  }
}

export const simulations = (use: SimulationsShape) => ({
  ...use,
  simulate: (workspace_id: string, campaign_id: string, request: Drafts.SimulationInput = {}) =>
    Effect.flatMap(Drafts.simulation(request), (wanted) =>
      Effect.map(use.simulate(workspace_id, campaign_id, wanted), Records.simulation)
    )
})

export const recipients = (use: RecipientsShape) => ({
  ...use,
  add: pipe(
    use.add,
    drafted(Drafts.recipients),
    shown((added) => added.map(Records.recipient))
  ),
  list: pipe(use.list, filtered(RecipientsGroup, "list", 2, Records.recipient)),
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

/** What became of a file: its record, and those who were added. */
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
  get: pipe(use.get, shown(Records.importRecord)),
  list: pipe(use.list, paged(RecipientsGroup, "imports", 2, Records.importRecord))
})

export const agents = (use: AgentsShape) => ({
  ...use,
  create: pipe(use.create, drafted(Drafts.agent), shown(Records.agent)),
  get: pipe(use.get, shown(Records.agent)),
  list: pipe(use.list, filtered(AgentsGroup, "list", 1, Records.agent)),
  update: pipe(use.update, drafted(Drafts.agentChange), shown(Records.agent))
})

export const numbers = (use: PhoneNumbersShape) => ({
  ...use,
  add: pipe(use.add, drafted(Drafts.phoneNumber), shown(Records.phoneNumber)),
  get: pipe(use.get, shown(Records.phoneNumber)),
  list: pipe(use.list, paged(PhoneNumbersGroup, "list", 1, Records.phoneNumber))
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

export const availableNumbers = ({ browse }: AvailableNumbersShape) => {
  const read = queryOf<Parameters<typeof wantedOf>[0] & { readonly limit: number }>(
    PhoneNumbersGroup,
    "available"
  )
  return {
    browse: (wanted?: BrowseInput) =>
      Effect.flatMap(read(wanted), (query) => browse(wantedOf(query), query.limit))
  }
}

export const doNotCall = (use: DoNotCallListShape) => ({
  ...use,
  add: pipe(use.add, drafted(Drafts.blockedNumbers)),
  list: pipe(use.list, paged(DoNotCallGroup, "list", 1, Records.blocked)),
  upload: (workspace_id: string, file: Uint8Array | string) => use.upload(workspace_id, bytesOf(file))
})

const audioFile = ({ bytes, size_bytes }: Audio): AudioFile => ({
  size_bytes,
  bytes: (from, until) => Stream.toAsyncIterable(bytes(from, until))
})

export const recordings = (use: RecordingsShape) => ({
  ...use,
  ofSession: pipe(
    (workspace_id: string, session_id: string, page: PageRequest) =>
      use.ofSession(workspace_id, session_id, page),
    paged(CallsGroup, "list", 2, Records.recording)
  ),
  open: pipe(use.open, shown(audioFile)),
  remove: pipe(use.remove, shown(Records.recording))
})

export const templates = (use: TemplatesShape) => ({
  ...use,
  create: pipe(use.create, drafted(Drafts.template), shown(Records.template)),
  get: pipe(use.get, shown(Records.template)),
  list: pipe(use.list, filtered(TemplatesGroup, "list", 1, Records.template))
})

export const suites = (use: SuitesShape) => ({
  ...use,
  generate: (workspace_id: string, request: Drafts.GenerateSuiteInput, created_by_user_id = "") =>
    Effect.flatMap(Drafts.generateSuite(request), (wanted) =>
      Effect.map(use.generate(workspace_id, wanted, created_by_user_id), Records.suite)
    ),
  get: pipe(use.get, shown(Records.suite)),
  list: pipe(use.list, filtered(SuitesGroup, "list", 1, Records.suite)),
  update: pipe(use.update, drafted(Drafts.suiteChange), shown(Records.suite))
})

export const runs = (use: RunsShape) => ({
  ...use,
  start: pipe(use.start, shown(Records.run)),
  get: pipe(use.get, shown(Records.runDetail)),
  list: pipe(use.list, filtered(RunsGroup, "list", 1, Records.run)),
  cancel: pipe(use.cancel, shown(Records.run))
})

export const webhooks = (use: WebhooksShape) => ({
  ...use,
  create: pipe(use.create, drafted(Drafts.webhook), shown(Records.webhookWithSecret)),
  list: pipe(use.list, paged(WebhooksGroup, "list", 1, Records.webhook)),
  update: pipe(use.update, drafted(Drafts.webhookChange), shown(Records.webhook)),
  rotate: pipe(use.rotate, shown(Records.webhookWithSecret)),
  deliveries: pipe(use.deliveries, filtered(WebhooksGroup, "deliveries", 2, Records.delivery)),
  redeliver: pipe(use.redeliver, shown(Records.delivery))
})

export const credits = (use: CreditsShape) => ({
  ...use,
  ledger: pipe(use.ledger, filtered(CreditsGroup, "ledger", 1, Records.ledgerEntry)),
  topUp: (workspace_id: string, amount: number, reference: string | null = null) =>
    Effect.flatMap(Drafts.credits(amount), (whole) => use.topUp(workspace_id, whole, reference))
})
