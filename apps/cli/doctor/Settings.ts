import { Array, Config, Effect, Option } from "effect"
import * as Configuration from "../../platform/Configuration.ts"
import { sentence, settingsIssues } from "../../platform/Explain.ts"
import { nearest } from "../../platform/Nearest.ts"
import { settings as known } from "../../platform/Settings.ts"
import { isLoopback } from "./Address.ts"
import { broken, type Finding, ok, warning } from "./Finding.ts"

const names = known.map(({ name }) => name)

/** Names of settings in the environment that this version does not read, with the one that is probably meant. */
export const misspelt = (given: ReadonlyArray<string>): ReadonlyArray<Finding> =>
  given
    .filter((name) => /^OUTD?I?A?L/i.test(name) && !names.includes(name))
    .flatMap((name) => {
      const meant = nearest(name, names)
      if (meant === undefined && !name.startsWith("OUTDIAL_")) return []
      const hint = meant === undefined ? "" : `: ${meant} is probably meant`
      return [warning("settings", `${name} is no setting${hint}`)]
    })

/** What is wrong with the settings of a part of the server, in the words that the server would end with. */
export const wrong = (part: Configuration.Part): Effect.Effect<ReadonlyArray<string>> =>
  Effect.match(Configuration.check([part]), { onFailure: settingsIssues, onSuccess: () => [] })

/** What is wrong with the settings of a part, or else what a look at it finds. */
export const inPart = Effect.fnUntraced(function* <E>(
  part: Configuration.Part,
  look: Effect.Effect<ReadonlyArray<Finding>, E>
) {
  const issues = yield* wrong(part)
  if (issues.length > 0) return issues.map((message) => broken(part, message))
  return yield* Effect.catchAll(look, (error) =>
    Effect.succeed([broken(part, sentence(error) ?? "it cannot be looked at")])
  )
})

/** A warning, where a setting is valid and yet probably not wanted. */
const unwise = <A>(config: Config.Config<A>, judge: (value: A) => string | undefined) =>
  Effect.map(Effect.option(config), (value) =>
    Option.flatMapNullable(value, judge).pipe(Option.map((message) => warning("settings", message)))
  )

const price = (name: string, what: string) =>
  unwise(Config.integer(name), (credits) =>
    credits === 0 ? `${name} is 0: ${what} cost nothing` : undefined
  )

const warnings = [
  unwise(Config.string("HOST"), (host) =>
    isLoopback(host)
      ? undefined
      : `HOST ${host} is open to the network, without TLS: put a proxy with TLS in front`
  ),
  unwise(Config.string("OUTDIAL_CLUSTER_HOST"), (host) =>
    isLoopback(host)
      ? undefined
      : `the cluster's socket on ${host} has no authentication: allow only the other processes to reach it`
  ),
  unwise(Config.boolean("OUTDIAL_WEBHOOK_ALLOW_PRIVATE"), (allowed) =>
    allowed
      ? "OUTDIAL_WEBHOOK_ALLOW_PRIVATE is true: customers can send webhooks into the private network; for development only"
      : undefined
  ),
  unwise(Config.boolean("OUTDIAL_TALK_BY_RULES"), (allowed) =>
    allowed
      ? "OUTDIAL_TALK_BY_RULES is true: where no model is set, rules talk to people; for a first try only"
      : undefined
  ),
  price("OUTDIAL_PRICE_PER_MINUTE", "calls"),
  price("OUTDIAL_PRICE_PER_MESSAGE", "messages"),
  price("OUTDIAL_PRICE_PER_SCENARIO", "generated scenarios"),
  price("OUTDIAL_PRICE_PER_TURN", "test runs"),
  unwise(Config.string("OUTDIAL_BASE_PATH"), (path) =>
    path.endsWith("/v0")
      ? undefined
      : "OUTDIAL_BASE_PATH does not end in /v0, as the interface's version has it"
  ),
  unwise(Config.url("OUTDIAL_JWT_JWKS_URL"), ({ protocol }) =>
    protocol === "https:"
      ? undefined
      : "OUTDIAL_JWT_JWKS_URL is not https: an attacker on the network could sign tokens"
  )
]

/** Settings that are not valid, or valid and probably not wanted. `given` are the names of the environment. */
export const settings = Effect.fn("Doctor.settings")(function* (given: ReadonlyArray<string>) {
  const findings: ReadonlyArray<Finding> = [
    ...(yield* wrong("server")).map((message) => broken("settings", message)),
    ...Array.getSomes(yield* Effect.all(warnings)),
    ...misspelt(given)
  ]
  return findings.length === 0 ? [ok("settings", "nothing in them stands out")] : findings
})
