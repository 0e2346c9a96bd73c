import { Clock, Duration, Effect, Redacted } from "effect"
import { SignJWT } from "jose"
import type { Scope } from "../../core/model/workspaces/Principal.ts"

export interface TokenClaims {
  readonly workspace_id: string
  readonly scopes: Iterable<Scope>
  readonly issuer?: string | undefined
  readonly audience?: string | undefined
}

/** Signs an HS256 token that TokenVerifier accepts until `ttl` from now has passed. */
export const sign = Effect.fn("Token.sign")(function* (
  secret: Redacted.Redacted,
  claims: TokenClaims,
  ttl: Duration.DurationInput
) {
  const now = Math.floor((yield* Clock.currentTimeMillis) / 1_000)
  const token = new SignJWT({ workspace_id: claims.workspace_id, scope: [...claims.scopes].join(" ") })
    .setProtectedHeader({ alg: "HS256", typ: "JWT" })
    .setIssuedAt(now)
    .setExpirationTime(now + Math.floor(Duration.toSeconds(ttl)))
  if (claims.issuer !== undefined) token.setIssuer(claims.issuer)
  if (claims.audience !== undefined) token.setAudience(claims.audience)
  return yield* Effect.promise(() => token.sign(new TextEncoder().encode(Redacted.value(secret))))
})
