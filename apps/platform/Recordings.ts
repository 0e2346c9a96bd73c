import { dirname, join } from "node:path"
import { Config, type ConfigError, Duration, Effect, Encoding, Layer, Option, Redacted } from "effect"
import * as HttpServer from "@effect/platform/HttpServer"
import type * as Trials from "../../adapters/browser/Trials.ts"
import { basePath } from "../../adapters/http/server/BasePath.ts"
import * as Folder from "../../adapters/recordings/Folder.ts"
import * as SignedLinks from "../../adapters/recordings/SignedLinks.ts"
import * as SpeechAudio from "../../adapters/simulated/SpeechAudio.ts"
import * as Retention from "../../core/engine/Retention.ts"
import type { RecordingLinks } from "../../core/ports/RecordingLinks.ts"
import type { RecordingStore } from "../../core/ports/RecordingStore.ts"
import { Repository } from "../../core/ports/Repository.ts"
import { Secrets } from "../../core/ports/Secrets.ts"
import { carrierName } from "./Providers.ts"
import * as Store from "./Store.ts"

/** `OUTDIAL_RECORDINGS_DIR`, default `recordings` beside the database file, or in the working directory. */
export const folder: Config.Config<string> = Config.nonEmptyString("OUTDIAL_RECORDINGS_DIR").pipe(
  Config.orElse(() =>
    Config.map(Store.location, (place) =>
      place._tag === "Sqlite" ? join(dirname(place.filename), "recordings") : "recordings"
    )
  )
)

/** Audio in a local folder; with Twilio, at Twilio. */
export const store: Layer.Layer<RecordingStore, ConfigError.ConfigError> = Layer.unwrapEffect(
  Effect.gen(function* () {
    if ((yield* carrierName) === "twilio") {
      return (yield* Effect.promise(() => import("../../adapters/twilio/RecordingStore.ts"))).layerConfig
    }
    return Folder.layer({ folder: yield* folder, source: SpeechAudio.source })
  })
)

export const leastSecretBytes = 32

const secret = Config.nonEmptyString("OUTDIAL_RECORDING_SECRET").pipe(
  Config.validate({
    message: `must have at least ${leastSecretBytes} bytes`,
    validation: (secret) => Buffer.byteLength(secret) >= leastSecretBytes
  }),
  Config.map((secret) => Redacted.make(secret)),
  Config.option
)

const lifetime = Config.duration("OUTDIAL_RECORDING_LINK_LIFETIME").pipe(
  Config.validate({
    message: "must be from 1 second to 7 days",
    validation: Duration.between({ minimum: "1 second", maximum: "7 days" })
  }),
  Config.withDefault(Duration.hours(1))
)

/** `OUTDIAL_PUBLIC_URL`, without slashes at its end: where others reach this server. */
export const publicOrigin = Config.url("OUTDIAL_PUBLIC_URL").pipe(
  Config.validate({
    message: "must be an address that begins with https: or http: and holds no credentials",
    validation: ({ password, protocol, username }) =>
      /^https?:$/.test(protocol) && username === "" && password === ""
  }),
  Config.map(({ href }) => href.replace(/\/+$/, "")),
  Config.option
)

const days = Config.number("OUTDIAL_RECORDING_RETENTION_DAYS").pipe(
  Config.validate({ message: "must be greater than 0", validation: (days) => days > 0 }),
  Config.option
)

export const settings = Config.all({
  secret,
  lifetime,
  publicOrigin,
  basePath,
  folder,
  days
})

const originOf = (address: HttpServer.Address): string =>
  address._tag === "TcpAddress" && address.hostname.includes(":")
    ? `http://[${address.hostname}]:${address.port}`
    : HttpServer.formatAddress(address)

/** What all processes on one store sign with: made at the first start, and read at every other. */
const ownSecret = Effect.gen(function* () {
  const { recordings } = yield* Repository
  const fresh = Encoding.encodeHex(yield* (yield* Secrets).random(leastSecretBytes))
  return Redacted.make(yield* recordings.secret(fresh))
})

/** `OUTDIAL_RECORDING_SECRET`, or the store's. */
const signingSecret = Effect.flatMap(secret, (set) =>
  Option.isSome(set) ? Effect.succeed(set.value) : ownSecret
)

/** Addresses at which agents are tried out, sealed with the same. */
export const trials = Effect.gen(function* () {
  const { basePath, publicOrigin } = yield* settings
  const { address } = yield* HttpServer.HttpServer
  return {
    basePath,
    secret: yield* signingSecret,
    publicOrigin: Option.getOrUndefined(publicOrigin),
    ownOrigin: originOf(address)
  } satisfies Trials.Options
})

/** Links that are signed with `OUTDIAL_RECORDING_SECRET`, or with a secret of the store's. */
export const links: Layer.Layer<
  RecordingLinks,
  ConfigError.ConfigError,
  Repository | Secrets | HttpServer.HttpServer
> = Layer.unwrapEffect(
  Effect.gen(function* () {
    const { basePath, lifetime, publicOrigin } = yield* settings
    const { address } = yield* HttpServer.HttpServer
    return SignedLinks.layer({
      basePath,
      lifetime,
      secret: yield* signingSecret,
      publicOrigin: Option.getOrUndefined(publicOrigin),
      ownOrigin: originOf(address)
    })
  })
)

/** Deletes recordings after `OUTDIAL_RECORDING_RETENTION_DAYS`; they are kept for ever when that is not set. */
export const retention = Layer.unwrapEffect(
  Effect.map(days, (days) => (Option.isSome(days) ? Retention.layer(days.value) : Layer.empty))
)
