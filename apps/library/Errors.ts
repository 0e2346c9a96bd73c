// What functions of the platform are rejected with, and what functions of your own may throw.
export { AgentNotFound } from "../../core/agents/AgentErrors.ts"
export {
  CallEnded,
  CallNotFound,
  CarrierUnavailable,
  DuplicateKey,
  InvalidInput
} from "../../core/calls/CallErrors.ts"
export {
  CampaignNotFound,
  CampaignRefused,
  ChangeRefused,
  ImportNotFound,
  RecipientTaken
} from "../../core/campaigns/CampaignErrors.ts"
export {
  NoPhoneNumber,
  NotOnTheList,
  PhoneNumberInUse,
  PhoneNumberNotFound,
  PhoneNumberTaken
} from "../../core/numbers/PhoneNumberErrors.ts"
export { ModelBusy, ModelTimedOut, ModelUnavailable, ModelUnusable } from "../../core/ports/AgentSimulator.ts"
export { CarrierUnreachable, DialInDoubt, DialRefused, LookupFailed } from "../../core/ports/CallDialer.ts"
export {
  InventoryTimedOut,
  InventoryUnavailable,
  InventoryUnusable
} from "../../core/ports/NumberInventory.ts"
export { TooManyRequests } from "../../core/ports/RateLimits.ts"
export { StoreUnavailable } from "../../core/ports/Repository.ts"
export { TableRefused, TablesBusy } from "../../core/ports/TableReader.ts"
export { LinkRefused, RecordingNotFound } from "../../core/recordings/RecordingErrors.ts"
export { SimulationTooLong, SimulatorBusy, SimulatorMissing } from "../../core/ports/Simulator.ts"
export { RegistryTimedOut, RegistryUnavailable, RegistryUnusable } from "../../core/ports/TemplateRegistry.ts"
export { TokenRejected } from "../../core/ports/TokenVerifier.ts"
export { UrlRefused } from "../../core/ports/WebhookSink.ts"
export { RunEnded, RunNotFound, SuiteNameTaken, SuiteNotFound } from "../../core/suites/SuiteErrors.ts"
export { TemplateInSubmission, TemplateNotFound, TemplateTaken } from "../../core/templates/TemplateErrors.ts"
export { DeliveryNotFound, DeliveryPending, WebhookNotFound } from "../../core/webhooks/WebhookErrors.ts"
export {
  ApiKeyNotFound,
  InsufficientCredits,
  WorkspaceNotFound
} from "../../core/workspaces/WorkspaceErrors.ts"
export { Disposed, InvalidOptions } from "./promises/Refusals.ts"
