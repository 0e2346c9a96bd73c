import { assert, describe, it } from "@effect/vitest"
import { Effect, Either, Redacted } from "effect"
import * as TokenVerifier from "../../../adapters/jwt/TokenVerifier.ts"
import { allScopes } from "../../../core/model/workspaces/Principal.ts"
import { TokenVerifier as Verifier } from "../../../core/ports/TokenVerifier.ts"
import { Workspaces } from "../../../core/usecases/Workspaces.ts"
import { commandLine, documentOf, newWorkspace, onNewDatabase } from "./commandLine.ts"

const secret = "a secret of thirty-two bytes, or more"

interface Listed<A> {
  readonly data: ReadonlyArray<A>
}

describe("workspace", () => {
  it.scopedLive("create takes the limits given, and list answers them, newest first", () =>
    Effect.gen(function* () {
      const { run } = yield* onNewDatabase()
      const create = ["workspace", "create", "--json", "--name"]
      const limits = ["--max-concurrency", "7", "--calls-per-second", "3", "--allow-costly-destinations"]
      const first = documentOf<object>(yield* run(...create, "First"))
      const second = documentOf<object>(
        yield* run(...create, "Second", ...limits, "--allow-country", "US", "--allow-country", "gb")
      )
      assert.include(first, { name: "First", max_concurrency: 50, calls_per_second: 10 })
      assert.deepInclude(second, {
        max_concurrency: 7,
        calls_per_second: 3,
        allowed_countries: ["US", "GB"],
        allow_costly_destinations: true
      })
      const { data } = documentOf<Listed<object>>(yield* run("workspace", "list", "--json"))
      assert.deepStrictEqual(data, [second, first])
    })
  )

  it.scopedLive("list shows a table to people, however many there are", () =>
    Effect.gen(function* () {
      const { inStore, run } = yield* onNewDatabase()
      assert.strictEqual((yield* run("workspace", "list")).out, "There is no workspace yet.\n")
      yield* inStore(
        Effect.flatMap(Workspaces, (workspaces) => Effect.repeatN(workspaces.create({ name: "Acme" }), 100))
      )
      const lines = (yield* run("workspace", "list")).out.trimEnd().split("\n")
      assert.strictEqual(lines.length, 102)
      assert.match(lines[0]!, /^ID +NAME +CONCURRENCY +CALLS\/S +COUNTRIES +COSTLY +CREATED$/)
      assert.match(lines[1]!, /^ws_\w+  Acme +50 +10  all +no +\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ$/)
    })
  )

  it.scopedLive(
    "tool-secret prints what tools are signed with, the same each time, another for each workspace",
    () =>
      Effect.gen(function* () {
        const { run } = yield* onNewDatabase()
        const [first, second] = [yield* newWorkspace(run), yield* newWorkspace(run)]
        const secretOf = (id: string) =>
          Effect.map(run("workspace", "tool-secret", "--workspace", id), ({ out }) => out)
        const secret = yield* secretOf(first)
        assert.match(secret, /^whsec_[A-Za-z0-9+/]{32}\n$/)
        assert.strictEqual(yield* secretOf(first), secret)
        assert.notStrictEqual(yield* secretOf(second), secret)
        const rotated = yield* run("workspace", "tool-secret", "--workspace", first, "--rotate")
        assert.match(rotated.out, /^whsec_/)
        assert.notStrictEqual(rotated.out, secret)
        assert.strictEqual(yield* secretOf(first), rotated.out)
      })
  )

  it.scopedLive("create refuses what is no name, no country and no limit", () =>
    Effect.gen(function* () {
      const { run } = yield* onNewDatabase()
      const refused = (...args: ReadonlyArray<string>) => run("workspace", "create", ...args)
      const answers = [
        [yield* refused(), "--name is required"],
        [yield* refused("--name", ""), "--name must be"],
        [yield* refused("--name", "x".repeat(201)), "--name must be"],
        [yield* refused("--name", "a", "--allow-country", "UK"), "--allow-country must be"],
        [yield* refused("--name", "a", "--max-concurrency", "0"), "--max-concurrency must be"],
        [yield* refused("--name", "a", "--calls-per-second", "x"), "'x' is not a number"],
        [yield* refused("--nam", "a"), "there is no --nam; did you mean --name?"]
      ] as const
      for (const [{ code, err, out }, message] of answers) {
        assert.strictEqual(code, 2)
        assert.strictEqual(out, "")
        assert.match(err, /^outdial: .+ \(see outdial workspace create --help\)\n$/)
        assert.include(err, message)
      }
      assert.deepStrictEqual(documentOf(yield* run("workspace", "list", "--json")), { data: [] })
    })
  )
})

describe("key", () => {
  it.scopedLive("create answers the key once; list shows it without its secret; revoke ends it", () =>
    Effect.gen(function* () {
      const { run } = yield* onNewDatabase()
      const id = yield* newWorkspace(run)
      const made = yield* run("key", "create", "--workspace", id, "--name", "backend")
      assert.match(made.out, /^od_live_[0-9a-f]{16}_[0-9a-f]{64}\n$/)
      const [, , keyId, keySecret] = made.out.trim().split("_")
      const listed = yield* run("key", "list", "--workspace", id)
      assert.match(listed.out, new RegExp(`^${keyId}  backend .* no +never +never +all$`, "m"))
      assert.notInclude(listed.out + made.err, keySecret!)

      const revoke = run("key", "revoke", "--workspace", id, keyId!)
      assert.strictEqual((yield* revoke).code, 0)
      assert.match((yield* run("key", "list", "--workspace", id)).out, /backend .* \d{4}-\d\d-\d\d .* all$/m)
      assert.deepInclude(yield* revoke, { code: 1, out: "" })
    })
  )

  it.scopedLive("create keeps to the scopes given, and its JSON never holds a digest", () =>
    Effect.gen(function* () {
      const { run } = yield* onNewDatabase()
      const id = yield* newWorkspace(run)
      const scopes = ["--scope", "sessions:read", "--scope", "webhooks:read", "--scope", "sessions:read"]
      const ran = yield* run("key", "create", "--workspace", id, "--name", "k", "--json", ...scopes)
      const made = documentOf<Record<string, unknown>>(ran)
      assert.deepInclude(made, {
        customer_id: id,
        scopes: ["sessions:read", "webhooks:read"],
        revoked_at: null
      })
      assert.strictEqual(ran.err, "")
      const { data } = documentOf<Listed<object>>(yield* run("key", "list", "--workspace", id, "--json"))
      const { key, ...kept } = made
      assert.isString(key)
      assert.deepStrictEqual(data, [kept])
      assert.notProperty(kept, "digest")
    })
  )

  it.scopedLive("of another workspace cannot be revoked", () =>
    Effect.gen(function* () {
      const { run } = yield* onNewDatabase()
      const [mine, other] = [yield* newWorkspace(run), yield* newWorkspace(run)]
      const made = yield* run("key", "create", "--workspace", mine, "--name", "k", "--json")
      const { id } = documentOf<{ readonly id: string }>(made)
      const ran = yield* run("key", "revoke", "--workspace", other, id)
      assert.strictEqual(ran.code, 1)
      assert.match((yield* run("key", "list", "--workspace", mine)).out, / no +never +never +all$/m)
    })
  )
})

describe("credits", () => {
  it.scopedLive("are added, taken and shown with their newest entries", () =>
    Effect.gen(function* () {
      const { run } = yield* onNewDatabase()
      const id = yield* newWorkspace(run)
      const add = (...args: ReadonlyArray<string>) => run("credits", "add", "--workspace", id, ...args)
      const added = yield* add("1000", "--reference", "invoice-42", "--json")
      assert.deepStrictEqual(documentOf(added), { customer_id: id, amount: 1000, balance: 1000 })
      assert.strictEqual((yield* add("--", "-250")).out, "Took 250; the balance is 750 credits.\n")
      const shown = (yield* run("credits", "show", "--workspace", id)).out.split("\n")
      assert.strictEqual(shown[0], "Balance: 750 credits")
      assert.match(shown[3]!, /^\S+ \S+ +top_up +-250$/)
      assert.match(shown[4]!, /^\S+ \S+ +top_up +1000 +invoice-42$/)
    })
  )

  it.scopedLive("never fall below zero", () =>
    Effect.gen(function* () {
      const { run } = yield* onNewDatabase()
      const id = yield* newWorkspace(run)
      yield* run("credits", "add", "--workspace", id, "5")
      const ran = yield* run("credits", "add", "--workspace", id, "-6")
      assert.deepStrictEqual(ran, {
        code: 1,
        out: "",
        err: "outdial: insufficient credits: 6 needed, 5 available\n"
      })
      const shown = yield* run("credits", "show", "--workspace", id, "--json")
      assert.include(documentOf<object>(shown), { balance: 5, total_entries: 1 })
    })
  )

  it.scopedLive("are whole", () =>
    Effect.gen(function* () {
      const { run } = yield* onNewDatabase()
      const id = yield* newWorkspace(run)
      for (const amount of ["0", "1.5", "9007199254740993", "Infinity", "five"]) {
        const { code, err } = yield* run("credits", "add", "--workspace", id, amount)
        assert.strictEqual(code, 2, `${amount}: ${err}`)
      }
      assert.match((yield* run("credits", "show", "--workspace", id)).out, /^Balance: 0 credits\n$/)
    })
  )
})

describe("token create", () => {
  const verify = (token: string, options: TokenVerifier.Options) =>
    Effect.flatMap(Verifier, (verifier) => verifier.verify(token)).pipe(
      Effect.provide(TokenVerifier.layer({ secret: Redacted.make(secret), ...options })),
      Effect.either
    )

  it.scopedLive("signs what the server accepts, its issuer and audience included", () =>
    Effect.gen(function* () {
      const settings = { OUTDIAL_JWT_ISSUER: "me", OUTDIAL_JWT_AUDIENCE: "outdial" }
      const { run } = yield* onNewDatabase({ ...settings, OUTDIAL_JWT_SECRET: secret })
      const id = yield* newWorkspace(run)
      const token = (yield* run("token", "create", "--workspace", id)).out.trim()
      const accepted = yield* verify(token, { issuer: "me", audience: "outdial" })
      assert.deepStrictEqual(
        accepted,
        Either.right({ workspace_id: id, kind: "bearer", subject: "", scopes: new Set(allScopes) })
      )
      assert.strictEqual((yield* verify(token, { issuer: "another" }))._tag, "Left")
    })
  )

  it.scopedLive("gives it the scopes and the time asked for", () =>
    Effect.gen(function* () {
      const { run } = yield* onNewDatabase({ OUTDIAL_JWT_SECRET: secret })
      const id = yield* newWorkspace(run)
      const options = ["--scope", "agents:read", "--ttl", "90s", "--json"]
      const ran = yield* run("token", "create", "--workspace", id, ...options)
      const made = documentOf<{ readonly token: string; readonly expires_at: string }>(ran)
      const claims = JSON.parse(Buffer.from(made.token.split(".")[1]!, "base64url").toString())
      assert.strictEqual(claims.scope, "agents:read")
      assert.strictEqual(claims.exp - claims.iat, 90)
      assert.strictEqual(Date.parse(made.expires_at), claims.exp * 1_000)
    })
  )

  it.scopedLive("says what is wrong with the secret, and never the secret", () =>
    Effect.gen(function* () {
      for (const [value, message] of [
        ["", "OUTDIAL_JWT_SECRET is not set"],
        ["hunter2", "OUTDIAL_JWT_SECRET must have at least 32 bytes"]
      ] as const) {
        const { run } = yield* onNewDatabase({ OUTDIAL_JWT_SECRET: value })
        const ran = yield* run("token", "create", "--workspace", yield* newWorkspace(run))
        assert.strictEqual(ran.code, 1)
        assert.include(ran.err, message)
        assert.notInclude(ran.err, "hunter2")
      }
    })
  )

  it.scopedLive("refuses a duration that it cannot read", () =>
    Effect.gen(function* () {
      const { run } = yield* onNewDatabase({ OUTDIAL_JWT_SECRET: secret })
      for (const ttl of ["0s", "1w", "an hour", "-1h", "1.5h"]) {
        assert.strictEqual(
          (yield* run("token", "create", "--workspace", "ws_1", `--ttl=${ttl}`)).code,
          2,
          ttl
        )
      }
    })
  )
})

describe("errors", () => {
  it.scopedLive("name an unknown workspace, on one line, and end with 1", () =>
    Effect.gen(function* () {
      const { run } = yield* onNewDatabase({ OUTDIAL_JWT_SECRET: secret })
      for (const words of [
        "credits show",
        "credits add 5",
        "key list",
        "key create --name k",
        "token create",
        "workspace tool-secret"
      ]) {
        const ran = yield* run(...words.split(" "), "--workspace", "ws_none")
        assert.deepStrictEqual(ran, { code: 1, out: "", err: "outdial: no such workspace: ws_none\n" })
      }
    })
  )

  it.effect("say what is wrong with the database's URL without repeating it", () =>
    Effect.gen(function* () {
      for (const [url, message] of [
        ["postgres://user:hunter2@127.0.0.1:1/outdial", "the database cannot be used"],
        ["mysql://user:hunter2@db/outdial", "must be sqlite:<path>"],
        ["memory:", "a store that no other process can reach"],
        ["sqlite::memory:", "cannot be SQLite in memory"],
        ["sqlite:/no/such/folder/x.db", "the database cannot be used"]
      ] as const) {
        const { code, err } = yield* commandLine({ OUTDIAL_DATABASE_URL: url })("workspace", "list")
        assert.strictEqual(code, 1)
        assert.match(err, /^outdial: OUTDIAL_DATABASE_URL .+\n$|^outdial: the database .+\n$/)
        assert.include(err, message)
        assert.notInclude(err, "hunter2")
      }
    })
  )

  it.effect("of usage end with 2 and say what there is", () =>
    Effect.gen(function* () {
      const run = commandLine({})
      for (const [words, message] of [
        [
          ["bogus"],
          "there is no command 'bogus'; there is: serve, init, workspace, key, credits, token, agent, number, call, campaign, recipient, template, suite, webhook, events, usage, people, audit, simulate, doctor, migrate-store, carrier"
        ],
        [["credits", "bogus"], "there is no command 'credits bogus'; there is: add, show"],
        [["credits"], "a command is missing after 'outdial credits'; there is: add, show"],
        [
          ["credits", "show", "--workspace", "a", "b"],
          "there is no argument 'b' (see outdial credits show --help)"
        ],
        [["key", "revoke", "--workspace", "a"], "KEY_ID is required (see outdial key revoke --help)"],
        [
          ["carrier", "--port", "70000"],
          "--port must be a number between 0 and 65535 (see outdial carrier --help)"
        ],
        [["carrier", "--speed", "0"], "--speed must be greater than 0 (see outdial carrier --help)"]
      ] as const) {
        assert.deepStrictEqual(yield* run(...words), { code: 2, out: "", err: `outdial: ${message}\n` })
      }
    })
  )
})
