import { Config, Effect, Either, Option } from "effect"
import { sentence } from "../../platform/Explain.ts"
import { leastSecretBytes } from "../administration/TokenCommand.ts"
import { isLoopback } from "./Address.ts"
import { broken, type Finding, ok, warning } from "./Finding.ts"

/** All settings that this version reads. */
export const known = [
  "OUTDIAL_API_KEY",
  "OUTDIAL_BASE_PATH",
  "OUTDIAL_BOOTSTRAP_API_KEY",
  "OUTDIAL_CARRIER",
  "OUTDIAL_CLUSTER_HEALTH",
  "OUTDIAL_CLUSTER_HOST",
  "OUTDIAL_CLUSTER_KUBERNETES_LABELS",
  "OUTDIAL_CLUSTER_KUBERNETES_NAMESPACE",
  "OUTDIAL_CLUSTER_PORT",
  "OUTDIAL_DATABASE_CONNECTIONS",
  "OUTDIAL_DATABASE_URL",
  "OUTDIAL_GENERATION_LIMIT",
  "OUTDIAL_GENERATION_WINDOW",
  "OUTDIAL_JWT_AUDIENCE",
  "OUTDIAL_JWT_ISSUER",
  "OUTDIAL_JWT_JWKS_URL",
  "OUTDIAL_JWT_SECRET",
  "OUTDIAL_LLM_API_KEY",
  "OUTDIAL_LLM_CONCURRENCY",
  "OUTDIAL_LLM_MODEL",
  "OUTDIAL_LLM_TIMEOUT",
  "OUTDIAL_LLM_URL",
  "OUTDIAL_LOG_FORMAT",
  "OUTDIAL_LOG_LEVEL",
  "OUTDIAL_LOG_REQUESTS",
  "OUTDIAL_MAX_BODY_BYTES",
  "OUTDIAL_MESSAGES",
  "OUTDIAL_META_APP_SECRET",
  "OUTDIAL_META_BUSINESS_ACCOUNT_ID",
  "OUTDIAL_META_TIMEOUT",
  "OUTDIAL_META_TOKEN",
  "OUTDIAL_META_URL",
  "OUTDIAL_META_VERIFY_TOKEN",
  "OUTDIAL_META_VERSION",
  "OUTDIAL_NUMBERS",
  "OUTDIAL_PRICE_PER_MINUTE",
  "OUTDIAL_PRICE_PER_MESSAGE",
  "OUTDIAL_PRICE_PER_SCENARIO",
  "OUTDIAL_PRICE_PER_TURN",
  "OUTDIAL_PUBLIC_URL",
  "OUTDIAL_RECORDINGS_DIR",
  "OUTDIAL_RECORDING_LINK_LIFETIME",
  "OUTDIAL_RECORDING_RETENTION_DAYS",
  "OUTDIAL_RECORDING_SECRET",
  "OUTDIAL_REQUEST_TIMEOUT",
  "OUTDIAL_SIMULATED_SPEED",
  "OUTDIAL_SIMULATED_URL",
  "OUTDIAL_SIMULATIONS",
  "OUTDIAL_TEST_CONCURRENCY",
  "OUTDIAL_TEST_DEADLINE",
  "OUTDIAL_TWILIO_ACCOUNT_SID",
  "OUTDIAL_TWILIO_API_KEY",
  "OUTDIAL_TWILIO_API_KEY_SECRET",
  "OUTDIAL_TWILIO_AUTH_TOKEN",
  "OUTDIAL_TWILIO_CONVERSATION_URL",
  "OUTDIAL_TWILIO_COUNTRY",
  "OUTDIAL_TWILIO_MACHINE_DETECTION",
  "OUTDIAL_TWILIO_PRICING_URL",
  "OUTDIAL_TWILIO_RECORD",
  "OUTDIAL_TWILIO_TIMEOUT",
  "OUTDIAL_TWILIO_URL",
  "OUTDIAL_URL",
  "OUTDIAL_WEBHOOK_ALLOW_PRIVATE"
]

const distance = (one: string, other: string): number => {
  let row = Array.from({ length: other.length + 1 }, (_, i) => i)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const change = row[j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1)
      next.push(Math.min(change, row[j]! + 1, next[j - 1]! + 1))
    }
    row = next
  }
  return row[other.length]!
}

/** How many letters of a name may be wrong: of a short one, fewer. */
const slips = (setting: string): number => Math.min(3, (setting.length - "OUTDIAL_".length) / 2)

/** Names in the environment that are almost, but not quite, those of settings. */
export const misspelt = (names: ReadonlyArray<string>): ReadonlyArray<Finding> =>
  names
    .filter((name) => /^OUTD?I?A?L/i.test(name) && !known.includes(name))
    .flatMap((name) => {
      const meant = known.find((setting) => distance(name.toUpperCase(), setting) <= slips(setting))
      return meant === undefined
        ? []
        : [warning("settings", `${name} is no setting: ${meant} is probably meant`)]
    })

const read = <A>(config: Config.Config<A>, judge: (value: A) => Finding | undefined) =>
  Effect.map(Effect.either(config), (value) =>
    Either.match(value, {
      onLeft: (error) => broken("settings", sentence(error) ?? "a setting is not valid"),
      onRight: judge
    })
  )

const price = (name: string, what: string) =>
  read(Config.withDefault(Config.integer(name), 1), (credits) => {
    if (credits < 0) return broken("settings", `${name} must be zero or more`)
    return credits === 0 ? warning("settings", `${name} is 0: ${what} cost nothing`) : undefined
  })

const checks: ReadonlyArray<Effect.Effect<Finding | undefined>> = [
  read(Config.withDefault(Config.string("HOST"), "127.0.0.1"), (host) =>
    isLoopback(host)
      ? undefined
      : warning("settings", `HOST ${host} is open to the network, without TLS: put a proxy with TLS in front`)
  ),
  read(Config.withDefault(Config.string("OUTDIAL_CLUSTER_HOST"), "127.0.0.1"), (host) =>
    isLoopback(host)
      ? undefined
      : warning(
          "settings",
          `the cluster's socket on ${host} has no authentication: allow only the other processes to reach it`
        )
  ),
  read(Config.withDefault(Config.boolean("OUTDIAL_WEBHOOK_ALLOW_PRIVATE"), false), (allowed) =>
    allowed
      ? warning(
          "settings",
          "OUTDIAL_WEBHOOK_ALLOW_PRIVATE is true: customers can send webhooks into the private network; for development only"
        )
      : undefined
  ),
  price("OUTDIAL_PRICE_PER_MINUTE", "calls"),
  price("OUTDIAL_PRICE_PER_MESSAGE", "messages"),
  price("OUTDIAL_PRICE_PER_SCENARIO", "generated scenarios"),
  price("OUTDIAL_PRICE_PER_TURN", "test runs"),
  read(Config.withDefault(Config.string("OUTDIAL_BASE_PATH"), "/v0"), (path) => {
    if (!/^\/[^\s?#]*$/.test(path)) return broken("settings", "OUTDIAL_BASE_PATH must be a path, such as /v0")
    return path.endsWith("/v0")
      ? undefined
      : warning("settings", "OUTDIAL_BASE_PATH does not end in /v0, as the interface's version has it")
  }),
  read(Config.option(Config.string("OUTDIAL_BOOTSTRAP_API_KEY")), (key) => {
    const value = Option.getOrElse(key, () => "")
    if (value === "") return undefined
    return /^od_live_[A-Za-z0-9]{1,64}_[A-Za-z0-9_-]{32,128}$/.test(value)
      ? undefined
      : broken(
          "settings",
          "OUTDIAL_BOOTSTRAP_API_KEY must look like od_live_<id>_<secret of 32 characters or more>"
        )
  }),
  read(Config.option(Config.string("OUTDIAL_JWT_SECRET")), (secret) => {
    const bytes = Buffer.byteLength(Option.getOrElse(secret, () => ""))
    return bytes === 0 || bytes >= leastSecretBytes
      ? undefined
      : broken("settings", `OUTDIAL_JWT_SECRET must have at least ${leastSecretBytes} bytes`)
  }),
  read(Config.option(Config.string("OUTDIAL_RECORDING_SECRET")), (secret) => {
    const bytes = Buffer.byteLength(Option.getOrElse(secret, () => ""))
    return bytes === 0 || bytes >= leastSecretBytes
      ? undefined
      : broken("settings", `OUTDIAL_RECORDING_SECRET must have at least ${leastSecretBytes} bytes`)
  }),
  read(Config.option(Config.string("OUTDIAL_JWT_JWKS_URL")), (url) => {
    const text = Option.getOrElse(url, () => "")
    if (text === "") return undefined
    if (!URL.canParse(text)) return broken("settings", "OUTDIAL_JWT_JWKS_URL must be a URL")
    return new URL(text).protocol === "https:"
      ? undefined
      : warning("settings", "OUTDIAL_JWT_JWKS_URL is not https: an attacker on the network could sign tokens")
  })
]

/** Settings that are not valid, or valid and probably not wanted. `names` are those of the environment. */
export const settings = Effect.fn("Doctor.settings")(function* (names: ReadonlyArray<string>) {
  const found = (yield* Effect.all(checks)).filter((finding) => finding !== undefined)
  const findings: ReadonlyArray<Finding> = [...found, ...misspelt(names)]
  return findings.length === 0 ? [ok("settings", "nothing in them stands out")] : findings
})
