import type { ConfigError, Layer } from "effect"
import type { CarrierCallbacks } from "../../adapters/shared/CarrierCallbacks.ts"
import type { CarrierReports } from "../../core/engine/CarrierReports.ts"
import type { AgentModel } from "../../core/ports/AgentModel.ts"
import type { AgentSimulator } from "../../core/ports/AgentSimulator.ts"
import type { CallDialer } from "../../core/ports/CallDialer.ts"
import type { CallReviewer } from "../../core/ports/CallReviewer.ts"
import type { MessageSender } from "../../core/ports/MessageSender.ts"
import type { NumberInventory } from "../../core/ports/NumberInventory.ts"
import type { RecordingStore } from "../../core/ports/RecordingStore.ts"
import type { Repository, StoreUnavailable } from "../../core/ports/Repository.ts"
import type { ScenarioGenerator } from "../../core/ports/ScenarioGenerator.ts"
import type { TemplateRegistry } from "../../core/ports/TemplateRegistry.ts"
import type { TokenVerifier } from "../../core/ports/TokenVerifier.ts"
import type { ToolRunner } from "../../core/ports/ToolRunner.ts"
import type { WebhookSink } from "../../core/ports/WebhookSink.ts"
import type { Log } from "./Logs.ts"
import type { AudioStore } from "./ports/Audio.ts"
import type { Carrier } from "./ports/Carrier.ts"
import type { Inventory } from "./ports/Inventory.ts"
import type { OnError } from "./ports/Lift.ts"
import type { Generator, Simulator } from "./ports/Model.ts"
import type { Registry } from "./ports/Registry.ts"
import type { Sender } from "./ports/Sender.ts"
import type { Sink } from "./ports/Sink.ts"
import type { Reviewer, TalkingModel, Tools } from "./ports/Talk.ts"
import type { Tokens } from "./ports/Tokens.ts"

/** A port as a layer, for programs on Effect. */
export type Port<Service, Needs = never> = Layer.Layer<
  Service,
  ConfigError.ConfigError | StoreUnavailable,
  Needs
>

/** What a platform is made of. All of it may be left out: then it simulates, in memory. */
export interface Options {
  /**
   * Where everything is kept: `memory:` (the default), which is lost at the end; `sqlite:<path>`, on Node and Bun; or
   * `postgres://user:password@host/database`, which other processes may use too. A driver is loaded only when its
   * store is asked for.
   */
  readonly store?: string | Port<Repository> | undefined
  /** Who dials. By default a simulated carrier: the last four digits of the number called choose what happens. */
  readonly carrier?: Carrier | Port<CallDialer, CarrierReports> | undefined
  /** Who sends messages. By default a simulated provider, which goes by the last four digits as well. */
  readonly sender?: Sender | Port<MessageSender, CarrierReports> | undefined
  /**
   * Who keeps the audio of recordings. By default a folder: `recordings` beside the SQLite file, or in the working
   * directory.
   */
  readonly audio?: AudioStore | Port<RecordingStore> | undefined
  /** Receives what a carrier tells over HTTP, below `/callbacks/`. */
  readonly callbacks?: Port<CarrierCallbacks> | undefined
  /** Who makes test scenarios. By default rules of this process, without a model. */
  readonly generator?: Generator | Port<ScenarioGenerator> | undefined
  /** Who plays and judges test runs. By default rules of this process, without a model. */
  readonly simulator?: Simulator | Port<AgentSimulator> | undefined
  /**
   * What agents say on calls. By default rules of this process, without a model: to people whom Twilio calls only where
   * the setting `OUTDIAL_TALK_BY_RULES` is true.
   */
  readonly agentModel?: TalkingModel | Port<AgentModel> | undefined
  /** Who reads the transcripts of calls. By default rules of this process, without a model. */
  readonly reviewer?: Reviewer | Port<CallReviewer> | undefined
  /** Who carries out agents' own tools. By default signed HTTP requests, to public addresses alone. */
  readonly tools?: Tools | Port<ToolRunner> | undefined
  /** Whose numbers are browsed. By default a made-up catalogue. */
  readonly inventory?: Inventory | Port<NumberInventory> | undefined
  /** Who delivers webhook events. By default signed HTTP requests, to public addresses alone. */
  readonly sink?: Sink | Port<WebhookSink> | undefined
  /** Who reviews message templates. By default rules of this process. */
  readonly registry?: Registry | Port<TemplateRegistry> | undefined
  /** Who verifies bearer tokens. By default API keys alone are valid. */
  readonly tokens?: Tokens | Port<TokenVerifier> | undefined
  /**
   * Any setting of the server by its name, such as `OUTDIAL_SIMULATED_SPEED` or `OUTDIAL_PRICE_PER_MINUTE`. The
   * environment is not looked at, unless you pass `process.env`.
   */
  readonly settings?: Readonly<Record<string, string | undefined>> | undefined
  /**
   * Told of what your own functions throw besides the errors that they are to throw. It may hold what must not be
   * logged, which is why nothing here logs it.
   */
  readonly onError?: OnError | undefined
  /** Takes what is logged. By default warnings and errors go to stderr. */
  readonly log?: Log | undefined
}
