import { Config, ConfigError, Effect, Redacted } from "effect"
import * as Limits from "./Limits.ts"
import { carrierName, messagesName, mind, modelUrl, numbersName } from "./Providers.ts"
import * as Recordings from "./Recordings.ts"
import { choice } from "./Settings.ts"
import * as Store from "./Store.ts"
import * as Telemetry from "./Telemetry.ts"

/** What can be wrong by itself. */
export type Part = "server" | "store" | "carrier" | "numbers" | "messages" | "model"

type Reading = Effect.Effect<unknown, ConfigError.ConfigError>

/** `OUTDIAL_BOOTSTRAP_API_KEY`: the key of the workspace that the first start makes. */
export const bootstrapKey = Config.nonEmptyString("OUTDIAL_BOOTSTRAP_API_KEY").pipe(
  Config.validate({
    message: "must look like od_live_<id>_<secret of 32 characters or more>",
    validation: (key) => /^od_live_[A-Za-z0-9]{1,64}_[A-Za-z0-9_-]{32,128}$/.test(key)
  }),
  Config.map((secret) => Redacted.make(secret)),
  Config.option
)

/** Reads the settings of a module that is loaded only for this. */
const of = <Module>(
  load: () => Promise<Module>,
  config: (module: Module) => Config.Config<unknown>
): Reading => Effect.flatMap(Effect.promise(load), config)

const twilio = () => import("../../adapters/twilio/Config.ts")
const meta = () => import("../../adapters/meta/Config.ts")

/** Reads settings where the value that chooses them is the one that they belong to. */
const where = <Value>(
  chosen: Config.Config<Value>,
  is: (value: Value) => boolean,
  reading: Reading
): Reading => Effect.flatMap(chosen, (value) => (is(value) ? reading : Effect.void))

/** Everything that the server reads of its settings at its start. */
export const readings: Readonly<Record<Part, ReadonlyArray<Reading>>> = {
  server: [
    of(
      () => import("../../adapters/http/server/NodeServer.ts"),
      ({ settings }) => settings
    ),
    of(
      () => import("../../adapters/http/server/Http.ts"),
      ({ settings }) => settings
    ),
    of(
      () => import("../../adapters/shared/OpenSockets.ts"),
      ({ OpenSockets }) => OpenSockets.settings
    ),
    of(
      () => import("../../adapters/shared/GuardedPost.ts"),
      ({ settings }) => settings
    ),
    of(
      () => import("../../adapters/jwt/TokenVerifier.ts"),
      ({ settings }) => settings
    ),
    bootstrapKey,
    Recordings.settings,
    Limits.settings,
    Telemetry.settings
  ],
  store: [
    Store.settings,
    choice("OUTDIAL_CLUSTER_HEALTH"),
    where(
      Store.location,
      ({ _tag }) => _tag === "Postgres",
      of(
        () => import("../../adapters/cluster/Config.ts"),
        ({ options }) => options
      )
    )
  ],
  carrier: [
    where(
      carrierName,
      (name) => name === "simulated",
      of(
        () => import("../../adapters/simulated/Config.ts"),
        ({ settings }) => settings
      )
    ),
    where(
      carrierName,
      (name) => name === "twilio",
      of(twilio, ({ dialer }) => dialer)
    ),
    mind
  ],
  numbers: [
    where(
      numbersName,
      (name) => name === "twilio",
      of(twilio, ({ inventory }) => inventory)
    )
  ],
  messages: [
    where(
      messagesName,
      (name) => name === "meta",
      of(meta, ({ options, secrets }) => Config.all([options, secrets]))
    )
  ],
  model: [
    where(
      modelUrl,
      (url) => url !== "",
      of(
        () => import("../../adapters/llm/OpenAiCompatible.ts"),
        ({ settings }) => settings
      )
    )
  ]
}

const allParts = Object.keys(readings) as ReadonlyArray<Part>

/** Fails with all that is wrong with the settings of these parts: what a server asks before its start, and `doctor`. */
export const check = (parts: ReadonlyArray<Part> = allParts): Effect.Effect<void, ConfigError.ConfigError> =>
  Effect.flatMap(
    Effect.partition(
      parts.flatMap((part) => readings[part]),
      (reading) => reading
    ),
    ([errors]) =>
      errors.length === 0
        ? Effect.void
        : Effect.fail(errors.reduce((all, error) => ConfigError.And(all, error)))
  )
