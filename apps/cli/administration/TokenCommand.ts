import * as Options from "@effect/cli/Options"
import { Clock, Config, Duration, Effect, Option, Redacted } from "effect"
import { isoTimestamp } from "../../../core/model/Codecs.ts"
import { allScopes } from "../../../core/model/workspaces/Principal.ts"
import { Workspaces } from "../../../core/usecases/Workspaces.ts"
import { command, group } from "../command/Command.ts"
import * as Flags from "../command/Flags.ts"
import { CommandFailed } from "../terminal/Failure.ts"
import { note, result } from "../terminal/Output.ts"
import * as Administration from "./Administration.ts"

/** RFC 7518, 3.2: a key of HS256 has at least the 32 bytes of its hash. */
export const leastSecretBytes = 32

const text = (name: string) =>
  Config.option(Config.string(name)).pipe(Config.map(Option.filter((value: string) => value !== "")))

const settings = Config.all({
  secret: text("OUTDIAL_JWT_SECRET"),
  issuer: text("OUTDIAL_JWT_ISSUER"),
  audience: text("OUTDIAL_JWT_AUDIENCE")
})

const secretOf = (secret: Option.Option<string>) =>
  Option.match(secret, {
    onNone: () =>
      new CommandFailed({
        message:
          "OUTDIAL_JWT_SECRET is not set: set it here and for the server, the same, to 32 bytes or more"
      }),
    onSome: (value) =>
      Buffer.byteLength(value) < leastSecretBytes
        ? new CommandFailed({ message: `OUTDIAL_JWT_SECRET must have at least ${leastSecretBytes} bytes` })
        : Effect.succeed(Redacted.make(value))
  })

const create = command(
  "create",
  {
    about:
      "Signs a bearer token with OUTDIAL_JWT_SECRET (HS256). It is kept nowhere and cannot be revoked.\nThe token alone goes to stdout, what is said about it to stderr.",
    examples: [
      "outdial token create --workspace ws_01 --ttl 30m",
      "outdial token create --workspace ws_01 --scope campaigns:read"
    ]
  },
  {
    workspace: Flags.workspace,
    scopes: Flags.scopes,
    ttl: Flags.text("ttl", "DURATION", "How long it is valid: 90s, 30m, 7d; 1h when not given.").pipe(
      Options.withDefault("1h"),
      Options.mapEffect(Flags.durationOf("--ttl"))
    ),
    json: Flags.json
  },
  Effect.fnUntraced(function* ({ json, scopes, ttl, workspace }) {
    const { audience, issuer, secret } = yield* settings
    const signingSecret = yield* secretOf(secret)
    const { id } = yield* (yield* Workspaces).get(workspace)
    const { sign } = yield* Effect.promise(() => import("../../../adapters/jwt/Token.ts"))
    const now = Math.floor((yield* Clock.currentTimeMillis) / 1_000) * 1_000
    const token = yield* sign(
      signingSecret,
      {
        workspace_id: id,
        scopes,
        issuer: Option.getOrUndefined(issuer),
        audience: Option.getOrUndefined(audience)
      },
      ttl
    )
    const expires_at = isoTimestamp(now + Duration.toMillis(ttl))
    if (!json) {
      const reach = scopes.length === allScopes.length ? "all scopes" : scopes.join(", ")
      yield* note(`A bearer token for ${id} (${reach}), valid until ${expires_at}. It cannot place calls:`)
    }
    yield* result(json, { token, customer_id: id, scopes, expires_at }, () => token)
  }, Effect.provide(Administration.layer))
)

export const token = group("token", { about: "Signs bearer tokens for a workspace." }, [create])
