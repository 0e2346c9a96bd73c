import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { createHmac } from "node:crypto"
import type { CallerNumber } from "../../../../apps/cli/doctor/CallerNumbers.ts"
import { carrier, inventory } from "../../../../apps/cli/doctor/Carrier.ts"
import type { Finding } from "../../../../apps/cli/doctor/Finding.ts"
import { messages } from "../../../../apps/cli/doctor/Messages.ts"
import { server } from "../../../../apps/cli/doctor/Server.ts"
import * as Configuration from "../../../../apps/platform/Configuration.ts"
import { settingsIssues } from "../../../../apps/platform/Explain.ts"
import { PhoneNumbers } from "../../../../core/usecases/PhoneNumbers.ts"
import { Workspaces } from "../../../../core/usecases/Workspaces.ts"
import * as Meta from "../../../adapters/meta/MetaServer.ts"
import { accountSid, authToken } from "../../../adapters/twilio/TwilioServer.ts"
import { type Answer, asText, json, listen } from "../../../Listener.ts"
import { freePort } from "../../../programs/Processes.ts"
import { commandLine, documentOf, onNewDatabase } from "../commandLine.ts"

const ours: ReadonlyArray<CallerNumber> = [
  { workspace_id: "ws_1", number: "+14155550100" },
  { workspace_id: "ws_2", number: "+14155550200" }
]

type Settings = Readonly<Record<string, string>>

/** The findings under these settings, each in a line. */
const found = (look: Effect.Effect<ReadonlyArray<Finding>>, settings: Settings) =>
  look.pipe(
    Effect.map((findings) => findings.map(({ message, status }) => `${status}: ${message}`)),
    Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(settings))))
  )

const basic = (username: string, password: string) =>
  `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`

const key = { sid: `SK${"fedcba9876543210".repeat(2)}`, secret: "hunter2-of-the-key" }

interface Account {
  readonly status: string
  readonly type: string
  readonly bought: ReadonlyArray<string>
  readonly verified: ReadonlyArray<string>
}

/** A stand-in for Twilio: an account and its numbers, one on a page. The key sees no account, as Twilio has it. */
const serveTwilio = Effect.fnUntraced(function* (given: Partial<Account> = {}, fault?: Answer) {
  const account = { status: "active", type: "Full", bought: [], verified: [], ...given }
  const base = `/2010-04-01/Accounts/${accountSid}`
  const { asked, port, url } = yield* listen(asText, (arrived) => {
    if (fault !== undefined) return fault(arrived)
    const { headers, path, query } = arrived
    const isToken = headers.authorization === basic(accountSid, authToken)
    if (!isToken && headers.authorization !== basic(key.sid, key.secret))
      return json(arrived, 401, { code: 20_003 })
    if (path === `${base}.json`)
      return isToken ? json(arrived, 200, account) : json(arrived, 401, { code: 20_003 })
    const page = (name: string, numbers: ReadonlyArray<string>) => {
      const at = Number(query.get("Page") ?? 0)
      const more = at + 1 < numbers.length ? `${path}?Page=${at + 1}` : null
      json(arrived, 200, {
        [name]: numbers.slice(at, at + 1).map((phone_number) => ({ phone_number })),
        next_page_uri: more
      })
    }
    if (path === `${base}/IncomingPhoneNumbers.json`) return page("incoming_phone_numbers", account.bought)
    if (path === `${base}/OutgoingCallerIds.json`) return page("outgoing_caller_ids", account.verified)
    json(arrived, 404, {})
  })
  const settings: Settings = {
    OUTDIAL_CARRIER: "twilio",
    OUTDIAL_TWILIO_URL: url,
    OUTDIAL_TWILIO_ACCOUNT_SID: accountSid,
    OUTDIAL_TWILIO_AUTH_TOKEN: authToken,
    OUTDIAL_TWILIO_CONVERSATION_URL: "wss://agent.example.com",
    OUTDIAL_PUBLIC_URL: "https://voice.example.com"
  }
  return { asked, host: `127.0.0.1:${port}`, settings }
})

describe("the doctor on Twilio", () => {
  it.scopedLive("finds a right installation well: the credentials, and the numbers bought or verified", () =>
    Effect.gen(function* () {
      const bought = ["+15550000001", "+14155550100"]
      const { host, settings } = yield* serveTwilio({ bought, verified: ["+14155550200"] })
      const well = [
        `ok: ${host} takes the credentials, and the account is active`,
        `ok: the account at ${host} has the 2 phone numbers of the workspaces`
      ]
      assert.deepStrictEqual(yield* found(carrier(ours), settings), well)
      const byKey = { OUTDIAL_TWILIO_API_KEY: key.sid, OUTDIAL_TWILIO_API_KEY_SECRET: key.secret }
      assert.deepStrictEqual(yield* found(carrier(ours), { ...settings, ...byKey }), well)
      assert.deepStrictEqual(yield* found(carrier([]), settings), well.slice(0, 1))
    })
  )

  it.scopedLive("says whose numbers are not the account's", () =>
    Effect.gen(function* () {
      const { host, settings } = yield* serveTwilio({ bought: ["+14155550100"] })
      const [, some] = yield* found(carrier(ours), settings)
      assert.strictEqual(
        some,
        `warning: the account at ${host} does not have +14155550200 of ws_2: nothing can go out from there`
      )
      const [, none] = yield* found(carrier(ours.slice(1)), settings)
      assert.strictEqual(
        none,
        `broken: the account at ${host} has none of the 1 phone number of the workspaces: +14155550200 of ws_2`
      )
    })
  )

  it.scopedLive("says which credential is not taken, and repeats none", () =>
    Effect.gen(function* () {
      const { host, settings } = yield* serveTwilio()
      for (const [wrong, message] of [
        [
          { OUTDIAL_TWILIO_AUTH_TOKEN: "hunter2" },
          "does not take OUTDIAL_TWILIO_ACCOUNT_SID with OUTDIAL_TWILIO_AUTH_TOKEN (401)"
        ],
        [
          { OUTDIAL_TWILIO_API_KEY: key.sid, OUTDIAL_TWILIO_API_KEY_SECRET: "hunter2" },
          "does not take OUTDIAL_TWILIO_API_KEY with its secret (401)"
        ]
      ] as const) {
        assert.deepStrictEqual(yield* found(carrier(ours), { ...settings, ...wrong }), [
          `broken: ${host} ${message}`
        ])
      }
    })
  )

  it.scopedLive("says that the account is on trial or suspended, or that nothing answers", () =>
    Effect.gen(function* () {
      const first = (given: Partial<Account>, fault?: Answer) =>
        Effect.gen(function* () {
          const { host, settings } = yield* serveTwilio(given, fault)
          return (yield* found(carrier([]), settings))[0]!.replace(host, "twilio")
        })
      assert.strictEqual(
        yield* first({ type: "Trial" }),
        "warning: twilio takes the credentials; the account is on trial and calls verified numbers only"
      )
      assert.strictEqual(
        yield* first({ status: "suspended" }),
        "broken: twilio takes the credentials, but the account is suspended"
      )
      const broken = (answer: Answer) => first({}, answer)
      assert.match(
        yield* broken(({ response }) => response.socket!.destroy()),
        /^broken: twilio does not answer \(/
      )
      assert.strictEqual(yield* broken((arrived) => json(arrived, 500, {})), "broken: twilio answers (500)")
      assert.strictEqual(
        yield* broken((arrived) => json(arrived, 404, {})),
        "broken: twilio knows no account of OUTDIAL_TWILIO_ACCOUNT_SID"
      )
      assert.strictEqual(
        yield* broken(({ response }) => response.end("<html>")),
        "broken: twilio answers what is no account"
      )
    })
  )

  it.effect("lets no rules talk to people unless the operator says so", () =>
    Effect.gen(function* () {
      const settings: Settings = {
        OUTDIAL_CARRIER: "twilio",
        OUTDIAL_TWILIO_ACCOUNT_SID: accountSid,
        OUTDIAL_TWILIO_AUTH_TOKEN: authToken,
        OUTDIAL_PUBLIC_URL: "https://voice.example.com"
      }
      const wrong = (more: Settings) =>
        Configuration.check(["carrier"]).pipe(
          Effect.match({ onFailure: settingsIssues, onSuccess: () => [] }),
          Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries({ ...settings, ...more }))))
        )
      const refused = [
        "OUTDIAL_LLM_URL must be set: without a model, rules of this server would talk to people; " +
          "OUTDIAL_TALK_BY_RULES=true allows that"
      ]
      assert.deepStrictEqual(yield* wrong({}), refused)
      assert.deepStrictEqual(
        yield* found(carrier([]), settings),
        refused.map((each) => `broken: ${each}`)
      )
      assert.deepStrictEqual(yield* wrong({ OUTDIAL_TALK_BY_RULES: "true" }), [])
      assert.deepStrictEqual(yield* wrong({ OUTDIAL_LLM_URL: "https://api.example.com/v1" }), [])
      assert.deepStrictEqual(yield* wrong({ OUTDIAL_TWILIO_CONVERSATION_URL: "wss://agent.example.com" }), [])
      assert.deepStrictEqual(yield* wrong({ OUTDIAL_TWILIO_URL: "http://127.0.0.1:9" }), [])
    })
  )

  it.scopedLive("says what is wrong with the settings in the server's words, and asks nothing", () =>
    Effect.gen(function* () {
      const { asked, settings } = yield* serveTwilio()
      assert.deepStrictEqual(
        yield* found(carrier(ours), {
          ...settings,
          OUTDIAL_TWILIO_RECORD: "perhaps",
          OUTDIAL_TWILIO_TIMEOUT: "1 hour"
        }),
        [
          "broken: OUTDIAL_TWILIO_TIMEOUT must be longer than nothing and at most 15 seconds",
          "broken: OUTDIAL_TWILIO_RECORD must be true or false"
        ]
      )
      assert.deepStrictEqual(yield* found(carrier(ours), { OUTDIAL_CARRIER: "twillio" }), [
        "broken: OUTDIAL_CARRIER must be simulated or twilio; twilio is probably meant"
      ])
      assert.isEmpty(asked)
    })
  )

  it.scopedLive("asks it too where only numbers for sale come from there", () =>
    Effect.gen(function* () {
      const { host, settings } = yield* serveTwilio()
      const browsed = { ...settings, OUTDIAL_CARRIER: "simulated", OUTDIAL_NUMBERS: "twilio" }
      assert.deepStrictEqual(yield* found(inventory, browsed), [
        `ok: ${host} takes the credentials, and the account is active`
      ])
      assert.deepStrictEqual(yield* found(inventory, { ...browsed, OUTDIAL_TWILIO_AUTH_TOKEN: "hunter2" }), [
        `broken: ${host} does not take OUTDIAL_TWILIO_ACCOUNT_SID with OUTDIAL_TWILIO_AUTH_TOKEN (401)`
      ])
      assert.match((yield* found(inventory, { OUTDIAL_NUMBERS: "none" }))[0]!, /^ok: no numbers are for sale/)
      assert.match(
        (yield* found(inventory, { OUTDIAL_NUMBERS: "twillio" }))[0]!,
        /^broken: OUTDIAL_NUMBERS must be /
      )
    })
  )
})

/** A stand-in for Meta: a business account with numbers, one on a page. A proof that it is given must be right. */
const serveMeta = Effect.fnUntraced(function* (numbers: ReadonlyArray<string>) {
  const proof = createHmac("sha256", Meta.appSecret).update(Meta.token).digest("hex")
  const { port, url } = yield* listen(asText, (arrived) => {
    const { headers, path, query } = arrived
    const failure = (code: number) => json(arrived, 400, { error: { code, message: `no ${Meta.token}` } })
    if (headers.authorization !== `Bearer ${Meta.token}`) return failure(190)
    if (query.has("appsecret_proof") && query.get("appsecret_proof") !== proof) return failure(100)
    const at = Number(query.get("after") ?? 0)
    if (path === `/v23.0/${Meta.businessAccountId}`) return json(arrived, 200, { id: Meta.businessAccountId })
    if (path !== `/v23.0/${Meta.businessAccountId}/phone_numbers`) return failure(100)
    json(arrived, 200, {
      data: numbers
        .slice(at, at + 1)
        .map((display_phone_number, i) => ({ id: String(i), display_phone_number })),
      paging: { cursors: { after: String(at + 1) }, ...(at + 1 < numbers.length && { next: "https://next" }) }
    })
  })
  const settings: Settings = {
    OUTDIAL_MESSAGES: "meta",
    OUTDIAL_MAX_BODY_BYTES: "3145728",
    OUTDIAL_META_URL: url,
    OUTDIAL_META_BUSINESS_ACCOUNT_ID: Meta.businessAccountId,
    OUTDIAL_META_TOKEN: Meta.token,
    OUTDIAL_META_APP_SECRET: Meta.appSecret,
    OUTDIAL_META_VERIFY_TOKEN: Meta.verifyToken
  }
  return { host: `127.0.0.1:${port}`, settings }
})

describe("the doctor on Meta", () => {
  it.scopedLive("finds a right installation well: the token, the app's secret and the numbers", () =>
    Effect.gen(function* () {
      const { host, settings } = yield* serveMeta(["+1 415-555-0200", "+1 415-555-0100"])
      assert.deepStrictEqual(yield* found(messages(ours), settings), [
        `ok: ${host} takes the token and the app's secret`,
        `ok: the account at ${host} has the 2 phone numbers of the workspaces`
      ])
      const [, small] = yield* found(messages([]), { ...settings, OUTDIAL_MAX_BODY_BYTES: "262144" })
      assert.match(small!, /^warning: .*OUTDIAL_MAX_BODY_BYTES: set it to 3145728$/)
    })
  )

  it.scopedLive("says what Meta does not take, and repeats no secret", () =>
    Effect.gen(function* () {
      const { host, settings } = yield* serveMeta([])
      for (const [wrong, message] of [
        [
          { OUTDIAL_META_TOKEN: "hunter2" },
          `broken: ${host} does not take OUTDIAL_META_TOKEN: the token is not accepted (190)`
        ],
        [
          { OUTDIAL_META_APP_SECRET: "hunter2" },
          `broken: ${host} does not take OUTDIAL_META_APP_SECRET: it is not that of the token's app`
        ],
        [
          { OUTDIAL_META_BUSINESS_ACCOUNT_ID: "1" },
          `broken: ${host} shows OUTDIAL_META_TOKEN no account OUTDIAL_META_BUSINESS_ACCOUNT_ID (100)`
        ],
        [{ OUTDIAL_META_TOKEN: "" }, "broken: OUTDIAL_META_TOKEN is not set"],
        [
          { OUTDIAL_MESSAGES: "mata" },
          "broken: OUTDIAL_MESSAGES must be simulated or meta; meta is probably meant"
        ]
      ] as const) {
        assert.deepStrictEqual(yield* found(messages(ours), { ...settings, ...wrong }), [message])
      }
      const [, none] = yield* found(messages(ours), settings)
      assert.match(none!, /^broken: .* has none of the 2 phone numbers/)
    })
  )
})

describe("the doctor on the server's addresses", () => {
  const live: Answer = (arrived) =>
    json(arrived, 200, { status: arrived.path === "/health/live" ? "live" : "ready" })

  it.scopedLive("looks where the command line has the server, when it is not at HOST and PORT", () =>
    Effect.gen(function* () {
      const { url } = yield* listen(asText, live)
      const PORT = String(yield* freePort)
      assert.deepStrictEqual(yield* found(server, { PORT, OUTDIAL_URL: `${url}/v0` }), [
        `ok: it runs on ${url} and is ready`
      ])
      const [free] = yield* found(server, { PORT, OUTDIAL_URL: "http://127.0.0.1:1/v0" })
      assert.strictEqual(free, `ok: it does not run; port ${PORT} on 127.0.0.1 is free for it`)
      assert.match((yield* found(server, { PORT: "0" }))[0]!, /^ok: PORT is 0/)
      assert.match((yield* found(server, { PORT: "70000" }))[0]!, /^broken: PORT must be a port/)
    })
  )

  it.scopedLive("asks for the server at its public address", () =>
    Effect.gen(function* () {
      const there = yield* listen(asText, live)
      const other = yield* listen(asText, ({ response }) => response.end("<h1>Welcome</h1>"))
      const PORT = there.url.split(":").at(-1)!
      const publicly = (OUTDIAL_PUBLIC_URL: string, port = PORT) =>
        Effect.map(found(server, { PORT: port, OUTDIAL_PUBLIC_URL }), ([, finding]) => finding)
      assert.strictEqual(yield* publicly(`${there.url}/`), `ok: a server answers at ${there.url}`)
      assert.strictEqual(
        yield* publicly(other.url),
        `broken: no server of Outdial answers at ${other.url}/health/live, although one runs`
      )
      assert.match(
        (yield* publicly(other.url, String(yield* freePort)))!,
        /^warning: no server of Outdial answers at .*; none runs here either$/
      )
      assert.isUndefined((yield* found(server, { PORT }))[1])
    })
  )
})

describe("the doctor", () => {
  it.scopedLive("compares the numbers of the store with the account's", () =>
    Effect.gen(function* () {
      const { host, settings } = yield* serveTwilio()
      const { inStore, run } = yield* onNewDatabase({ ...settings, PORT: "0" })
      const id = yield* inStore(
        Effect.gen(function* () {
          const { id } = yield* (yield* Workspaces).create({ name: "Acme" })
          yield* (yield* PhoneNumbers).add(id, { number: "+14155550100", label: null })
          return id
        }).pipe(Effect.orDie)
      )
      const ran = yield* run("doctor", "--json")
      const { checks } = documentOf<{ readonly checks: ReadonlyArray<Finding> }>(ran)
      assert.deepStrictEqual(
        checks.filter(({ check }) => check === "carrier").map(({ message }) => message),
        [
          `${host} takes the credentials, and the account is active`,
          `the account at ${host} has none of the 1 phone number of the workspaces: +14155550100 of ${id}`
        ]
      )
      assert.strictEqual(ran.code, 1)
      assert.notInclude(ran.out, authToken)
    })
  )

  it.scopedLive("says something of an unknown value of every setting that has few", () =>
    Effect.gen(function* () {
      for (const name of [
        "OUTDIAL_CARRIER",
        "OUTDIAL_MESSAGES",
        "OUTDIAL_NUMBERS",
        "OUTDIAL_CLUSTER_HEALTH",
        "OUTDIAL_LOG_LEVEL",
        "OUTDIAL_LOG_FORMAT"
      ]) {
        const ran = yield* commandLine({ OUTDIAL_DATABASE_URL: "memory:", PORT: "0", [name]: "mata" })(
          "doctor"
        )
        assert.strictEqual(ran.code, 1, name)
        assert.match(ran.out, new RegExp(`^broken .*${name} must be \\w+,? .*or \\w+`, "m"))
      }
    })
  )
})
