import { Config, Duration, Effect, Layer } from "effect"
import * as InProcess from "../../adapters/memory/Dispatcher.ts"
import * as InMemory from "../../adapters/memory/RateLimits.ts"
import { Agents } from "../../core/agents/Agents.ts"
import { Calls } from "../../core/calls/Calls.ts"
import * as ProgressFeed from "../../core/calls/ProgressFeed.ts"
import { Campaigns } from "../../core/campaigns/Campaigns.ts"
import { Imports } from "../../core/campaigns/Imports.ts"
import { Recipients } from "../../core/campaigns/Recipients.ts"
import { Replies } from "../../core/messages/Replies.ts"
import { Ids } from "../../core/Ids.ts"
import { AvailableNumbers } from "../../core/numbers/AvailableNumbers.ts"
import { DoNotCallList } from "../../core/numbers/DoNotCallList.ts"
import { PhoneNumbers } from "../../core/numbers/PhoneNumbers.ts"
import type { Dispatcher } from "../../core/ports/Dispatcher.ts"
import type { RateLimits } from "../../core/ports/RateLimits.ts"
import { Recordings } from "../../core/recordings/Recordings.ts"
import { RunLimits } from "../../core/suites/RunLimits.ts"
import { Runs } from "../../core/suites/Runs.ts"
import { Simulations } from "../../core/simulation/Simulations.ts"
import { Suites } from "../../core/suites/Suites.ts"
import { Templates } from "../../core/templates/Templates.ts"
import { Webhooks } from "../../core/webhooks/Webhooks.ts"
import { Credits } from "../../core/workspaces/Credits.ts"
import { DueWork } from "../../core/workspaces/DueWork.ts"
import { Prices } from "../../core/workspaces/Prices.ts"
import { Workspaces } from "../../core/workspaces/Workspaces.ts"

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
