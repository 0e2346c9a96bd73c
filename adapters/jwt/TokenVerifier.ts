import { Clock, Config, type ConfigError, Effect, Layer, Option, Redacted, Schema } from "effect"
import { createRemoteJWKSet, decodeProtectedHeader, errors, jwtVerify, type JWTVerifyOptions } from "jose"
import { Characters, Identifier } from "../../core/model/Codecs.ts"
import { allScopes, type Principal, type Scope } from "../../core/model/workspaces/Principal.ts"
import { TokenRejected, TokenVerifier } from "../../core/ports/TokenVerifier.ts"

export interface Options {
  /** The shared secret of HS256 tokens, at least 32 bytes of UTF-8 (RFC 7518, 3.2). */
  readonly secret?: Redacted.Redacted | undefined
  /** Where the public keys of the token's issuer stand. */
  readonly jwksUrl?: URL | undefined
  readonly issuer?: string | undefined
  readonly audience?: string | undefined
}

const minSecretBytes = 32
const clockToleranceSeconds = 5
const secretAlgorithms = ["HS256"]
const keySetAlgorithms = ["RS256", "PS256", "ES256", "EdDSA", "Ed25519"]

const Claims = Schema.Struct({
  workspace_id: Identifier("workspace_id"),
  /** Source: OpenID Connect Core 1.0, section 2, the longest `sub`. */
  sub: Schema.optional(Characters(0, 255)),
  scope: Schema.optional(Schema.String),
  scopes: Schema.optional(Schema.Array(Schema.String))
})

const encode = (secret: Redacted.Redacted): Uint8Array => new TextEncoder().encode(Redacted.value(secret))

const toPrincipal = (claims: typeof Claims.Type): Principal => {
  const granted = new Set([...(claims.scope ?? "").split(" "), ...(claims.scopes ?? [])])
  return {
    workspace_id: claims.workspace_id,
    kind: "bearer",
    subject: claims.sub ?? "",
    scopes: new Set<Scope>(allScopes.filter((scope) => granted.has(scope)))
  }
}

const toReason = (cause: unknown): string => {
  if (cause instanceof errors.JWTExpired) return "the token has expired"
  if (cause instanceof errors.JWTClaimValidationFailed)
    return `the claim ${cause.claim} is missing or not accepted`
  if (cause instanceof errors.JWSSignatureVerificationFailed) return "the signature does not match"
  if (cause instanceof errors.JOSEAlgNotAllowed) return "the algorithm is not accepted"
  if (cause instanceof errors.JWSInvalid || cause instanceof errors.JWTInvalid)
    return "the token is malformed"
  if (cause instanceof errors.JWKSNoMatchingKey) return "no key of the key set matches"
  if (cause instanceof errors.JWKSMultipleMatchingKeys) return "the token does not say which key signed it"
  return "the token cannot be verified at present"
}

const algorithmOf = (token: string): string | undefined => {
  try {
    return decodeProtectedHeader(token).alg
  } catch {
    throw new errors.JWSInvalid()
  }
}

/** Verifies a token by whichever of the two keys its algorithm belongs to, so that neither stands in for the other. */
const makeVerify = (options: Options) => {
  const secret = options.secret && encode(options.secret)
  const keySet = options.jwksUrl && createRemoteJWKSet(options.jwksUrl)
  const common: JWTVerifyOptions = {
    clockTolerance: clockToleranceSeconds,
    requiredClaims: ["exp"],
    ...(options.issuer !== undefined && { issuer: options.issuer }),
    ...(options.audience !== undefined && { audience: options.audience })
  }
  return async (token: string, currentDate: Date): Promise<unknown> => {
    const alg = algorithmOf(token)
    if (secret && (alg === "HS256" || !keySet)) {
      const verified = await jwtVerify(token, secret, {
        ...common,
        currentDate,
        algorithms: secretAlgorithms
      })
      return verified.payload
    }
    if (!keySet) throw new errors.JOSEAlgNotAllowed()
    const verified = await jwtVerify(token, keySet, { ...common, currentDate, algorithms: keySetAlgorithms })
    return verified.payload
  }
}

/** Verifies JWTs. With neither a secret nor a key set every token is rejected. */
export const layer = (options: Options): Layer.Layer<TokenVerifier> =>
  Layer.sync(TokenVerifier, () => {
    const configured = options.secret !== undefined || options.jwksUrl !== undefined
    const verifyToken = makeVerify(options)
    return {
      verify: Effect.fn("TokenVerifier.verify")(function* (token: string) {
        if (!configured) return yield* new TokenRejected({ reason: "bearer tokens are not configured" })
        const now = yield* Clock.currentTimeMillis
        const payload = yield* Effect.tryPromise({
          try: () => verifyToken(token, new Date(now)),
          catch: (cause) => new TokenRejected({ reason: toReason(cause) })
        })
        const claims = yield* Schema.decodeUnknown(Claims)(payload).pipe(
          Effect.mapError(
            () => new TokenRejected({ reason: "the claims lack a usable workspace_id, sub or scopes" })
          )
        )
        return toPrincipal(claims)
      })
    }
  })

const given = (name: string) => Config.nonEmptyString(name)

const secretConfig = given("OUTDIAL_JWT_SECRET").pipe(
  Config.validate({
    message: `must have at least ${minSecretBytes} bytes`,
    validation: (secret) => Buffer.byteLength(secret) >= minSecretBytes
  }),
  Config.map((secret) => Redacted.make(secret)),
  Config.option
)

const urlConfig = given("OUTDIAL_JWT_JWKS_URL").pipe(
  Config.mapAttempt((value) => new URL(value)),
  Config.option
)

export const settings = Config.all({
  secret: secretConfig,
  jwksUrl: urlConfig,
  issuer: Config.option(given("OUTDIAL_JWT_ISSUER")),
  audience: Config.option(given("OUTDIAL_JWT_AUDIENCE"))
})

export const layerConfig: Layer.Layer<TokenVerifier, ConfigError.ConfigError> = Layer.unwrapEffect(
  Effect.map(settings, ({ audience, issuer, jwksUrl, secret }) =>
    layer({
      secret: Option.getOrUndefined(secret),
      jwksUrl: Option.getOrUndefined(jwksUrl),
      issuer: Option.getOrUndefined(issuer),
      audience: Option.getOrUndefined(audience)
    })
  )
)
