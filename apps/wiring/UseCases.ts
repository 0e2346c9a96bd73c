import { Config, Duration, Effect, Layer } from "effect"
import * as InMemory from "../../adapters/memory/RateLimits.ts"
import { DueWork } from "../../core/engine/DueWork.ts"
import * as InProcess from "../../core/engine/FiberDispatcher.ts"
import { Replies } from "../../core/engine/Replies.ts"
import type { Dispatcher } from "../../core/ports/Dispatcher.ts"
import { Ids } from "../../core/ports/Ids.ts"
import { Prices } from "../../core/ports/Prices.ts"
import type { RateLimits } from "../../core/ports/RateLimits.ts"
import { RunLimits } from "../../core/ports/RunLimits.ts"
import { Agents } from "../../core/usecases/Agents.ts"
import { AvailableNumbers } from "../../core/usecases/AvailableNumbers.ts"
import { Calls } from "../../core/usecases/Calls.ts"
import { Campaigns } from "../../core/usecases/Campaigns.ts"
import { Credits } from "../../core/usecases/Credits.ts"
import { DoNotCallList } from "../../core/usecases/DoNotCallList.ts"
import { Imports } from "../../core/usecases/Imports.ts"
import { PhoneNumbers } from "../../core/usecases/PhoneNumbers.ts"
import * as ProgressFeed from "../../core/usecases/ProgressFeed.ts"
import { Recipients } from "../../core/usecases/Recipients.ts"
import { Recordings } from "../../core/usecases/Recordings.ts"
import { Runs } from "../../core/usecases/Runs.ts"
import { Simulations } from "../../core/usecases/Simulations.ts"
import { Suites } from "../../core/usecases/Suites.ts"
import { Templates } from "../../core/usecases/Templates.ts"
import { Webhooks } from "../../core/usecases/Webhooks.ts"
import { Workspaces } from "../../core/usecases/Workspaces.ts"

const credits = (name: string) =>
  Config.integer(name).pipe(
    Config.validate({
      message: "must be a whole number of credits, zero or more",
      validation: (price) => price >= 0
    }),
    Config.withDefault(1)
  )

const prices = Layer.unwrapEffect(
  Effect.map(
    Config.all({
      minute: credits("OUTDIAL_PRICE_PER_MINUTE"),
      message: credits("OUTDIAL_PRICE_PER_MESSAGE"),
      scenario: credits("OUTDIAL_PRICE_PER_SCENARIO"),
      turn: credits("OUTDIAL_PRICE_PER_TURN")
    }),
    Prices.layer
  )
)

const runLimits = Layer.unwrapEffect(
  Effect.map(
    Config.all({
      concurrency: Config.integer("OUTDIAL_TEST_CONCURRENCY").pipe(
        Config.validate({ message: "must be at least 1", validation: (plays) => plays >= 1 }),
        Config.withDefault(50)
      ),
      deadline: Config.duration("OUTDIAL_TEST_DEADLINE").pipe(Config.withDefault(Duration.hours(1)))
    }),
    RunLimits.layer
  )
)

/** What a customer can ask for. */
export const useCases = Layer.mergeAll(
  Calls.layer,
  Campaigns.layer,
  Simulations.layer,
  Recipients.layer,
  Imports.layer,
  DoNotCallList.layer,
  Suites.layer,
  Runs.layer,
  Agents.layer,
  PhoneNumbers.layer,
  AvailableNumbers.layer,
  Recordings.layer,
  Templates.layer,
  Replies.layer,
  Webhooks.layer,
  Credits.layer,
  Workspaces.layer
)

/** Everything that a customer can ask for and the loops that do it, run by the dispatcher that is given. */
export const layerOf = <E1, R1, E2, R2>(
  dispatcher: Layer.Layer<Dispatcher, E1, R1>,
  rateLimits: Layer.Layer<RateLimits, E2, R2>
) =>
  ProgressFeed.layer.pipe(
    Layer.provideMerge(useCases),
    Layer.provide(Layer.provide(dispatcher, DueWork.layer)),
    Layer.provide(Layer.mergeAll(prices, runLimits, rateLimits, Ids.layer))
  )

/**
 * Everything that a customer can ask for and the loop that does it, in this process. What is left open is the
 * ports: Repository, CallDialer, MessageSender, WebhookSink, TableReader, NumberInventory, ScenarioGenerator, AgentSimulator,
 * TemplateRegistry, RecordingStore, RecordingLinks and Secrets.
 */
export const layer = layerOf(InProcess.layer, InMemory.layerConfig)
