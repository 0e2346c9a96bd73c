import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { check, type Part, readings } from "../../../apps/platform/Configuration.ts"
import { sentence, settingsIssues } from "../../../apps/platform/Explain.ts"
import { nearest } from "../../../apps/platform/Nearest.ts"
import { choice, settings, table } from "../../../apps/platform/Settings.ts"

const root = join(import.meta.dirname, "../../..")

const filesOf = (folder: string, extension: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(extension))
    .map((path) => join(folder, path))

const textOf = (path: string) => readFileSync(join(root, path), "utf8")

const code = ["core", "adapters", "apps"]
  .flatMap((folder) => filesOf(folder, ".ts"))
  .filter((path) => path !== "apps/platform/Settings.ts" && !path.includes("/examples/"))
  .map(textOf)
  .join("\n")

const pages = [...["apps", "adapters"].flatMap((folder) => filesOf(folder, ".md")), "README.md"]

const named = (text: string) =>
  new Set([...text.matchAll(/"(OUTDIAL_[A-Z_]+|HOST|PORT)"/g)].map(([, name]) => name!))

/** The parts that have a meaning for the server: the others are those of the command line and of OpenTelemetry. */
const ofServer = settings.filter(({ name, part }) => part !== "command line" && !name.startsWith("OTEL_"))

const needed = {
  OUTDIAL_TWILIO_ACCOUNT_SID: `AC${"0".repeat(32)}`,
  OUTDIAL_TWILIO_AUTH_TOKEN: "token",
  OUTDIAL_TWILIO_CONVERSATION_URL: "wss://agent.example.com",
  OUTDIAL_PUBLIC_URL: "https://voice.example.com",
  OUTDIAL_META_BUSINESS_ACCOUNT_ID: "1",
  OUTDIAL_META_TOKEN: "token",
  OUTDIAL_META_APP_SECRET: "secret",
  OUTDIAL_META_VERIFY_TOKEN: "word",
  OUTDIAL_LLM_MODEL: "small"
}
/** One choice after the other, so that every part is read by one of them. */
const installations: ReadonlyArray<Readonly<Record<string, string>>> = [
  {},
  { OUTDIAL_CARRIER: "twilio", OUTDIAL_NUMBERS: "twilio", OUTDIAL_MESSAGES: "meta", ...needed },
  { OUTDIAL_LLM_URL: "https://api.example.com/v1", ...needed },
  { OUTDIAL_DATABASE_URL: "postgres://user@127.0.0.1/outdial" }
]

/** What the server reads of an installation, and the names that it looks for. */
const read = Effect.fnUntraced(function* (given: Readonly<Record<string, string>>) {
  const names = new Set<string>()
  const flat = ConfigProvider.fromMap(new Map(Object.entries(given))).flattened
  const provider = ConfigProvider.fromFlat({
    ...flat,
    load: (path, primitive, split) => {
      names.add(path.join("_"))
      return flat.load(path, primitive, split)
    }
  })
  const values = yield* Effect.forEach(Object.keys(readings) as ReadonlyArray<Part>, (part) =>
    Effect.all(readings[part])
  ).pipe(Effect.withConfigProvider(provider))
  // A URL is the same with a slash at its end and without.
  return { names, values: JSON.stringify(values).replaceAll('/"', '"') }
})

describe("the list of settings", () => {
  it("has every setting that the code reads, and no other", () => {
    assert.deepStrictEqual(
      [...named(code)].toSorted(),
      settings.flatMap(({ name }) => (name.startsWith("OTEL_") ? [] : [name])).toSorted()
    )
  })

  it.effect("has what the server reads at its start, each with the standard that the code has", () =>
    Effect.gen(function* () {
      const seen = new Set<string>()
      for (const installation of installations) {
        const plain = yield* read(installation)
        for (const { name, standard } of ofServer) {
          if (plain.names.has(name)) seen.add(name)
          if (standard === "" || name in installation) continue
          const written = yield* read({ ...installation, [name]: standard })
          assert.strictEqual(written.values, plain.values, name)
        }
      }
      assert.deepStrictEqual([...seen].toSorted(), ofServer.map(({ name }) => name).toSorted())
    })
  )

  it("knows which of them are secrets", () => {
    const around = /redacted\((?:Config\.\w+\()?"(\w+)"/g
    const behind = /"(\w+)"\)\.pipe\([^"]*"?[^"]*"?[^"]*Redacted\.make/g
    const found = new Set([...code.matchAll(around), ...code.matchAll(behind)].map(([, name]) => name!))
    // A database's address may hold a password; it is made secret by the part that does.
    const secrets = settings.filter(({ name, secret }) => secret && name !== "OUTDIAL_DATABASE_URL")
    assert.deepStrictEqual([...found].toSorted(), secrets.map(({ name }) => name).toSorted())
  })

  it("is the table of the pages", () => {
    const cells = (text: string) => text.replace(/ +/g, " ").replace(/-+/g, "-")
    const holding = pages.filter((page) => cells(textOf(page)).includes(cells(table())))
    assert.lengthOf(holding, 1, `one page must have this table:\n${table()}`)
  })

  it.effect("names all values of an enumeration, and the one that is probably meant", () =>
    Effect.gen(function* () {
      const given = (text: string) => ConfigProvider.fromMap(new Map([["OUTDIAL_NUMBERS", text]]))
      const said = (text: string) =>
        Effect.map(Effect.flip(Effect.withConfigProvider(choice("OUTDIAL_NUMBERS"), given(text))), sentence)
      assert.strictEqual(
        yield* said("twillio"),
        "OUTDIAL_NUMBERS must be simulated, twilio or none; twilio is probably meant"
      )
      assert.strictEqual(yield* said("acme-telecom"), "OUTDIAL_NUMBERS must be simulated, twilio or none")
      assert.strictEqual(yield* Effect.withConfigProvider(choice("OUTDIAL_NUMBERS"), given("")), "simulated")
    })
  )
})

describe("the check of the settings", () => {
  const issues = (given: Readonly<Record<string, string>>) =>
    check().pipe(
      Effect.match({ onFailure: settingsIssues, onSuccess: () => [] }),
      Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(given))))
    )

  it.effect("finds nothing in settings that can work", () =>
    Effect.gen(function* () {
      for (const installation of installations) assert.deepStrictEqual(yield* issues(installation), [])
    })
  )

  it.effect("tells all that is wrong at once, in one sentence for each setting, without what was given", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(
        yield* issues({
          ...needed,
          PORT: "hunter2",
          OUTDIAL_CARRIER: "twilio",
          OUTDIAL_PUBLIC_URL: "https://hunter2.local",
          OUTDIAL_TWILIO_ACCOUNT_SID: "hunter2",
          OUTDIAL_TWILIO_RECORD: "hunter2",
          OUTDIAL_MESSAGES: "mata",
          OUTDIAL_NUMBERS: "hunter2",
          OUTDIAL_CLUSTER_HEALTH: "pong",
          OUTDIAL_LOG_LEVEL: "hunter2",
          OUTDIAL_LOG_FORMAT: "jason",
          OUTDIAL_REQUEST_TIMEOUT: "hunter2"
        }),
        [
          "PORT must be an integer value",
          "OUTDIAL_REQUEST_TIMEOUT must be a duration, such as 30 seconds",
          "OUTDIAL_LOG_FORMAT must be json, logfmt or pretty; json is probably meant",
          "OUTDIAL_LOG_LEVEL must be INFO, ALL, TRACE, DEBUG, WARN, ERROR, FATAL or OFF",
          "OUTDIAL_CLUSTER_HEALTH must be ping or kubernetes; ping is probably meant",
          "OUTDIAL_TWILIO_ACCOUNT_SID must be AC and 32 hexadecimal digits",
          "OUTDIAL_PUBLIC_URL must be a public address: Twilio opens it over the Internet",
          "OUTDIAL_TWILIO_RECORD must be true or false",
          "OUTDIAL_NUMBERS must be simulated, twilio or none",
          "OUTDIAL_MESSAGES must be simulated or meta; meta is probably meant"
        ]
      )
    })
  )

  it.effect("takes a level of the log in any case", () =>
    Effect.gen(function* () {
      for (const OUTDIAL_LOG_LEVEL of ["debug", "Debug", "DEBUG", ""]) {
        assert.deepStrictEqual(yield* issues({ OUTDIAL_LOG_LEVEL }), [])
      }
    })
  )
})

describe("the word that is probably meant", () => {
  it("is the nearest, if it is near", () => {
    assert.strictEqual(nearest("mata", ["simulated", "meta"]), "meta")
    assert.strictEqual(nearest("dail", ["lookup", "dial", "hangUp"]), "dial")
    assert.isUndefined(nearest("zzz", ["lookup", "dial"]))
  })
})
