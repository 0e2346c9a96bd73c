import { Effect, Layer, Schema } from "effect"
import { Identifier } from "../../../core/model/Codecs.ts"
import { Scope } from "../../../core/model/workspaces/Principal.ts"
import { TokenRejected, TokenVerifier } from "../../../core/ports/TokenVerifier.ts"
import { type Answer, asking, type OnError } from "./Lift.ts"

/** Verifies the bearer tokens of the REST interface. Whatever it throws is a token that is rejected. */
export interface Tokens {
  readonly verify: (
    token: string,
    signal: AbortSignal
  ) => Answer<{
    readonly workspace_id: string
    readonly scopes: Iterable<Scope>
    /** Who the token names; empty unless told. */
    readonly subject?: string
  }>
}

const rejected = () => new TokenRejected({ reason: "the token is not valid" })

const asked = asking([TokenRejected], rejected)

const PrincipalSchema = Schema.Struct({
  workspace_id: Identifier("workspace_id"),
  scopes: Schema.Array(Scope),
  subject: Schema.optionalWith(Schema.String, { exact: true })
})

export const layer = (tokens: Tokens, onError: OnError): Layer.Layer<TokenVerifier> => {
  const ask = asked(onError)
  const principal = async (token: string, signal: AbortSignal) => {
    const answer = await Promise.resolve()
      .then(() => tokens.verify(token, signal))
      .catch(() => Promise.reject(rejected()))
    return { ...answer, scopes: [...answer.scopes] }
  }
  return Layer.succeed(TokenVerifier, {
    verify: (token) =>
      Effect.map(
        ask("tokens.verify", PrincipalSchema, (signal) => principal(token, signal)),
        ({ scopes, subject = "", workspace_id }) => ({
          workspace_id,
          kind: "bearer",
          subject,
          scopes: new Set(scopes)
        })
      )
  })
}

/** No token is valid: API keys alone are. */
export const none: Layer.Layer<TokenVerifier> = Layer.succeed(TokenVerifier, {
  verify: () => Effect.fail(rejected())
})
