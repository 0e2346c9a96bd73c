/**
 * The platform inside a process of your own: {@link makeOutdial} builds an {@link Outdial}. A verb is rejected with
 * the errors of the verb in core that it is made of, to which its page leads, and, whichever it is, with
 * {@link InvalidInput}, {@link StoreUnavailable} or {@link Disposed}.
 *
 * @module outdial
 */
import { Effect, Layer } from "effect"
import type { Services, Unavailable } from "./Assembly.ts"
import type { Options } from "./Options.ts"
import type { Outdial } from "./Outdial.ts"

/**
 * Builds a platform in this process and starts it: its store is opened, and what an earlier process left is taken
 * up. Rejected with `StoreUnavailable` when the store cannot be used, with `InvalidOptions` when a setting is wrong.
 * The program that makes one calls `dispose` at the end.
 */
export const makeOutdial = async (options: Options = {}): Promise<Outdial> => {
  const { make } = await import("./Outdial.ts")
  return make(options)
}

/** The same as a layer of all its services, for programs on Effect. */
export const layer = (options: Options = {}): Layer.Layer<Services, Unavailable> =>
  Layer.unwrapEffect(
    Effect.map(
      Effect.promise(() => import("./Assembly.ts")),
      ({ assemble }) => assemble(options)
    )
  )

export type { Services, Unavailable } from "./Assembly.ts"
export type { Event, EventStream, Wanted } from "./EventStream.ts"
export type { Log, LogLine } from "./Logs.ts"
export type { Options, Port } from "./Options.ts"
export type { Outdial, UpgradedConnection, UpgradeRequest } from "./Outdial.ts"
export type { AudioFile, AudioStore } from "./ports/Audio.ts"
export type { Carrier } from "./ports/Carrier.ts"
export type { Inventory } from "./ports/Inventory.ts"
export type { Answer, Listening, OnError } from "./ports/Lift.ts"
export type { Generator, Simulator } from "./ports/Model.ts"
export type { Registry } from "./ports/Registry.ts"
export type { Sender } from "./ports/Sender.ts"
export type { Sink } from "./ports/Sink.ts"
export type { Reviewer, TalkingModel, Tools } from "./ports/Talk.ts"
export type { Tokens } from "./ports/Tokens.ts"
export type {
  AgentChangeInput,
  AgentInput,
  CampaignChangeInput,
  CallBatchInput,
  CampaignInput,
  GenerateSuiteInput,
  KeyChangeInput,
  KeyInput,
  PhoneNumberInput,
  PlaceCallInput,
  RecipientChangeInput,
  RecipientInput,
  SuiteChangeInput,
  SuiteInput,
  TemplateInput,
  WebhookChangeInput,
  SimulationInput,
  WebhookInput,
  WorkspaceChangeInput,
  RedeliveryInput,
  WorkspaceInput
} from "./promises/Drafts.ts"
export type { BrowseInput, UploadInput, UploadJson } from "./promises/Groups.ts"
export type { CarrierState } from "../../core/model/calls/CarrierState.ts"
export type { FilterOf, Listed, Paging } from "./promises/Verbs.ts"
export type {
  AgentJson,
  ApiKeyJson,
  AttemptJson,
  AuditEntryJson,
  BlockedJson,
  CallAttemptJson,
  CallJson,
  CampaignJson,
  ChangeJson,
  DeliveryJson,
  ImportJson,
  LedgerEntryJson,
  NewKeyJson,
  NewWebhookJson,
  CallBatchJson,
  DeliveryDetailJson,
  PersonJson,
  PhoneNumberJson,
  PlayJson,
  ProgressJson,
  RecipientJson,
  RecordingJson,
  RunDetailJson,
  RunJson,
  CalleesJson,
  ForecastJson,
  SimulationJson,
  SuiteJson,
  TemplateJson,
  UsageJson,
  TransitionJson,
  WebhookJson,
  WorkspaceJson
} from "./promises/Records.ts"
export type {
  AgentsVerbs,
  CallBatchesVerbs,
  AuditVerbs,
  CallsVerbs,
  CampaignsVerbs,
  CarriersVerbs,
  ChangesVerbs,
  CreditsVerbs,
  DoNotCallVerbs,
  ImportsVerbs,
  NumbersVerbs,
  PeopleVerbs,
  RecipientsVerbs,
  RecordingsVerbs,
  RunsVerbs,
  SessionsVerbs,
  SimulationsVerbs,
  SuitesVerbs,
  TemplatesVerbs,
  UsageVerbs,
  WebhooksVerbs,
  WorkspacesVerbs
} from "./promises/UseCases.ts"
export type { DialReference, Lookup } from "../../core/ports/CallDialer.ts"
export type { DialRequest } from "../../core/model/calls/DialRequest.ts"
export type { CallProgress, Progress } from "../../core/model/calls/CarrierProgress.ts"
export type { MessageRequest } from "../../core/model/messages/MessageRequest.ts"
export type { Reply } from "../../core/model/messages/Reply.ts"
export type { AgentPart, AgentRequest } from "../../core/ports/AgentModel.ts"
export type { ReviewRequest } from "../../core/ports/CallReviewer.ts"
export type { ToolRequest } from "../../core/ports/ToolRunner.ts"
export type { DeliveryResult, WebhookMessage } from "../../core/ports/WebhookSink.ts"
export { CarrierReports } from "../../core/engine/CarrierReports.ts"
export { allScopes, type Scope } from "../../core/model/workspaces/Principal.ts"
export * from "./Errors.ts"
