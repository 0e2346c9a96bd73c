import { Layer } from "effect"
import { CarrierReports } from "../../core/engine/CarrierReports.ts"
import { ConversationRunner } from "../../core/engine/ConversationRunner.ts"
import { Ids } from "../../core/ports/Ids.ts"
import { Agents } from "../../core/usecases/Agents.ts"
import { AuditLog } from "../../core/usecases/AuditLog.ts"
import { AvailableNumbers } from "../../core/usecases/AvailableNumbers.ts"
import { CallBatches } from "../../core/usecases/CallBatches.ts"
import { Calls } from "../../core/usecases/Calls.ts"
import { Campaigns } from "../../core/usecases/Campaigns.ts"
import { Carriers } from "../../core/usecases/Carriers.ts"
import { Changes } from "../../core/usecases/Changes.ts"
import { Credits } from "../../core/usecases/Credits.ts"
import { DoNotCallList } from "../../core/usecases/DoNotCallList.ts"
import { Imports } from "../../core/usecases/Imports.ts"
import { People } from "../../core/usecases/People.ts"
import { PhoneNumbers } from "../../core/usecases/PhoneNumbers.ts"
import { Recipients } from "../../core/usecases/Recipients.ts"
import { Recordings } from "../../core/usecases/Recordings.ts"
import { Repeats } from "../../core/usecases/Repeats.ts"
import { Runs } from "../../core/usecases/Runs.ts"
import { Sessions } from "../../core/usecases/Sessions.ts"
import { Simulations } from "../../core/usecases/Simulations.ts"
import { Suites } from "../../core/usecases/Suites.ts"
import { Templates } from "../../core/usecases/Templates.ts"
import { UsageReports } from "../../core/usecases/UsageReports.ts"
import { Webhooks } from "../../core/usecases/Webhooks.ts"
import { Workspaces } from "../../core/usecases/Workspaces.ts"
import type { Ports } from "./Ports.ts"

const useCases = Layer.mergeAll(
  Layer.provideMerge(CallBatches.layer, Calls.layer),
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
  CarrierReports.recording,
  ConversationRunner.holding,
  Sessions.layer,
  Webhooks.layer,
  Repeats.layer,
  Changes.layer,
  Credits.layer,
  People.layer,
  UsageReports.layer,
  Carriers.layer,
  AuditLog.layer,
  Workspaces.layer
)

/** Everything that a customer can ask for, and the loops that do it. */
export const platform = <E, R>(ports: Ports<E, R>) =>
  useCases.pipe(
    Layer.provide(ports.dispatcher),
    Layer.provide(
      Layer.mergeAll(
        ports.prices,
        ports.zones,
        ports.holidays,
        ports.runLimits,
        ports.links,
        ports.trials,
        Ids.layer
      )
    ),
    Layer.provideMerge(ports.rateLimits),
    Layer.provideMerge(
      Layer.mergeAll(
        ports.store,
        ports.carrier,
        ports.sender,
        ports.sink,
        ports.audio,
        ports.tables,
        ports.generator,
        ports.simulator,
        ports.agentModel,
        ports.reviewer,
        ports.tools,
        ports.inventory,
        ports.registry,
        ports.secrets
      )
    ),
    Layer.provideMerge(Layer.merge(CarrierReports.layer, ConversationRunner.layer))
  )
