import { Config, Context, Effect, Layer, Scope } from "effect"
import * as HttpLayerRouter from "@effect/platform/HttpLayerRouter"
import * as HttpServer from "@effect/platform/HttpServer"
import { Api } from "../contract/Api.ts"
import * as Authentication from "../contract/Authentication.ts"
import * as JsonBody from "../contract/JsonBody.ts"
import * as AgentHandlers from "../handlers/Agents.ts"
import * as ApiKeyHandlers from "../handlers/ApiKeys.ts"
import * as CallBatchHandlers from "../handlers/CallBatches.ts"
import * as CallHandlers from "../handlers/Calls.ts"
import * as CampaignHandlers from "../handlers/Campaigns.ts"
import * as ChangeHandlers from "../handlers/Changes.ts"
import * as CreditHandlers from "../handlers/Credits.ts"
import * as DoNotCallHandlers from "../handlers/DoNotCall.ts"
import * as Operations from "../handlers/Operations.ts"
import * as PeopleHandlers from "../handlers/People.ts"
import * as PhoneNumberHandlers from "../handlers/PhoneNumbers.ts"
import * as RecipientHandlers from "../handlers/Recipients.ts"
import * as RecordingHandlers from "../handlers/Recordings.ts"
import * as RunHandlers from "../handlers/Runs.ts"
import * as SessionHandlers from "../handlers/Sessions.ts"
import * as SimulationHandlers from "../handlers/Simulations.ts"
import * as SuiteHandlers from "../handlers/Suites.ts"
import * as TemplateHandlers from "../handlers/Templates.ts"
import * as UsageHandlers from "../handlers/Usage.ts"
import * as WebhookHandlers from "../handlers/Webhooks.ts"
import * as WorkspaceHandlers from "../handlers/Workspace.ts"
import { basePath } from "./BasePath.ts"
import * as Callbacks from "./Callbacks.ts"
import * as Console from "./Console.ts"
import * as Cors from "./Cors.ts"
import * as Docs from "./Docs.ts"
import * as Envelope from "./Envelope.ts"
import * as Health from "./Health.ts"
import * as Metrics from "./Metrics.ts"
import * as RecordingAudio from "./RecordingAudio.ts"
import * as Router from "./Router.ts"
import * as Routes from "./Routes.ts"

export interface Options {
  /** Where the interface stands: `/v0`. */
  readonly basePath: string
  readonly logRequests: boolean
  /** Whether `/metrics` tells what the runtime counts of its own fibers. Default false. */
  readonly runtimeMetrics?: boolean | undefined
  /** Pages of these origins may call the interface from browsers. Default none. */
  readonly corsOrigins?: ReadonlyArray<string> | undefined
  /** The folder of the built console, which is then served at `/console`. Default none. */
  readonly console?: URL | undefined
}

const Handlers = Layer.mergeAll(
  CallHandlers.layer,
  CallBatchHandlers.layer,
  CampaignHandlers.layer,
  RecipientHandlers.layer,
  SimulationHandlers.layer,
  DoNotCallHandlers.layer,
  SuiteHandlers.layer,
  RunHandlers.layer,
  AgentHandlers.layer,
  PhoneNumberHandlers.layer,
  RecordingHandlers.layer,
  SessionHandlers.layer,
  TemplateHandlers.layer,
  WebhookHandlers.layer,
  ChangeHandlers.layer,
  CreditHandlers.layer,
  PeopleHandlers.layer,
  UsageHandlers.layer,
  WorkspaceHandlers.layer,
  ApiKeyHandlers.layer
).pipe(Layer.provide(Layer.merge(Authentication.layer, JsonBody.layer)))

/** The whole REST adapter as routes, for `HttpLayerRouter.serve` or `HttpLayerRouter.toWebHandler`. */
export const routes = ({
  basePath,
  console,
  corsOrigins = [],
  logRequests,
  runtimeMetrics = false
}: Options) =>
  Layer.mergeAll(
    Operations.add(Api).pipe(
      Layer.provide(Handlers),
      Layer.provide(Operations.shared()),
      Layer.provide(Routes.under(basePath)),
      Layer.provide(HttpServer.layerContext)
    ),
    Layer.mergeAll(
      Docs.layer(basePath),
      Health.layer,
      Metrics.layer(runtimeMetrics),
      Callbacks.layer,
      console === undefined ? Layer.empty : Console.layer(console, basePath)
    ).pipe(Layer.provide(Routes.under(""))),
    Layer.provide(RecordingAudio.layer, Routes.under(basePath)),
    Envelope.layer({
      logRequests,
      corsOrigins,
      methodsOf: Routes.methodsOf(basePath, console === undefined ? [] : Console.paths)
    })
  )

type Routes = ReturnType<typeof routes>

/**
 * The REST adapter, served by whatever `HttpServer` is provided. What routes need they have been given, so that a
 * request's context begins with nothing: it is copied several times for each.
 */
export const layer = (options: Options) =>
  Layer.scopedDiscard(
    Effect.gen(function* () {
      const router = yield* HttpLayerRouter.HttpRouter
      const server = yield* HttpServer.HttpServer
      const scope = yield* Effect.scope
      const served = server.serve(router.asHttpEffect())
      yield* Effect.mapInputContext<void, never, Scope.Scope, never>(served, () =>
        Context.make(Scope.Scope, scope)
      )
    })
  ).pipe(
    // Their failures are answered by the envelope.
    Layer.provide(
      routes(options) as Layer.Layer<
        never,
        Layer.Layer.Error<Routes>,
        HttpLayerRouter.Request.Without<Layer.Layer.Context<Routes>>
      >
    ),
    Layer.provide(Router.layer)
  )

export const settings = Config.all({
  basePath,
  corsOrigins: Cors.origins,
  logRequests: Config.boolean("OUTDIAL_LOG_REQUESTS").pipe(Config.withDefault(true)),
  runtimeMetrics: Config.boolean("OUTDIAL_RUNTIME_METRICS").pipe(Config.withDefault(false))
})

/** With what is no setting. */
export const layerConfigWith = (more: Pick<Options, "console">) =>
  Layer.unwrapEffect(Effect.map(settings, (settings) => layer({ ...settings, ...more })))

export const layerConfig = layerConfigWith({})
