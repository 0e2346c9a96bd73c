import { Config, type ConfigError, Effect, Layer, Option } from "effect"
import type { CarrierReports } from "../../core/engine/CarrierReports.ts"
import type { CallDialer } from "../../core/ports/CallDialer.ts"
import type { NumberInventory } from "../../core/ports/NumberInventory.ts"
import type { Repository } from "../../core/ports/Repository.ts"
import type { CarrierCallbacks } from "../shared/CarrierCallbacks.ts"
import * as Settings from "../shared/Settings.ts"
import * as Callbacks from "./Callbacks.ts"
import * as Dialer from "./CallDialer.ts"
import type { KnownCalls } from "./KnownCalls.ts"
import * as Inventory from "./NumberInventory.ts"
import type { Account } from "./RestApi.ts"

/** `OUTDIAL_TWILIO_AUTH_TOKEN`: what callbacks are signed with, and requests too unless there is an API key. */
export const authToken = Config.redacted(Config.nonEmptyString("OUTDIAL_TWILIO_AUTH_TOKEN"))

/** `OUTDIAL_PUBLIC_URL`: where Twilio reaches this server. */
export const publicUrl = Settings.address("OUTDIAL_PUBLIC_URL")

const apiKey = Config.all({
  sid: Config.option(Config.nonEmptyString("OUTDIAL_TWILIO_API_KEY")),
  secret: Config.option(Config.redacted(Config.nonEmptyString("OUTDIAL_TWILIO_API_KEY_SECRET")))
}).pipe(
  Config.validate({
    message: "OUTDIAL_TWILIO_API_KEY and OUTDIAL_TWILIO_API_KEY_SECRET must be set both, or neither",
    validation: ({ secret, sid }) => Option.isSome(sid) === Option.isSome(secret)
  })
)

/**
 * `OUTDIAL_TWILIO_ACCOUNT_SID`, `_URL` (https://api.twilio.com), and `_AUTH_TOKEN`, or, for requests,
 * `_API_KEY` with `_API_KEY_SECRET`.
 */
export const account: Config.Config<Account> = Config.all({
  accountSid: Config.nonEmptyString("OUTDIAL_TWILIO_ACCOUNT_SID"),
  authToken,
  apiKey,
  url: Config.withDefault(Settings.address("OUTDIAL_TWILIO_URL"), "https://api.twilio.com")
}).pipe(
  Config.map(({ accountSid, apiKey, authToken, url }) => ({
    accountSid,
    url,
    username: Option.getOrElse(apiKey.sid, () => accountSid),
    password: Option.getOrElse(apiKey.secret, () => authToken)
  }))
)

/** `OUTDIAL_TWILIO_TIMEOUT`: how long a request may take, 10 seconds unless it is set. */
export const timeout = Settings.timeout("OUTDIAL_TWILIO_TIMEOUT")

const flag = (name: string) => Config.withDefault(Config.boolean(name), false)

export const dialer = Config.all({
  account,
  authToken,
  publicUrl,
  timeout,
  conversationUrl: Settings.address("OUTDIAL_TWILIO_CONVERSATION_URL", ["wss:"]),
  machineDetection: flag("OUTDIAL_TWILIO_MACHINE_DETECTION"),
  record: flag("OUTDIAL_TWILIO_RECORD")
})

/**
 * The account's calls, held with the conversation at `OUTDIAL_TWILIO_CONVERSATION_URL` (wss://…), recorded if
 * `OUTDIAL_TWILIO_RECORD`, machines told from people if `OUTDIAL_TWILIO_MACHINE_DETECTION`.
 */
export const callDialer: Layer.Layer<CallDialer | KnownCalls, ConfigError.ConfigError> = Layer.unwrapEffect(
  Effect.map(dialer, ({ account, ...options }) => Dialer.layer({ ...account, ...options }))
)

/** The receiver of what Twilio tells, for the server to put below `/callbacks/twilio/`. */
export const callbacks: Layer.Layer<CarrierCallbacks, ConfigError.ConfigError, CarrierReports | Repository> =
  Layer.unwrapEffect(Effect.map(Config.all({ authToken, publicUrl }), Callbacks.layer))

export const inventory = Config.all({
  account,
  timeout,
  pricingUrl: Config.withDefault(
    Settings.address("OUTDIAL_TWILIO_PRICING_URL"),
    "https://pricing.twilio.com"
  ),
  country: Config.string("OUTDIAL_TWILIO_COUNTRY").pipe(
    Config.validate({
      message: "must be a country's two letters (ISO 3166 alpha-2)",
      validation: (country) => /^[A-Za-z]{2}$/.test(country)
    }),
    Config.withDefault("US")
  )
})

/** Numbers for sale at `OUTDIAL_TWILIO_PRICING_URL`'s prices, in `OUTDIAL_TWILIO_COUNTRY` (US) if no country is asked for. */
export const numberInventory: Layer.Layer<NumberInventory, ConfigError.ConfigError> = Layer.unwrapEffect(
  Effect.map(inventory, ({ account, ...options }) => Inventory.layer({ ...account, ...options }))
)
