import { Config, ConfigError, Effect, Either, Layer, Option } from "effect"
import type { CarrierReports } from "../../core/engine/CarrierReports.ts"
import { ConversationRunner } from "../../core/engine/ConversationRunner.ts"
import type { CallDialer } from "../../core/ports/CallDialer.ts"
import type { NumberInventory } from "../../core/ports/NumberInventory.ts"
import type { Repository } from "../../core/ports/Repository.ts"
import { checkUrl } from "../shared/AddressPolicy.ts"
import type { CarrierCallbacks } from "../shared/CarrierCallbacks.ts"
import { LiveSockets, type SocketTalk } from "../shared/LiveSockets.ts"
import { OpenSockets } from "../shared/OpenSockets.ts"
import * as Settings from "../shared/Settings.ts"
import * as Callbacks from "./Callbacks.ts"
import * as Dialer from "./CallDialer.ts"
import * as Conversations from "./Conversations.ts"
import type { KnownCalls } from "./KnownCalls.ts"
import * as Inventory from "./NumberInventory.ts"
import type { Account } from "./RestApi.ts"

/** `OUTDIAL_TWILIO_AUTH_TOKEN`: what callbacks are signed with, and requests too unless there is an API key. */
export const authToken = Config.redacted(Config.nonEmptyString("OUTDIAL_TWILIO_AUTH_TOKEN"))

const url = Config.withDefault(Settings.address("OUTDIAL_TWILIO_URL"), "https://api.twilio.com")

/** Whether only this machine or its network can open an address: a name without a dot is no public one either. */
const isLocal = (address: string) => {
  const { hostname } = new URL(address)
  const isPublic = Either.isRight(checkUrl(address.replace(/^ws/, "http"), { allowPrivate: false }))
  return !isPublic || !/[.:]/.test(hostname)
}

/** An address that Twilio opens: over the Internet, unless a stand-in on a local address has Twilio's place. */
const reached = (name: string, protocols: readonly [string, ...Array<string>]): Config.Config<string> =>
  Config.all({ api: url, address: Settings.address(name, protocols) }).pipe(
    Config.mapOrFail(({ address, api }) => {
      const refused = (must: string) =>
        Either.left(ConfigError.InvalidData([name], `must ${must}: Twilio opens it over the Internet`))
      if (isLocal(api)) return Either.right(address)
      if (!address.startsWith(protocols[0])) return refused(`begin with ${protocols[0]}//`)
      return isLocal(address) ? refused("be a public address") : Either.right(address)
    })
  )

/** Whether telephones ring, and their conversations are held here: not those at a stand-in, nor those held elsewhere. */
export const talksToPeople = Config.map(
  Config.all({ api: url, elsewhere: Config.option(Config.string("OUTDIAL_TWILIO_CONVERSATION_URL")) }),
  ({ api, elsewhere }) => Option.isNone(elsewhere) && !isLocal(api)
)

/** `OUTDIAL_PUBLIC_URL`: where Twilio reaches this server. */
export const publicUrl = reached("OUTDIAL_PUBLIC_URL", ["https:", "http:"]).pipe(
  Config.mapOrFail((address) =>
    /[?#]/.test(address)
      ? Either.left(
          ConfigError.InvalidData(["OUTDIAL_PUBLIC_URL"], "must end with its path, without ? and #")
        )
      : Either.right(address)
  )
)

const apiKey = Config.all({
  sid: Config.option(Config.nonEmptyString("OUTDIAL_TWILIO_API_KEY")),
  secret: Config.option(Config.redacted(Config.nonEmptyString("OUTDIAL_TWILIO_API_KEY_SECRET")))
}).pipe(
  Config.validate({
    message: "OUTDIAL_TWILIO_API_KEY and OUTDIAL_TWILIO_API_KEY_SECRET must be set both, or neither",
    validation: ({ secret, sid }) => Option.isSome(sid) === Option.isSome(secret)
  })
)

/** Twilio's own ids. Compatible providers have others. */
const isId = (kind: "AC" | "SK", id: string, url: string) =>
  new RegExp(`^${kind}[0-9a-fA-F]{32}$`).test(id) || !/(^|\.)twilio\.com$/.test(new URL(url).hostname)

/**
 * `OUTDIAL_TWILIO_ACCOUNT_SID`, `_URL` (https://api.twilio.com), and `_AUTH_TOKEN`, or, for requests,
 * `_API_KEY` with `_API_KEY_SECRET`.
 */
export const account: Config.Config<Account> = Config.all({
  accountSid: Config.nonEmptyString("OUTDIAL_TWILIO_ACCOUNT_SID"),
  authToken,
  apiKey,
  url
}).pipe(
  Config.mapOrFail(({ accountSid, apiKey, authToken, url }) => {
    const refused = (name: string, kind: string) =>
      Either.left(ConfigError.InvalidData([name], `must be ${kind} and 32 hexadecimal digits`))
    if (!isId("AC", accountSid, url)) return refused("OUTDIAL_TWILIO_ACCOUNT_SID", "AC")
    const username = Option.getOrElse(apiKey.sid, () => accountSid)
    if (Option.isSome(apiKey.sid) && !isId("SK", username, url))
      return refused("OUTDIAL_TWILIO_API_KEY", "SK")
    return Either.right({
      accountSid,
      url,
      username,
      password: Option.getOrElse(apiKey.secret, () => authToken)
    })
  })
)

/** `OUTDIAL_TWILIO_TIMEOUT`: how long a request may take, 10 seconds unless it is set. */
export const timeout = Settings.timeout("OUTDIAL_TWILIO_TIMEOUT")

const flag = (name: string) => Config.withDefault(Config.boolean(name), false)

export const dialer = Config.all({
  account,
  authToken,
  publicUrl,
  timeout,
  conversationUrl: Config.map(
    Config.option(reached("OUTDIAL_TWILIO_CONVERSATION_URL", ["wss:"])),
    Option.getOrNull
  ),
  machineDetection: flag("OUTDIAL_TWILIO_MACHINE_DETECTION"),
  record: flag("OUTDIAL_TWILIO_RECORD")
})

/**
 * The account's calls, recorded if `OUTDIAL_TWILIO_RECORD`, machines told from people if
 * `OUTDIAL_TWILIO_MACHINE_DETECTION`. Their conversations are held at `OUTDIAL_TWILIO_CONVERSATION_URL` (wss://…), or
 * here when that is not set.
 */
export const callDialer: Layer.Layer<CallDialer | KnownCalls, ConfigError.ConfigError, OpenSockets> =
  Layer.unwrapEffect(
    Effect.gen(function* () {
      const { account, ...options } = yield* dialer
      const sockets = options.conversationUrl === null ? yield* OpenSockets : undefined
      return Dialer.layer({ ...account, ...options, sockets })
    })
  )

/** How a conversation is held over a relay's socket. */
type TalkBy = (runner: ConversationRunner["Type"]) => SocketTalk

/** The conversations that are held here; undefined when they are held elsewhere. */
const conversations = (talkBy: TalkBy) =>
  Effect.gen(function* () {
    const { authToken, conversationUrl, publicUrl } = yield* dialer
    if (conversationUrl !== null) return undefined
    return yield* Conversations.make({ authToken, publicUrl, talk: talkBy(yield* ConversationRunner) })
  })

type Needs = CarrierReports | ConversationRunner | Repository

/** The receiver of what Twilio tells, for the server to put below `/callbacks/twilio/`. */
export const callbacks = (talkBy: TalkBy): Layer.Layer<CarrierCallbacks, ConfigError.ConfigError, Needs> =>
  Layer.unwrapEffect(
    Effect.gen(function* () {
      const { authToken, publicUrl, record } = yield* dialer
      return Callbacks.layer({
        authToken,
        publicUrl,
        conversations: yield* conversations(talkBy),
        record
      })
    })
  )

/** The sockets of Twilio's relay, for the server to take below `/callbacks/twilio/conversation/`. */
export const sockets = (talkBy: TalkBy): Layer.Layer<LiveSockets, ConfigError.ConfigError, Needs> =>
  Layer.unwrapEffect(
    Effect.map(conversations(talkBy), (here) =>
      here === undefined ? LiveSockets.none : Layer.succeed(LiveSockets, { accept: here.accept })
    )
  )

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
