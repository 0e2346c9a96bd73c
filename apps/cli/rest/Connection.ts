import { Config, Effect, Layer, Option, Redacted } from "effect"
import * as Options from "@effect/cli/Options"
import * as Flags from "../command/Flags.ts"
import { Rest } from "./Rest.ts"

const standard = "http://127.0.0.1:8080/v0"

export const url = Options.optional(
  Flags.text("url", "URL", `Where the server is; OUTDIAL_URL, or ${standard}, when not given.`)
)

const isSet = (value: string): boolean => value.trim() !== ""
const addressSetting = Config.option(Config.string("OUTDIAL_URL"))
const keySetting = Config.option(Config.redacted("OUTDIAL_API_KEY"))

/** An address without a slash at its end. It is shown, so it must hold no password. */
const addressOf = (text: string, name: string) => {
  const isUrl = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
  if (!isUrl) return Effect.fail(Flags.invalid(`${name} must be a URL such as ${standard}`))
  const { hash, origin, password, pathname, search, username } = new URL(text)
  return username + password + search + hash === ""
    ? Effect.succeed(origin + pathname.replace(/\/+$/, ""))
    : Effect.fail(Flags.invalid(`${name} must be a URL of host, port and path alone`))
}

const address = Effect.fnUntraced(function* (given: Option.Option<string>) {
  if (Option.isSome(given)) return yield* addressOf(given.value, "--url")
  const set = Option.filter(yield* addressSetting, isSet)
  return yield* addressOf(
    Option.getOrElse(set, () => standard),
    "OUTDIAL_URL"
  )
})

const key = Effect.gen(function* () {
  const text = Option.match(yield* keySetting, { onNone: () => "", onSome: Redacted.value }).trim()
  if (text === "") {
    return yield* Effect.fail(
      Flags.invalid(
        "OUTDIAL_API_KEY is not set: set it to an API key of the workspace, which `outdial key create` makes"
      )
    )
  }
  return /^[\x21-\x7e]+$/.test(text)
    ? Redacted.make(text)
    : yield* Effect.fail(Flags.invalid("OUTDIAL_API_KEY is no API key: it holds characters that none has"))
})

const layer = (given: Option.Option<string>) =>
  Layer.unwrapEffect(
    Effect.gen(function* () {
      const where = yield* address(given)
      const apiKey = yield* key
      const { layerUndici } = yield* Effect.promise(() => import("@effect/platform-node/NodeHttpClient"))
      return Layer.provide(Rest.layer(where, apiKey), layerUndici)
    })
  )

/**
 * Gives a command the server that `--url` or `OUTDIAL_URL` names, asked with the key of `OUTDIAL_API_KEY`. The key
 * is not an option, since every user of a machine can see the options of its processes.
 */
export const provide = <A, E, R>(
  work: Effect.Effect<A, E, R>,
  given: { readonly url: Option.Option<string> }
) => Effect.provide(work, layer(given.url))
