import { Effect, Layer } from "effect"
import type { Scope } from "../../../core/model/workspaces/Principal.ts"
import { TokenRejected, TokenVerifier } from "../../../core/ports/TokenVerifier.ts"
import { type Answer, lift } from "./Lift.ts"

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

export const layer = ({ verify }: Tokens): Layer.Layer<TokenVerifier> =>
  Layer.succeed(TokenVerifier, {
    verify: (token) =>
      Effect.map(
        lift((signal) => verify(token, signal), rejected),
        ({ scopes, subject = "", workspace_id }) => ({
          workspace_id,
          kind: "bearer",
          subject,
          scopes: new Set(scopes)
        })
      )
  })

/** No token is valid: API keys alone are. */
export const none: Layer.Layer<TokenVerifier> = Layer.succeed(TokenVerifier, {
  verify: () => Effect.fail(rejected())
})
