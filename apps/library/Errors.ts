// What functions of the platform are rejected with, and what functions of your own may throw.
export { AgentInUse, AgentNotFound } from "../../core/model/agents/AgentErrors.ts"
export {
  BatchKeyReused,
  CallBatchNotFound,
  CallEnded,
  CallNotFound,
  CarrierUnavailable,
  DuplicateKey
} from "../../core/model/calls/CallErrors.ts"
export { InvalidInput } from "../../core/model/InvalidInput.ts"
export {
  CampaignNotFound,
  CampaignRefused,
  CampaignUnderWay,
  ChangeRefused,
  ImportNotFound,
  RecipientNotFound,
  RecipientTaken,
  RecipientUnderWay
} from "../../core/model/campaigns/CampaignErrors.ts"
export {
  NoPhoneNumber,
  NotOnTheList,
  PhoneNumberInUse,
  PhoneNumberNotFound,
  PhoneNumberTaken
} from "../../core/model/numbers/PhoneNumberErrors.ts"
export { ModelBusy, ModelTimedOut, ModelUnavailable, ModelUnusable } from "../../core/ports/ModelFailure.ts"
export { CarrierUnreachable, DialInDoubt, DialRefused, LookupFailed } from "../../core/ports/CallDialer.ts"
export {
  InventoryTimedOut,
  InventoryUnavailable,
  InventoryUnusable
} from "../../core/ports/NumberInventory.ts"
export { TooManyRequests } from "../../core/ports/RateLimits.ts"
export { StoreUnavailable } from "../../core/ports/Repository.ts"
export { TableRefused, TablesBusy } from "../../core/ports/TableReader.ts"
export { LinkRefused, RecordingNotFound } from "../../core/model/recordings/RecordingErrors.ts"
export { SimulationTooLong, SimulatorBusy, SimulatorMissing } from "../../core/ports/Simulator.ts"
export { RegistryTimedOut, RegistryUnavailable, RegistryUnusable } from "../../core/ports/TemplateRegistry.ts"
export { ToolFailed } from "../../core/ports/ToolRunner.ts"
export { TokenRejected } from "../../core/ports/TokenVerifier.ts"
export { UrlRefused } from "../../core/ports/WebhookSink.ts"
export { SessionNotFound, SessionUnderWay } from "../../core/model/conversations/SessionErrors.ts"
export { RunEnded, RunNotFound, SuiteNameTaken, SuiteNotFound } from "../../core/model/suites/SuiteErrors.ts"
export {
  TemplateInSubmission,
  TemplateNotFound,
  TemplateTaken
} from "../../core/model/templates/TemplateErrors.ts"
export {
  DeliveryNotFound,
  DeliveryPending,
  WebhookDisabled,
  WebhookNotFound
} from "../../core/model/webhooks/WebhookErrors.ts"
export {
  ApiKeyNotFound,
  InsufficientCredits,
  WorkspaceNotFound
} from "../../core/model/workspaces/WorkspaceErrors.ts"
export { Disposed, InvalidOptions } from "./promises/Refusals.ts"
