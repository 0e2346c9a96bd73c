import { Config, type Context, Effect, Layer } from "effect"
import * as FetchServer from "../../adapters/http/server/FetchServer.ts"
import * as Http from "../../adapters/http/server/Http.ts"
import type { TokenVerifier } from "../../core/ports/TokenVerifier.ts"
import { callbacks } from "../platform/Providers.ts"
import { type Services, settingsOf } from "./Assembly.ts"
import type { Options, Port } from "./Options.ts"
import * as Tokens from "./ports/Tokens.ts"

/** Bearer tokens as the settings have it, or none. */
const tokensOf = ({ onError = () => {}, settings, tokens }: Options): Port<TokenVerifier> => {
  if (Layer.isLayer(tokens)) return tokens as Port<TokenVerifier>
  if (tokens !== undefined) return Tokens.layer(tokens as Tokens.Tokens, onError)
  const isSet =
    settings?.["OUTDIAL_JWT_SECRET"] !== undefined || settings?.["OUTDIAL_JWT_JWKS_URL"] !== undefined
  if (!isSet) return Tokens.none
  return Layer.unwrapEffect(
    Effect.map(
      Effect.promise(() => import("../../adapters/jwt/TokenVerifier.ts")),
      ({ layerConfig }) => layerConfig
    )
  )
}

const limits = Config.all({
  maxBodyBytes: Config.withDefault(Config.integer("OUTDIAL_MAX_BODY_BYTES"), undefined),
  requestTimeout: Config.withDefault(Config.duration("OUTDIAL_REQUEST_TIMEOUT"), undefined)
})

/** The REST interface over the services of a platform that runs. */
export const restOf = (options: Options, services: Context.Context<Services>) =>
  Http.layerConfig.pipe(
    Layer.provideMerge(Layer.unwrapEffect(Effect.map(limits, FetchServer.layer))),
    Layer.provide(tokensOf(options)),
    Layer.provide(options.callbacks ?? callbacks),
    Layer.provide(Layer.succeedContext(services)),
    Layer.provide(Layer.setConfigProvider(settingsOf(options)))
  )

export { FetchHandler } from "../../adapters/http/server/FetchServer.ts"
