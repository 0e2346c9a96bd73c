import { Effect, Layer } from "effect"
import type { HttpServer } from "@effect/platform/HttpServer"
import * as Secrets from "../../adapters/crypto/Secrets.ts"
import * as NumberZones from "../../adapters/numbering/NumberZones.ts"
import * as PublicHolidays from "../../adapters/numbering/PublicHolidays.ts"
import type { OpenSockets } from "../../adapters/shared/OpenSockets.ts"
import * as Dispatch from "./Dispatch.ts"
import { limits } from "./Limits.ts"
import type { Ports, Unavailable } from "./Ports.ts"
import * as Providers from "./Providers.ts"
import * as Recordings from "./Recordings.ts"
import { trialLinks } from "./Sockets.ts"
import * as Store from "./Store.ts"

/** Delivery by HTTP, whose sockets are loaded only where they are used. */
const sink = Layer.unwrapEffect(
  Effect.map(
    Effect.promise(() => import("../../adapters/webhooks/HttpSink.ts")),
    ({ layerConfig }) => layerConfig
  )
)

/** Agents' own tools are carried out by HTTP, and loaded likewise. */
const tools = Layer.unwrapEffect(
  Effect.map(
    Effect.promise(() => import("../../adapters/tools/HttpTools.ts")),
    ({ layerConfig }) => layerConfig
  )
)

/** Tables are read by a process of their own, which starts with the first of them. */
const tables = Layer.unwrapEffect(
  Effect.map(
    Effect.promise(() => import("../../adapters/tables/TableReader.ts")),
    ({ layer }) => layer
  )
)

/** All ports as the settings have it. Links to recordings begin with the server's own address unless one is set. */
export const fromSettings: Ports<Unavailable, HttpServer | OpenSockets> = {
  store: Store.layer,
  carrier: Providers.carrier,
  sender: Providers.sender,
  sink,
  audio: Recordings.store,
  tables,
  generator: Providers.generator,
  simulator: Providers.simulator,
  agentModel: Providers.agentModel,
  reviewer: Providers.reviewer,
  tools,
  inventory: Providers.inventory,
  registry: Providers.registry,
  secrets: Secrets.layer,
  zones: NumberZones.layer,
  holidays: PublicHolidays.layer,
  ...limits,
  rateLimits: Dispatch.rateLimits,
  links: Recordings.links,
  trials: trialLinks,
  dispatcher: Dispatch.dispatcher
}
