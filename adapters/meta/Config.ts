import { Config, type ConfigError, Effect, Layer } from "effect"
import type { CarrierReports } from "../../core/engine/CarrierReports.ts"
import type { MessageSender } from "../../core/ports/MessageSender.ts"
import type { Repository } from "../../core/ports/Repository.ts"
import type { TemplateRegistry } from "../../core/ports/TemplateRegistry.ts"
import type { Templates } from "../../core/usecases/Templates.ts"
import type { CarrierCallbacks } from "../shared/CarrierCallbacks.ts"
import * as Settings from "../shared/Settings.ts"
import * as Callbacks from "./Callbacks.ts"
import type { Account } from "./GraphApi.ts"
import * as Sender from "./MessageSender.ts"
import * as Registry from "./TemplateRegistry.ts"

const url = Config.withDefault(Settings.address("OUTDIAL_META_URL"), "https://graph.facebook.com")

const oldest = 21

const version = Config.string("OUTDIAL_META_VERSION").pipe(
  Config.validate({
    message: `must be a version of the Graph API from v${oldest}.0 on, such as v23.0`,
    validation: (version) => /^v\d{2,3}\.\d$/.test(version) && Number.parseFloat(version.slice(1)) >= oldest
  }),
  Config.withDefault("v23.0")
)

/**
 * `OUTDIAL_META_BUSINESS_ACCOUNT_ID` and `_TOKEN`, at `_URL` (https://graph.facebook.com) in `_VERSION` (v23.0) of its
 * interface.
 */
export const account: Config.Config<Account> = Config.all({
  businessAccountId: Config.string("OUTDIAL_META_BUSINESS_ACCOUNT_ID").pipe(
    Config.validate({ message: "must be digits", validation: (id) => /^\d{1,30}$/.test(id) })
  ),
  token: Config.redacted(Config.nonEmptyString("OUTDIAL_META_TOKEN")),
  url,
  version
})

/** `OUTDIAL_META_TIMEOUT`: how long a request may take, 10 seconds unless it is set. */
export const timeout = Settings.timeout("OUTDIAL_META_TIMEOUT")

export const options = Config.map(Config.all({ account, timeout }), ({ account, timeout }) => ({
  ...account,
  timeout
}))

/** Messages from the account's numbers. */
export const messageSender: Layer.Layer<MessageSender, ConfigError.ConfigError> = Layer.unwrapEffect(
  Effect.map(options, Sender.layer)
)

/** The account's message templates. */
export const templateRegistry: Layer.Layer<TemplateRegistry, ConfigError.ConfigError> = Layer.unwrapEffect(
  Effect.map(options, Registry.layer)
)

export const secrets = Config.all({
  appSecret: Config.redacted(Config.nonEmptyString("OUTDIAL_META_APP_SECRET")),
  verifyToken: Config.redacted(Config.nonEmptyString("OUTDIAL_META_VERIFY_TOKEN"))
})

/** The receiver of what Meta tells, at `/callbacks/meta`, by `OUTDIAL_META_APP_SECRET` and `_VERIFY_TOKEN`. */
export const callbacks: Layer.Layer<
  CarrierCallbacks,
  ConfigError.ConfigError,
  CarrierReports | Repository | Templates
> = Layer.unwrapEffect(Effect.map(secrets, Callbacks.layer))
