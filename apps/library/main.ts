import { Effect, Layer } from "effect"
import type { Services, Unavailable } from "./Assembly.ts"
import type { Options } from "./Options.ts"
import type { Outdial } from "./Outdial.ts"

/**
 * Builds a platform in this process and starts it: its store is opened, and what an earlier process left is taken
 * up. Rejected with `StoreUnavailable` when the store cannot be used, with `InvalidOptions` when a setting is wrong.
 * Whoever makes one calls `dispose` at the end.
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
export type { Outdial } from "./Outdial.ts"
export type { Carrier } from "./ports/Carrier.ts"
export type { Inventory } from "./ports/Inventory.ts"
export type { Answer, OnError } from "./ports/Lift.ts"
export type { Generator, Simulator } from "./ports/Model.ts"
export type { Registry } from "./ports/Registry.ts"
export type { Sink } from "./ports/Sink.ts"
export type { Tokens } from "./ports/Tokens.ts"
export type {
  AgentChangeInput,
  AgentInput,
  CampaignChangeInput,
  CampaignInput,
  GenerateSuiteInput,
  KeyInput,
  PhoneNumberInput,
  PlaceCallInput,
  RecipientInput,
  SuiteChangeInput,
  TemplateInput,
  WebhookChangeInput,
  WebhookInput,
  WorkspaceInput
} from "./promises/Drafts.ts"
export type { BrowseInput, UploadInput } from "./promises/Groups.ts"
export type { FilterOf, Listed, Paging } from "./promises/Verbs.ts"
export type {
  AgentJson,
  AttemptJson,
  CallJson,
  CampaignJson,
  RecipientJson,
  RecordingJson,
  WebhookJson
} from "./promises/Records.ts"
export type {
  CallProgress,
  DialReference,
  DialRequest,
  Lookup,
  Progress
} from "../../core/ports/CallDialer.ts"
export type { DeliveryResult, WebhookMessage } from "../../core/ports/WebhookSink.ts"
export { allScopes, type Scope } from "../../core/workspaces/Principal.ts"
export * from "./Errors.ts"
