import { Config, ConfigError, Either } from "effect"
import { nearest } from "./Nearest.ts"

/** The values of settings that have few; the first is the standard one. */
const values = {
  OUTDIAL_CARRIER: ["simulated", "twilio"],
  OUTDIAL_MESSAGES: ["simulated", "meta"],
  OUTDIAL_NUMBERS: ["simulated", "twilio", "none"],
  OUTDIAL_CLUSTER_HEALTH: ["ping", "kubernetes"],
  OUTDIAL_LOG_LEVEL: ["INFO", "ALL", "TRACE", "DEBUG", "WARN", "ERROR", "FATAL", "OFF"],
  OUTDIAL_LOG_FORMAT: ["json", "logfmt", "pretty"]
} as const

type Kind = "secret" | ReadonlyArray<string>
/** What holds when it is not set, as it would be written, or "" for nothing; what it does; and what it holds. */
type Row = readonly [standard: string, what: string, kind?: Kind]

/** All settings, by the part of the system that reads them. */
const parts: Readonly<Record<string, Readonly<Record<string, Row>>>> = {
  server: {
    HOST: ["127.0.0.1", "the address that the server listens on"],
    PORT: ["8080", "the port that it listens on; `0`: any free one"],
    OUTDIAL_BASE_PATH: ["/v0", "path of the REST interface"],
    OUTDIAL_PUBLIC_URL: [
      "",
      "where Twilio reaches this server, and what links to recordings begin with: `https://voice.example.com`"
    ],
    OUTDIAL_CORS_ORIGINS: [
      "",
      "origins whose pages may call the interface from browsers: `https://app.example.com,https://admin.example.com`"
    ],
    OUTDIAL_MAX_BODY_BYTES: ["262144", "largest request body"],
    OUTDIAL_SOCKETS: ["1000", "WebSockets of conversations at one time"],
    OUTDIAL_REQUEST_TIMEOUT: ["30 seconds", "time that a request may take to arrive"],
    OUTDIAL_BOOTSTRAP_API_KEY: ["", "the demo workspace's key, instead of one made by chance", "secret"],
    OUTDIAL_WEBHOOK_ALLOW_PRIVATE: [
      "false",
      "lets webhooks and tools reach private and loopback addresses, for development"
    ]
  },
  store: {
    OUTDIAL_DATABASE_URL: [
      "sqlite:outdial.db",
      "`sqlite:<path>`, `postgres://…`, or `memory:` for a store that is lost at the end",
      "secret"
    ],
    OUTDIAL_DATABASE_CONNECTIONS: [
      "10",
      "on PostgreSQL: how many connections a process opens at most, three or more; the cluster has three besides"
    ]
  },
  cluster: {
    OUTDIAL_CLUSTER_HOST: [
      "127.0.0.1",
      "on PostgreSQL: the address at which the other processes reach this one"
    ],
    OUTDIAL_CLUSTER_PORT: ["0", "the port there; `0`: any free one"],
    OUTDIAL_CLUSTER_HEALTH: [
      "ping",
      "what tells whether another process lives: `ping`, or `kubernetes` and its API",
      values.OUTDIAL_CLUSTER_HEALTH
    ],
    OUTDIAL_CLUSTER_KUBERNETES_NAMESPACE: ["", "the namespace whose pods are asked for there"],
    OUTDIAL_CLUSTER_KUBERNETES_LABELS: ["", "a label selector for these pods"]
  },
  tokens: {
    OUTDIAL_JWT_SECRET: ["", "HS256 secret of bearer tokens, 32 bytes or more; or", "secret"],
    OUTDIAL_JWT_JWKS_URL: ["", "address of the key set that signs them"],
    OUTDIAL_JWT_ISSUER: ["", "issuer that they must name"],
    OUTDIAL_JWT_AUDIENCE: ["", "audience that they must name"]
  },
  carrier: {
    OUTDIAL_CARRIER: ["simulated", "the carrier: `simulated` or `twilio`", values.OUTDIAL_CARRIER],
    OUTDIAL_MESSAGES: [
      "simulated",
      "the provider that sends messages and reviews templates: `simulated` or `meta`",
      values.OUTDIAL_MESSAGES
    ],
    OUTDIAL_NUMBERS: [
      "simulated",
      "whose numbers are browsed: `simulated`, a catalogue of this process, `twilio` or `none`",
      values.OUTDIAL_NUMBERS
    ]
  },
  simulated: {
    OUTDIAL_SIMULATED_SPEED: [
      "1",
      "what the simulated carrier's durations are divided by; `Infinity`: no delays"
    ],
    OUTDIAL_SIMULATED_URL: ["", "a simulated carrier that runs as a process of its own"]
  },
  twilio: {
    OUTDIAL_TWILIO_ACCOUNT_SID: ["", "the account"],
    OUTDIAL_TWILIO_AUTH_TOKEN: ["", "its token, which signs what Twilio calls back", "secret"],
    OUTDIAL_TWILIO_API_KEY: ["", "for requests, instead of the token: an API key"],
    OUTDIAL_TWILIO_API_KEY_SECRET: ["", "and its secret", "secret"],
    OUTDIAL_TWILIO_CONVERSATION_URL: [
      "",
      "`wss://…`: a server that holds the conversations (ConversationRelay) instead of this one"
    ],
    OUTDIAL_TWILIO_MACHINE_DETECTION: ["false", "tells voicemail from people"],
    OUTDIAL_TWILIO_RECORD: ["false", "records calls"],
    OUTDIAL_TWILIO_COUNTRY: ["US", "where numbers are browsed when no country is asked for"],
    OUTDIAL_TWILIO_TIMEOUT: ["10 seconds", "of one request to Twilio, at most 15"],
    OUTDIAL_TWILIO_URL: ["https://api.twilio.com", "a compatible API, such as SignalWire's"],
    OUTDIAL_TWILIO_PRICING_URL: ["https://pricing.twilio.com", "its list of prices"]
  },
  meta: {
    OUTDIAL_META_BUSINESS_ACCOUNT_ID: ["", "the WhatsApp business account"],
    OUTDIAL_META_TOKEN: ["", "a system user's token", "secret"],
    OUTDIAL_META_APP_SECRET: ["", "what signs Meta's webhooks", "secret"],
    OUTDIAL_META_VERIFY_TOKEN: ["", "the word that verifies their address", "secret"],
    OUTDIAL_META_TIMEOUT: ["10 seconds", "of one request to Meta, at most 15"],
    OUTDIAL_META_URL: ["https://graph.facebook.com", "the Graph API"],
    OUTDIAL_META_VERSION: ["v23.0", "its version"]
  },
  recordings: {
    OUTDIAL_RECORDINGS_DIR: [
      "recordings",
      "the folder that recordings are kept in; it stands beside the SQLite file"
    ],
    OUTDIAL_RECORDING_RETENTION_DAYS: [
      "",
      "days after which a recording and a transcript are deleted; kept for ever unless it is set"
    ],
    OUTDIAL_RECORDING_LINK_LIFETIME: ["1 hour", "how long a link to a recording is good, at most 7 days"],
    OUTDIAL_RECORDING_SECRET: [
      "",
      "what these links are signed with, 32 bytes or more; made once and kept in the database unless it is set",
      "secret"
    ]
  },
  credits: {
    OUTDIAL_PRICE_PER_MINUTE: ["1", "whole credits for a started minute of talk"],
    OUTDIAL_PRICE_PER_MESSAGE: ["1", "whole credits for a message that was sent"],
    OUTDIAL_PRICE_PER_SCENARIO: ["1", "whole credits for a generated test scenario"],
    OUTDIAL_PRICE_PER_TURN: ["1", "whole credits for an utterance of a test run"],
    OUTDIAL_PRICE_PER_CONVERSATION_TURN: ["0", "whole credits for an utterance of the agent in a call"],
    OUTDIAL_PRICE_PER_REVIEW: ["0", "whole credits for the review of a call"]
  },
  tests: {
    OUTDIAL_SIMULATIONS: [
      "1",
      "simulations of campaigns at one time, each a process of at most 1 GB; `0`: none"
    ],
    OUTDIAL_TEST_CONCURRENCY: ["50", "plays of a workspace's test runs at one time"],
    OUTDIAL_TEST_DEADLINE: ["1 hour", "time that a test run may take"],
    OUTDIAL_GENERATION_LIMIT: [
      "10",
      "generations of suites that a workspace has at once, and that come back in"
    ],
    OUTDIAL_GENERATION_WINDOW: ["1 minute", "this time"],
    OUTDIAL_REQUEST_LIMIT: [
      "",
      "requests that an API key, or a token's subject, has at once, and that come back in; unlimited by default"
    ],
    OUTDIAL_REQUEST_WINDOW: ["1 minute", "this time"]
  },
  model: {
    OUTDIAL_LLM_URL: ["", "an OpenAI-compatible API, such as `https://api.openai.com/v1`"],
    OUTDIAL_LLM_MODEL: ["", "the model's name there"],
    OUTDIAL_LLM_API_KEY: ["", "its key, if it needs one", "secret"],
    OUTDIAL_LLM_TIMEOUT: ["60 seconds", "deadline of one question to it, waits and a repair included"],
    OUTDIAL_LLM_CONCURRENCY: ["50", "questions to it at one time"],
    OUTDIAL_LLM_STREAMS: ["2000", "answers of talking agents that it streams at one time"],
    OUTDIAL_LLM_FIRST_TOKEN: ["8 seconds", "time that such an answer may take to begin"],
    OUTDIAL_LLM_STALL: ["5 seconds", "time that may lie between two of its tokens"],
    OUTDIAL_TALK_BY_RULES: [
      "false",
      "lets rules of this server talk to the people whom Twilio calls, where there is no model"
    ]
  },
  "command line": {
    OUTDIAL_URL: [
      "http://127.0.0.1:8080/v0",
      "the server that `outdial agent`, `outdial campaign` and `outdial suite` talk to"
    ],
    OUTDIAL_API_KEY: ["", "the key that they use", "secret"]
  },
  logs: {
    OUTDIAL_LOG_REQUESTS: ["true", "one log line a request"],
    OUTDIAL_RUNTIME_METRICS: ["false", "`/metrics` tells what the runtime counts of its own fibers too"],
    OUTDIAL_LOG_LEVEL: [
      "INFO",
      "least level that is logged: `ALL`, `TRACE`, `DEBUG`, `INFO`, `WARN`, `ERROR`, `FATAL` or `OFF`",
      values.OUTDIAL_LOG_LEVEL
    ],
    OUTDIAL_LOG_FORMAT: [
      "json",
      "`json`, `logfmt` or `pretty` (the default in a terminal)",
      values.OUTDIAL_LOG_FORMAT
    ],
    OTEL_EXPORTER_OTLP_ENDPOINT: [
      "",
      "OpenTelemetry collector; spans are made only when it is set, and the other `OTEL_` names hold too"
    ]
  }
}

export interface Setting {
  readonly name: string
  readonly part: string
  /** What holds when it is not set, as it would be written; "" when nothing does. */
  readonly standard: string
  readonly what: string
  readonly secret: boolean
  /** All that it may be; none when there is no such list. */
  readonly values: ReadonlyArray<string>
}

/** All settings that this version reads, in the order of the pages. */
export const settings: ReadonlyArray<Setting> = Object.entries(parts).flatMap(([part, rows]) =>
  Object.entries(rows).map(([name, [standard, what, kind]]) => ({
    name,
    part,
    standard,
    what,
    secret: kind === "secret",
    values: typeof kind === "object" ? kind : []
  }))
)

const other = (text: string, allowed: ReadonlyArray<string>): string => {
  const meant = nearest(text, allowed)
  const all = `must be ${allowed.slice(0, -1).join(", ")} or ${allowed.at(-1)}`
  return meant === undefined ? all : `${all}; ${meant} is probably meant`
}

/** Reads a setting that has few values, in any case: the first of them when it is not set, or empty. */
export const choice = <Name extends keyof typeof values>(
  name: Name
): Config.Config<(typeof values)[Name][number]> => {
  const allowed: ReadonlyArray<(typeof values)[Name][number]> = values[name]
  return Config.string(name).pipe(
    Config.mapOrFail((text) => {
      const chosen =
        text === "" ? allowed[0] : allowed.find((each) => each.toLowerCase() === text.toLowerCase())
      return chosen === undefined
        ? Either.left(ConfigError.InvalidData([], other(text, allowed)))
        : Either.right(chosen)
    }),
    Config.withDefault(allowed[0]!)
  )
}

/** The table of all settings, as the pages have it. */
export const table = (): string => {
  const rows = settings.map(({ name, secret, standard, what }) => [
    `\`${name}\``,
    standard === "" ? "" : `\`${standard}\``,
    secret ? `${what} (a secret)` : what
  ])
  const all = [["setting", "default", "what it does"], ...rows]
  const widths = [0, 1, 2].map((at) => Math.max(...all.map((row) => row[at]!.length)))
  const line = (cells: ReadonlyArray<string>) =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at]!)).join(" | ")} |`
  const [head, ...body] = all.map(line)
  return [head, line(widths.map((width) => "-".repeat(width))), ...body].join("\n")
}
