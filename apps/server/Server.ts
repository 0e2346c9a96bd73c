import { Config, Effect, Layer } from "effect"
import * as HttpServer from "@effect/platform/HttpServer"
import * as Secrets from "../../adapters/crypto/Secrets.ts"
import * as Http from "../../adapters/http/server/Http.ts"
import * as NodeServer from "../../adapters/http/server/NodeServer.ts"
import * as TokenVerifier from "../../adapters/jwt/TokenVerifier.ts"
import * as TableReader from "../../adapters/tables/TableReader.ts"
import * as HttpSink from "../../adapters/webhooks/HttpSink.ts"
import * as Simulator from "../simulation/SimulatorProcess.ts"
import * as Callbacks from "../wiring/Callbacks.ts"
import * as Carrier from "../wiring/Carrier.ts"
import * as Dispatch from "../wiring/Dispatch.ts"
import * as Messages from "../wiring/Messages.ts"
import * as Model from "../wiring/Model.ts"
import * as Numbers from "../wiring/Numbers.ts"
import * as Recordings from "../wiring/Recordings.ts"
import * as Store from "../wiring/Store.ts"
import * as Telemetry from "../wiring/Telemetry.ts"
import * as Bootstrap from "./Bootstrap.ts"

const ports = Layer.mergeAll(
  Store.layer,
  Carrier.layer,
  Recordings.store,
  Messages.sender,
  HttpSink.layerConfig,
  TableReader.layer,
  Simulator.layerConfig,
  Model.layer,
  Numbers.layer,
  Messages.registry,
  Secrets.layer
)

const welcome = Layer.unwrapEffect(
  Effect.gen(function* () {
    const server = yield* HttpServer.HttpServer
    const base = yield* Config.withDefault(Config.string("OUTDIAL_BASE_PATH"), "/v0")
    return Bootstrap.layer({ origin: HttpServer.formatAddress(server.address), base })
  })
)

/** The server process: REST interface, due-work loops and delivery, on the store and the carrier of the settings. */
export const layer = Layer.mergeAll(Http.layerConfig, Dispatch.inTurn(welcome), Recordings.retention).pipe(
  Layer.provide(TokenVerifier.layerConfig),
  Layer.provide(Callbacks.layer),
  Layer.provide(Dispatch.layer),
  Layer.provide(Recordings.links),
  Layer.provide(NodeServer.layerConfig),
  Layer.provide(ports),
  Layer.provide(Telemetry.tracing),
  Layer.provide(Telemetry.logging)
)
