import type { CarrierReportsShape } from "../../../core/engine/CarrierReports.ts"
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
import type * as Groups from "./Groups.ts"
import type { Promised } from "./Promised.ts"

// Each group has a name of its own, so that compilers, editors and the reference show its verbs and not a formula.

/** Tenants and their API keys. */
export interface WorkspacesVerbs extends Promised<WorkspacesShape, ReturnType<typeof Groups.workspaces>> {}

/** Single calls: placing, reading, cancelling, and the reports of their carrier. */
export interface CallsVerbs
  extends
    Promised<CallsShape, ReturnType<typeof Groups.calls>>,
    Promised<Pick<CarrierReportsShape, "record">, ReturnType<typeof Groups.reports>> {}

/** Many calls at once. */
export interface CallBatchesVerbs extends Promised<CallBatchesShape, ReturnType<typeof Groups.callBatches>> {}

/** Campaigns: an agent calls many recipients, within the rules. */
export interface CampaignsVerbs extends Promised<CampaignsShape, ReturnType<typeof Groups.campaigns>> {}

/** What would become of campaigns. */
export interface SimulationsVerbs extends Promised<SimulationsShape, ReturnType<typeof Groups.simulations>> {}

/** Those whom a campaign calls. */
export interface RecipientsVerbs extends Promised<RecipientsShape, ReturnType<typeof Groups.recipients>> {}

/** Files of recipients. */
export interface ImportsVerbs extends Promised<ImportsShape, ReturnType<typeof Groups.imports>> {}

/** What is said in a call, and how. */
export interface AgentsVerbs extends Promised<AgentsShape, ReturnType<typeof Groups.agents>> {}

/** The numbers that a workspace must not call. */
export interface DoNotCallVerbs extends Promised<DoNotCallListShape, ReturnType<typeof Groups.doNotCall>> {}

/** What was recorded of sessions. */
export interface RecordingsVerbs extends Promised<RecordingsShape, ReturnType<typeof Groups.recordings>> {}

/** Conversations: what they came to, what was said, and what is being said. */
export interface SessionsVerbs extends Promised<SessionsShape, ReturnType<typeof Groups.sessions>> {}

/** Message templates, which a registry reviews. */
export interface TemplatesVerbs extends Promised<TemplatesShape, ReturnType<typeof Groups.templates>> {}

/** Test suites: personas that put an agent to the test. */
export interface SuitesVerbs extends Promised<SuitesShape, ReturnType<typeof Groups.suites>> {}

/** Runs of test suites. */
export interface RunsVerbs extends Promised<RunsShape, ReturnType<typeof Groups.runs>> {}

/** Receiving addresses and what was sent to them. */
export interface WebhooksVerbs extends Promised<WebhooksShape, ReturnType<typeof Groups.webhooks>> {}

/** What changes in a workspace, as it changes. */
export interface ChangesVerbs extends Promised<ChangesShape, ReturnType<typeof Groups.changes>> {}

/** A workspace's credits: a ledger whose sum is the balance. */
export interface CreditsVerbs extends Promised<CreditsShape, ReturnType<typeof Groups.credits>> {}

/** The people behind phone numbers, and what they may ask for. */
export interface PeopleVerbs extends Promised<PeopleShape, ReturnType<typeof Groups.people>> {}

/** Who changed what over the REST interface. */
export interface AuditVerbs extends Promised<AuditLogShape, ReturnType<typeof Groups.audit>> {}

/** What a workspace has used. */
export interface UsageVerbs extends Promised<UsageReportsShape, ReturnType<typeof Groups.usage>> {}

/** Whether the carriers of calls and of messages answer. */
export interface CarriersVerbs extends Promised<CarriersShape, ReturnType<typeof Groups.carriers>> {}

/** The workspace's own numbers, and those for sale. */
export interface NumbersVerbs
  extends
    Promised<PhoneNumbersShape, ReturnType<typeof Groups.numbers>>,
    Promised<AvailableNumbersShape, ReturnType<typeof Groups.availableNumbers>> {}

/** The use cases, each of them a group of functions that answer promises. The workspace always comes first. */
export interface UseCases {
  /** Tenants and their API keys. */
  readonly workspaces: WorkspacesVerbs
  /** Single calls: placing, reading, cancelling, and the reports of their carrier. */
  readonly calls: CallsVerbs
  /** Many calls at once. */
  readonly callBatches: CallBatchesVerbs
  /** Campaigns: an agent calls many recipients, within the rules. */
  readonly campaigns: CampaignsVerbs
  /** What would become of campaigns, played in virtual time: in a process of its own, one at a time. */
  readonly simulations: SimulationsVerbs
  /** Those whom a campaign calls. */
  readonly recipients: RecipientsVerbs
  /** Files of recipients. */
  readonly imports: ImportsVerbs
  /** What is said in a call, and how. */
  readonly agents: AgentsVerbs
  /** The numbers that a workspace must not call. */
  readonly doNotCall: DoNotCallVerbs
  /** What was recorded of sessions. */
  readonly recordings: RecordingsVerbs
  /** Conversations: what they came to, what was said, and what is being said. */
  readonly sessions: SessionsVerbs
  /** Message templates, which a registry reviews. */
  readonly templates: TemplatesVerbs
  /** Test suites: personas that put an agent to the test. */
  readonly suites: SuitesVerbs
  /** Runs of test suites. */
  readonly runs: RunsVerbs
  /** Receiving addresses and what was sent to them. */
  readonly webhooks: WebhooksVerbs
  /** What changes in a workspace, as it changes. */
  readonly changes: ChangesVerbs
  /** A workspace's credits: a ledger whose sum is the balance. */
  readonly credits: CreditsVerbs
  /** The people behind phone numbers, and what they may ask for. */
  readonly people: PeopleVerbs
  /** Who changed what over the REST interface. */
  readonly audit: AuditVerbs
  /** What a workspace has used, by day, campaign or agent. */
  readonly usage: UsageVerbs
  /** Whether the carriers of calls and of messages answer. */
  readonly carriers: CarriersVerbs
  /** The workspace's own numbers, and those for sale. */
  readonly numbers: NumbersVerbs
}
