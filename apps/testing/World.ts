import { ConfigProvider, Effect, Layer, Logger, LogLevel, ManagedRuntime, Random, Redacted } from "effect"
import * as CryptoSecrets from "../../adapters/crypto/Secrets.ts"
import * as FetchServer from "../../adapters/http/server/FetchServer.ts"
import * as Http from "../../adapters/http/server/Http.ts"
import * as SignedLinks from "../../adapters/recordings/SignedLinks.ts"
import { CarrierCallbacks } from "../../adapters/shared/CarrierCallbacks.ts"
import * as Inbox from "../../adapters/simulated/WebhookInbox.ts"
import type { CarrierReports } from "../../core/engine/CarrierReports.ts"
import type { CallDialer } from "../../core/ports/CallDialer.ts"
import { Secrets } from "../../core/ports/Secrets.ts"
import * as Tokens from "../library/ports/Tokens.ts"
import { inMemory } from "../platform/InMemory.ts"
import { limits } from "../platform/Limits.ts"
import { platform } from "../platform/Platform.ts"
import type { SteppedTime } from "./SteppedTime.ts"

/** Where the REST interface stands, for `fetch`. Nothing is ever sent there. */
export const origin = "http://outdial.test"
export const basePath = "/v0"

export interface Options {
  readonly time: SteppedTime
  readonly seed: number
  readonly carrier: Layer.Layer<CallDialer, never, CarrierReports>
  readonly settings: Readonly<Record<string, string>>
}

/** Keys and secrets are made by the seed, so that a test's output is the same whenever it runs. */
const secrets = (seed: number) => {
  const chance = Random.make(`secrets of ${seed}`)
  const random = (bytes: number) =>
    Effect.map(Effect.all(Array.from({ length: bytes }, () => chance.nextIntBetween(0, 256))), (values) =>
      Uint8Array.from(values)
    )
  return Layer.effect(
    Secrets,
    Effect.map(Secrets, (real) => Secrets.of({ ...real, random }))
  ).pipe(Layer.provide(CryptoSecrets.layer))
}

/** Everything in memory, with the test's carrier, and prices and limits of the settings. */
const ports = ({ carrier, seed }: Options) => ({
  ...inMemory,
  ...limits,
  carrier,
  secrets: secrets(seed),
  links: SignedLinks.layer({ ownOrigin: origin, basePath, secret: Redacted.make(`links of ${seed}`) })
})

/** Whose time it is, whose chance, and that errors alone are logged. */
const surroundings = ({ seed, time }: Options) =>
  Layer.mergeAll(
    Layer.setClock(time),
    Layer.setScheduler(time),
    Layer.setRandom(Random.make(seed)),
    Layer.setTracerEnabled(false),
    Logger.replace(Logger.defaultLogger, Logger.withConsoleError(Logger.logfmtLogger)),
    Logger.minimumLogLevel(LogLevel.Error)
  )

/** Made once for all platforms of a process: its reference takes as long to write as the rest to build. */
const rest = Http.layer({ basePath, logRequests: false })

/** The whole platform in memory, its REST interface included, in a time of its own. */
export const makeWorld = (options: Options) =>
  ManagedRuntime.make(
    rest.pipe(
      Layer.provideMerge(FetchServer.layer({})),
      Layer.provide(Layer.merge(Tokens.none, CarrierCallbacks.none)),
      Layer.provideMerge(platform(ports(options))),
      // The sink of the platform, whose inbox the test reads.
      Layer.provideMerge(Inbox.layer),
      Layer.provide(
        Layer.setConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(options.settings))))
      ),
      Layer.provideMerge(surroundings(options))
    )
  )

export type World = ReturnType<typeof makeWorld>
