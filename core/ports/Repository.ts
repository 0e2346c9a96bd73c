import { Context, Data, type Effect } from "effect"
import type { AnswerRows } from "./AnswerRows.ts"
import type { AgentRows } from "./AgentRows.ts"
import type { ApiKeyRows } from "./ApiKeyRows.ts"
import type { AttemptRows } from "./AttemptRows.ts"
import type { CallBatchRows } from "./CallBatchRows.ts"
import type { AuditRows } from "./AuditRows.ts"
import type { CallRows } from "./CallRows.ts"
import type { CampaignRows } from "./CampaignRows.ts"
import type { CreditRows } from "./CreditRows.ts"
import type { DeliveryRows } from "./DeliveryRows.ts"
import type { DoNotCallRows } from "./DoNotCallRows.ts"
import type { ImportRows } from "./ImportRows.ts"
import type { PeopleRows } from "./PeopleRows.ts"
import type { PhoneNumberRows } from "./PhoneNumberRows.ts"
import type { RecipientRows } from "./RecipientRows.ts"
import type { RecordingRows } from "./RecordingRows.ts"
import type { SessionRows } from "./SessionRows.ts"
import type { HoldRows, PlayRows, RunRows, SuiteRows } from "./SuiteRows.ts"
import type { TemplateRows } from "./TemplateRows.ts"
import type { UsageRows } from "./UsageRows.ts"
import type { WebhookRows } from "./WebhookRows.ts"
import type { WorkspaceRows } from "./WorkspaceRows.ts"

/** What was at the root of an error, in its own words, or by its code where it has none. */
const rootOf = (error: unknown, depth = 0): string => {
  const { cause, code, message } = (error ?? {}) as Readonly<Record<"cause" | "code" | "message", unknown>>
  if (cause !== undefined && cause !== null && depth < 8) return rootOf(cause, depth + 1)
  if (typeof error === "string") return error
  return String([message, code].find((each) => typeof each === "string" && each !== "") ?? "no reason given")
}

/**
 * The store cannot be read or written (read-only, full, out of reach). No use case can mend it, so any method
 * may die with it; the edges turn it into a 503, the loops try again later.
 */
export class StoreUnavailable extends Data.TaggedError("StoreUnavailable")<{ readonly cause: unknown }> {
  override get message() {
    return `the store cannot be read or written: ${rootOf(this.cause)}`
  }
}

/**
 * Named as a workspace, it stands for all of them together: lists of every workspace, and what belongs to none.
 * Verbs that take no workspace read or write this.
 */
export const platformWide = "*"

/** A unit read or wrote rows of a workspace that it had not named. */
export class WorkspaceNotNamed extends Data.TaggedError("WorkspaceNotNamed")<{
  readonly workspace_id: string
}> {
  override readonly message = `the transaction did not name workspace ${this.workspace_id}, which it touches`
}

/**
 * Everything that is kept. Methods take the workspace first and never see another's rows: an id of another
 * workspace is answered as an unknown one. Lists are newest first; ids of a kind sort by age. Storing an id a
 * second time is a defect, and updating what is not there does nothing.
 */
export class Repository extends Context.Tag("outdial/Repository")<
  Repository,
  {
    /**
     * Runs work as one unit on one workspace or several: all of its writes happen or, when it fails, dies or is
     * interrupted, none. No other fiber or process sees a part of it. The work may use this repository and nothing
     * that waits: work that waits dies. Work that touches a workspace which the unit has not named dies with
     * WorkspaceNotNamed. A transaction inside a transaction joins it: it names no workspace that the outer one does
     * not, ends with the outer one, and is undone alone when it alone fails. A unit whose verb died is undone, even
     * if the work caught the defect. Units are serialisable: what one reads of its workspaces no other changes
     * before it ends. Units of one workspace go one after the other; units of different workspaces may run at the
     * same time. Work may run a second time where a store had to undo it: what it does beside the store has to bear that.
     */
    readonly transaction: <A, E, R>(
      workspaces: string | ReadonlyArray<string>,
      work: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E, R>
    /**
     * Whether a later version has changed the store so that this one may not use it any more; null where no other
     * process can change it.
     */
    readonly outdated: Effect.Effect<boolean> | null
    readonly workspaces: WorkspaceRows
    readonly apiKeys: ApiKeyRows
    readonly credits: CreditRows
    readonly phoneNumbers: PhoneNumberRows
    readonly agents: AgentRows
    readonly answers: AnswerRows
    readonly calls: CallRows
    readonly callBatches: CallBatchRows
    readonly attempts: AttemptRows
    readonly campaigns: CampaignRows
    readonly recipients: RecipientRows
    readonly imports: ImportRows
    readonly suites: SuiteRows
    readonly runs: RunRows
    readonly plays: PlayRows
    readonly holds: HoldRows
    readonly recordings: RecordingRows
    readonly sessions: SessionRows
    readonly webhooks: WebhookRows
    readonly deliveries: DeliveryRows
    readonly doNotCall: DoNotCallRows
    readonly templates: TemplateRows
    readonly usage: UsageRows
    readonly people: PeopleRows
    readonly audit: AuditRows
  }
>() {}
