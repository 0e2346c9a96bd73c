import { Clock, ConfigProvider, Effect, Exit, Layer, Redacted, TestClock } from "effect"
import { assert, describe, it } from "@effect/vitest"
import { exportJWK, generateKeyPair, SignJWT } from "jose"
import { sign } from "../../../adapters/jwt/Token.ts"
import * as TokenVerifier from "../../../adapters/jwt/TokenVerifier.ts"
import type { Scope } from "../../../core/model/workspaces/Principal.ts"
import { TokenVerifier as Port } from "../../../core/ports/TokenVerifier.ts"
import { asText, json, listen } from "../../Listener.ts"

const secret = Redacted.make("a secret that is at least 32 bytes long")
const otherSecret = Redacted.make("another secret, at least 32 bytes long")
const encode = (key: Redacted.Redacted) => new TextEncoder().encode(Redacted.value(key))
const claims = { workspace_id: "ws_1", scopes: ["sessions:read", "campaigns:write"] as ReadonlyArray<Scope> }
const bySecret = TokenVerifier.layer({ secret })

const verify = (token: string) => Effect.flatMap(Port, (verifier) => verifier.verify(token))
const reasonOf = (token: string) =>
  verify(token).pipe(
    Effect.flip,
    Effect.map((rejected) => rejected.reason)
  )

/** A token of any claims, expiring an hour from the test clock's start unless they say otherwise. */
const signAny = (payload: Record<string, unknown>, key = secret, alg = "HS256") =>
  Effect.promise(() => new SignJWT({ exp: 3_600, ...payload }).setProtectedHeader({ alg }).sign(encode(key)))

describe("TokenVerifier with a secret", () => {
  it.effect("a signed token names its workspace and its scopes", () =>
    Effect.gen(function* () {
      const principal = yield* verify(yield* sign(secret, claims, "1 hour"))
      assert.deepStrictEqual(principal, {
        workspace_id: "ws_1",
        kind: "bearer",
        subject: "",
        scopes: new Set<Scope>(["sessions:read", "campaigns:write"])
      })
    }).pipe(Effect.provide(bySecret))
  )

  it.effect("scopes may be a list, and unknown scopes are dropped", () =>
    Effect.gen(function* () {
      const listed = yield* signAny({ workspace_id: "ws_1", scopes: ["agents:read", "agents:burn"] })
      assert.deepStrictEqual((yield* verify(listed)).scopes, new Set<Scope>(["agents:read"]))
      const written = yield* signAny({ workspace_id: "ws_1", scope: " openid  agents:read Agents:Write" })
      assert.deepStrictEqual((yield* verify(written)).scopes, new Set<Scope>(["agents:read"]))
      const none = yield* signAny({ workspace_id: "ws_1" })
      assert.strictEqual((yield* verify(none)).scopes.size, 0)
    }).pipe(Effect.provide(bySecret))
  )

  it.effect("a token expires by the clock, five seconds of tolerance included", () =>
    Effect.gen(function* () {
      const token = yield* sign(secret, claims, "1 hour")
      yield* TestClock.adjust("3604 seconds")
      assert.strictEqual((yield* verify(token)).workspace_id, "ws_1")
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual(yield* reasonOf(token), "the token has expired")
    }).pipe(Effect.provide(bySecret))
  )

  it.effect("a token without an expiry, or not valid yet, is rejected", () =>
    Effect.gen(function* () {
      const endless = yield* signAny({ workspace_id: "ws_1", exp: undefined })
      assert.strictEqual(yield* reasonOf(endless), "the claim exp is missing or not accepted")
      const early = yield* signAny({ workspace_id: "ws_1", nbf: 60 })
      assert.strictEqual(yield* reasonOf(early), "the claim nbf is missing or not accepted")
      yield* TestClock.adjust("60 seconds")
      assert.strictEqual((yield* verify(early)).workspace_id, "ws_1")
    }).pipe(Effect.provide(bySecret))
  )

  it.effect("a token of another secret, an altered one and no token at all are rejected", () =>
    Effect.gen(function* () {
      const foreign = yield* sign(otherSecret, claims, "1 hour")
      assert.strictEqual(yield* reasonOf(foreign), "the signature does not match")
      const [header, , signature] = (yield* sign(secret, claims, "1 hour")).split(".")
      const forged = Buffer.from(JSON.stringify({ workspace_id: "ws_2", exp: 3_600 })).toString("base64url")
      assert.strictEqual(yield* reasonOf(`${header}.${forged}.${signature}`), "the signature does not match")
      for (const text of ["", "x", "a.b.c", "od_live_x_y", `${header}.${forged}`]) {
        assert.strictEqual(yield* reasonOf(text), "the token is malformed")
      }
    }).pipe(Effect.provide(bySecret))
  )

  it.effect("an unsigned token and a stronger or weaker HMAC are rejected", () =>
    Effect.gen(function* () {
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url")
      const unsigned = `${part({ alg: "none" })}.${part({ workspace_id: "ws_1", exp: 3_600 })}.`
      assert.strictEqual(yield* reasonOf(unsigned), "the algorithm is not accepted")
      const long = Redacted.make("x".repeat(64))
      assert.strictEqual(
        yield* reasonOf(yield* signAny({ workspace_id: "ws_1" }, long, "HS512")),
        "the algorithm is not accepted"
      )
    }).pipe(Effect.provide(bySecret))
  )

  it.effect("a token that names no workspace is rejected", () =>
    Effect.gen(function* () {
      for (const payload of [
        {},
        { workspace_id: "" },
        { workspace_id: 7 },
        { workspace_id: "ws_1\u0000" },
        { workspace_id: "ws_1", sub: "\u0000" },
        { workspace_id: "ws_1", scopes: 1 }
      ]) {
        assert.strictEqual(
          yield* reasonOf(yield* signAny(payload)),
          "the claims lack a usable workspace_id, sub or scopes"
        )
      }
    }).pipe(Effect.provide(bySecret))
  )

  it.effect("issuer and audience, once set, are required", () =>
    Effect.gen(function* () {
      const issuer = "https://issuer.example"
      const accepted = yield* sign(secret, { ...claims, issuer, audience: "outdial" }, "1 hour")
      assert.strictEqual((yield* verify(accepted)).workspace_id, "ws_1")
      const anonymous = yield* sign(secret, { ...claims, audience: "outdial" }, "1 hour")
      assert.strictEqual(yield* reasonOf(anonymous), "the claim iss is missing or not accepted")
      const elsewhere = yield* sign(secret, { ...claims, issuer, audience: "other" }, "1 hour")
      assert.strictEqual(yield* reasonOf(elsewhere), "the claim aud is missing or not accepted")
    }).pipe(
      Effect.provide(TokenVerifier.layer({ secret, issuer: "https://issuer.example", audience: "outdial" }))
    )
  )
})

/** A server with a JWKS of one ES256 and one RS256 key, and signers for them. */
const keyServer = Effect.gen(function* () {
  const [ec, rsa] = yield* Effect.promise(() =>
    Promise.all([generateKeyPair("ES256"), generateKeyPair("RS256")])
  )
  const keys = yield* Effect.promise(() =>
    Promise.all([
      exportJWK(ec.publicKey).then((jwk) => ({ ...jwk, kid: "ec", alg: "ES256" })),
      exportJWK(rsa.publicKey).then((jwk) => ({ ...jwk, kid: "rsa", alg: "RS256" }))
    ])
  )
  const server = yield* listen(asText, (arrived) => json(arrived, 200, { keys }))
  const signed = (alg: "ES256" | "RS256", kid: string) =>
    Effect.promise(() =>
      new SignJWT({ workspace_id: "ws_1", scope: "agents:read", exp: 3_600 })
        .setProtectedHeader({ alg, kid })
        .sign(alg === "ES256" ? ec.privateKey : rsa.privateKey)
    )
  const url = new URL(`${server.url}/jwks.json`)
  return { url, signed, publicKey: JSON.stringify(keys[0]) }
})

describe("TokenVerifier with a key set", () => {
  it.scoped("tokens of the set's keys are accepted, others are not", () =>
    Effect.gen(function* () {
      const { url, signed } = yield* keyServer
      const layer = TokenVerifier.layer({ jwksUrl: url })
      const ec = yield* signed("ES256", "ec")
      const rsa = yield* signed("RS256", "rsa")
      const unknown = yield* signed("ES256", "retired")
      yield* Effect.gen(function* () {
        assert.strictEqual((yield* verify(ec)).workspace_id, "ws_1")
        assert.deepStrictEqual((yield* verify(rsa)).scopes, new Set<Scope>(["agents:read"]))
        assert.strictEqual(yield* reasonOf(unknown), "no key of the key set matches")
      }).pipe(Effect.provide(layer))
    })
  )

  it.scoped("an HMAC token, even one keyed with a public key, is not accepted by the set", () =>
    Effect.gen(function* () {
      const { url, publicKey } = yield* keyServer
      const confused = yield* signAny({ workspace_id: "ws_1" }, Redacted.make(publicKey))
      const reason = yield* reasonOf(confused).pipe(Effect.provide(TokenVerifier.layer({ jwksUrl: url })))
      assert.strictEqual(reason, "the algorithm is not accepted")
    })
  )

  it.scoped("a secret and a set may stand side by side", () =>
    Effect.gen(function* () {
      const { url, signed } = yield* keyServer
      const ec = yield* signed("ES256", "ec")
      const hmac = yield* sign(secret, claims, "1 hour")
      const foreign = yield* sign(otherSecret, claims, "1 hour")
      yield* Effect.gen(function* () {
        assert.strictEqual((yield* verify(ec)).workspace_id, "ws_1")
        assert.strictEqual((yield* verify(hmac)).workspace_id, "ws_1")
        assert.strictEqual(yield* reasonOf(foreign), "the signature does not match")
      }).pipe(Effect.provide(TokenVerifier.layer({ jwksUrl: url, secret })))
    })
  )

  it.scoped("while the set cannot be fetched tokens are rejected", () =>
    Effect.gen(function* () {
      const { url, signed } = yield* Effect.scoped(keyServer)
      const reason = yield* reasonOf(yield* signed("ES256", "ec")).pipe(
        Effect.provide(TokenVerifier.layer({ jwksUrl: url }))
      )
      assert.strictEqual(reason, "the token cannot be verified at present")
    })
  )
})

describe("TokenVerifier from the configuration", () => {
  const configured = (settings: Record<string, string>) =>
    TokenVerifier.layerConfig.pipe(
      Layer.provide(Layer.setConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(settings)))))
    )

  it.effect("with nothing set every token is rejected", () =>
    Effect.gen(function* () {
      const token = yield* sign(secret, claims, "1 hour")
      for (const settings of [{}, { OUTDIAL_JWT_SECRET: "", OUTDIAL_JWT_JWKS_URL: "" }]) {
        const reason = yield* reasonOf(token).pipe(Effect.provide(configured(settings)))
        assert.strictEqual(reason, "bearer tokens are not configured")
      }
    })
  )

  it.effect("reads secret, issuer and audience", () =>
    Effect.gen(function* () {
      const token = yield* sign(secret, { ...claims, issuer: "me", audience: "outdial" }, "1 hour")
      const other = yield* sign(secret, { ...claims, issuer: "you", audience: "outdial" }, "1 hour")
      const layer = configured({
        OUTDIAL_JWT_SECRET: Redacted.value(secret),
        OUTDIAL_JWT_ISSUER: "me",
        OUTDIAL_JWT_AUDIENCE: "outdial"
      })
      assert.strictEqual((yield* verify(token).pipe(Effect.provide(layer))).workspace_id, "ws_1")
      assert.strictEqual(
        yield* reasonOf(other).pipe(Effect.provide(layer)),
        "the claim iss is missing or not accepted"
      )
    })
  )

  it.effect("a secret too short for HS256, or a key set that is no URL, is a configuration error", () =>
    Effect.gen(function* () {
      for (const settings of [{ OUTDIAL_JWT_SECRET: "short" }, { OUTDIAL_JWT_JWKS_URL: "not a url" }]) {
        const exit = yield* Effect.exit(Effect.provide(Clock.currentTimeMillis, configured(settings)))
        assert.isTrue(Exit.isFailure(exit))
        assert.notInclude(JSON.stringify(exit), 'short"')
      }
    })
  )
})
