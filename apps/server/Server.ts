import { Console, Effect, Layer } from "effect"
import * as HttpServer from "@effect/platform/HttpServer"
import { basePath } from "../../adapters/http/server/BasePath.ts"
import { path as consolePath } from "../../adapters/http/server/Console.ts"
import * as Http from "../../adapters/http/server/Http.ts"
import * as NodeServer from "../../adapters/http/server/NodeServer.ts"
import * as WebSockets from "../../adapters/http/server/WebSockets.ts"
import * as TokenVerifier from "../../adapters/jwt/TokenVerifier.ts"
import { OpenSockets } from "../../adapters/shared/OpenSockets.ts"
import * as Housekeeping from "../../core/engine/Housekeeping.ts"
import { Imports } from "../../core/usecases/Imports.ts"
import { folder } from "../console/Folder.ts"
import * as Configuration from "../platform/Configuration.ts"
import { whileLocked } from "../platform/Dispatch.ts"
import { fromSettings } from "../platform/FromSettings.ts"
import { release } from "../platform/Heap.ts"
import { platform } from "../platform/Platform.ts"
import * as Providers from "../platform/Providers.ts"
import * as Recordings from "../platform/Recordings.ts"
import * as RootFibers from "../platform/RootFibers.ts"
import { sockets } from "../platform/Sockets.ts"
import * as Telemetry from "../platform/Telemetry.ts"
import { patiently } from "../platform/Waiting.ts"
import * as SimulatorProcess from "../simulation/SimulatorProcess.ts"
import * as Bootstrap from "./Bootstrap.ts"

const address = Effect.gen(function* () {
  const server = yield* HttpServer.HttpServer
  return { origin: HttpServer.formatAddress(server.address), base: yield* basePath }
})

const welcome = Layer.unwrapEffect(Effect.map(address, Bootstrap.layer))

const listening = Layer.effectDiscard(
  Effect.gen(function* () {
    const { base, origin } = yield* address
    release()
    yield* RootFibers.unlist
    yield* Console.log(
      `Listening on ${origin}${base}, console at ${origin}${consolePath}, API reference at ${origin}/docs`
    )
  })
)

/** It answers once the first start has made what it promises. */
const answering = listening.pipe(
  Layer.provide(Layer.merge(Http.layerConfigWith({ console: folder }), WebSockets.layer)),
  Layer.provide(patiently(whileLocked(welcome)))
)

const ports = {
  ...fromSettings,
  store: patiently(fromSettings.store),
  dispatcher: patiently(fromSettings.dispatcher)
}

const serving = Layer.mergeAll(answering, Recordings.retention, Housekeeping.layer, Imports.closing).pipe(
  Layer.provide(TokenVerifier.layerConfig),
  Layer.provide(Layer.merge(Providers.callbacks, sockets)),
  Layer.provide(platform(ports)),
  Layer.provide(Layer.merge(SimulatorProcess.layerConfig, OpenSockets.layerConfig)),
  // It listens before the store is opened: a process that cannot listen leaves the store as it is.
  Layer.provide(NodeServer.layerConfig),
  Layer.provide(Telemetry.tracing),
  Layer.provide(Telemetry.logging)
)

/** The server process: REST interface, due-work loops and delivery. Settings that cannot work end it before it begins. */
export const layer = Layer.unwrapEffect(Effect.as(Configuration.check(), serving))
