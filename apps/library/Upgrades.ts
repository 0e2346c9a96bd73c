import { type Context, Layer } from "effect"
import * as FetchServer from "../../adapters/http/server/FetchServer.ts"
import { SocketHandler } from "../../adapters/http/server/WebSockets.ts"
import { sockets } from "../platform/Sockets.ts"
import { type Services, settingsOf } from "./Assembly.ts"
import type { Options } from "./Options.ts"

/** WebSockets over the services of a platform that runs. */
export const socketsOf = (options: Options, services: Context.Context<Services>) =>
  SocketHandler.layer.pipe(
    Layer.provide(sockets),
    Layer.provide(FetchServer.layer({})),
    Layer.provide(Layer.succeedContext(services)),
    Layer.provide(Layer.setConfigProvider(settingsOf(options)))
  )

export { SocketHandler }
