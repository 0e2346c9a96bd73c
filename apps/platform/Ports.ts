import type { ConfigError, Layer } from "effect"
import type { ClusterSocketFailed } from "../../adapters/cluster/ClusterSocketFailed.ts"
import type { CarrierReports } from "../../core/engine/CarrierReports.ts"
import type { ConversationRunner } from "../../core/engine/ConversationRunner.ts"
import type { AgentModel } from "../../core/ports/AgentModel.ts"
import type { AgentSimulator } from "../../core/ports/AgentSimulator.ts"
import type { CallDialer } from "../../core/ports/CallDialer.ts"
import type { CallReviewer } from "../../core/ports/CallReviewer.ts"
import type { Dispatcher } from "../../core/ports/Dispatcher.ts"
import type { Ids } from "../../core/ports/Ids.ts"
import type { MessageSender } from "../../core/ports/MessageSender.ts"
import type { NumberInventory } from "../../core/ports/NumberInventory.ts"
import type { NumberZones } from "../../core/ports/NumberZones.ts"
import type { Prices } from "../../core/ports/Prices.ts"
import type { PublicHolidays } from "../../core/ports/PublicHolidays.ts"
import type { RateLimits } from "../../core/ports/RateLimits.ts"
import type { RecordingLinks } from "../../core/ports/RecordingLinks.ts"
import type { RecordingStore } from "../../core/ports/RecordingStore.ts"
import type { Repository, StoreUnavailable } from "../../core/ports/Repository.ts"
import type { RunLimits } from "../../core/ports/RunLimits.ts"
import type { ScenarioGenerator } from "../../core/ports/ScenarioGenerator.ts"
import type { Secrets } from "../../core/ports/Secrets.ts"
import type { TableReader } from "../../core/ports/TableReader.ts"
import type { TemplateRegistry } from "../../core/ports/TemplateRegistry.ts"
import type { ToolRunner } from "../../core/ports/ToolRunner.ts"
import type { TrialLinks } from "../../core/ports/TrialLinks.ts"
import type { WebhookSink } from "../../core/ports/WebhookSink.ts"

/** Why a platform cannot be built. */
export type Unavailable = ConfigError.ConfigError | StoreUnavailable | ClusterSocketFailed

/** What reaches the world outside. */
export type Outside =
  | Repository
  | CallDialer
  | MessageSender
  | WebhookSink
  | RecordingStore
  | TableReader
  | ScenarioGenerator
  | AgentSimulator
  | AgentModel
  | CallReviewer
  | ToolRunner
  | NumberInventory
  | TemplateRegistry
  | Secrets

/** What is set for the whole platform. */
export type Rules =
  | Prices
  | NumberZones
  | PublicHolidays
  | RunLimits
  | RateLimits
  | RecordingLinks
  | TrialLinks
  | Ids

/**
 * What the platform is made of: one layer for each port, under the name by which it is replaced. `E`: what building
 * them fails with. `R`: what they need from outside of the platform.
 */
export interface Ports<E = never, R = never> {
  readonly store: Layer.Layer<Repository, E, R>
  readonly carrier: Layer.Layer<CallDialer, E, R | CarrierReports | ConversationRunner>
  readonly sender: Layer.Layer<MessageSender, E, R | CarrierReports>
  readonly sink: Layer.Layer<WebhookSink, E, R>
  readonly audio: Layer.Layer<RecordingStore, E, R>
  readonly tables: Layer.Layer<TableReader, E, R>
  readonly generator: Layer.Layer<ScenarioGenerator, E, R>
  readonly simulator: Layer.Layer<AgentSimulator, E, R>
  readonly agentModel: Layer.Layer<AgentModel, E, R>
  readonly reviewer: Layer.Layer<CallReviewer, E, R>
  readonly tools: Layer.Layer<ToolRunner, E, R>
  readonly inventory: Layer.Layer<NumberInventory, E, R>
  readonly registry: Layer.Layer<TemplateRegistry, E, R>
  readonly secrets: Layer.Layer<Secrets, E, R>
  readonly prices: Layer.Layer<Prices, E, R>
  readonly zones: Layer.Layer<NumberZones, E, R>
  readonly holidays: Layer.Layer<PublicHolidays, E, R>
  readonly runLimits: Layer.Layer<RunLimits, E, R>
  readonly rateLimits: Layer.Layer<RateLimits, E, R | Outside>
  readonly links: Layer.Layer<RecordingLinks, E, R | Outside>
  readonly trials: Layer.Layer<TrialLinks, E, R | Outside>
  /** Runs the due-work loops; one that runs none leaves what is placed as it is. */
  readonly dispatcher: Layer.Layer<Dispatcher, E, R | Outside | Rules>
}
