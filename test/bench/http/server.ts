import { createServer } from "node:http"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Context, Effect, Layer } from "effect"
import * as Http from "../../../adapters/http/server/Http.ts"
import * as NodeServer from "../../../adapters/http/server/NodeServer.ts"
import * as TokenVerifier from "../../../adapters/jwt/TokenVerifier.ts"
import * as MemoryRepository from "../../../adapters/memory/Repository.ts"
import { CarrierCallbacks } from "../../../adapters/shared/CarrierCallbacks.ts"
import { allScopes } from "../../../core/model/workspaces/Principal.ts"
import { Workspaces } from "../../../core/usecases/Workspaces.ts"
import * as Platform from "../Platform.ts"

/** Serves the REST interface over the store in memory: `server.ts own|platform-node <port>`. */
const [, , name, port] = process.argv
const listener = { host: "127.0.0.1", port: Number(port) }
const server =
  name === "own" ? NodeServer.layer(listener) : NodeHttpServer.layerServer(createServer, listener)

const callbacks = Layer.succeed(CarrierCallbacks, {
  handle: () => Effect.succeed({ status: 200, body: "", contentType: "text/plain" })
})

const app = Http.layer({ basePath: "/v0", logRequests: false }).pipe(
  Layer.provideMerge(Layer.merge(server, Platform.resting(MemoryRepository.layer))),
  Layer.provide(Layer.merge(TokenVerifier.layer({}), callbacks)),
  Layer.provide(Layer.setTracerEnabled(false))
)

await Effect.gen(function* () {
  const context = yield* Layer.build(app)
  const caps = { max_concurrency: 1, calls_per_second: 1 }
  const { agent_id, workspace_id } = yield* Effect.provide(Platform.workspaceWith(caps), context)
  const key = { name: "bench", scopes: allScopes, key: Platform.key }
  yield* Context.get(context, Workspaces).createKey(workspace_id, key)
  process.stdout.write(`serves ${agent_id}\n`)
  return yield* Effect.never
}).pipe(Effect.scoped, Effect.runPromise)
