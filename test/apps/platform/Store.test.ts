import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect, Either, Redacted } from "effect"
import { readFile } from "node:fs/promises"
import { inspect } from "node:util"
import * as Store from "../../../apps/platform/Store.ts"
import { Repository } from "../../../core/ports/Repository.ts"

const under = (url: string) =>
  Effect.withConfigProvider(ConfigProvider.fromMap(new Map([["OUTDIAL_DATABASE_URL", url]])))

describe("OUTDIAL_DATABASE_URL", () => {
  it("names a file by a relative or an absolute path", () => {
    for (const [url, filename] of [
      ["sqlite:outdial.db", "outdial.db"],
      ["sqlite:./data/x.db", "./data/x.db"],
      ["sqlite:/var/lib/x.db", "/var/lib/x.db"],
      ["sqlite:///var/lib/x.db", "/var/lib/x.db"]
    ] as const) {
      assert.deepStrictEqual(Store.parseLocation(url), Either.right({ _tag: "Sqlite" as const, filename }))
    }
    assert.deepStrictEqual(Store.parseLocation("memory:"), Either.right({ _tag: "Memory" as const }))
  })

  it("names a PostgreSQL database, and keeps its password to itself", () => {
    for (const url of [
      "postgres://me:hunter2@db/outdial",
      "postgresql://me:hunter2@127.0.0.1:5433/outdial?sslmode=no-verify",
      "postgres:///outdial?host=/var/run/postgresql"
    ]) {
      const location = Either.getOrThrow(Store.parseLocation(url))
      assert.strictEqual(location._tag === "Postgres" ? Redacted.value(location.url) : undefined, url)
      assert.notInclude(inspect(location, { depth: 9 }) + JSON.stringify(location), "hunter2")
    }
  })

  it("is refused where it names anything else, without a word of it being repeated", () => {
    for (const url of [
      "sqlite:",
      "sqlite::memory:",
      "sqlite://hunter2/x.db",
      "sqlite:x.db?mode=hunter2",
      "postgres:hunter2",
      "postgres://me:hunter2@db",
      "postgresql://me:hunter2@db/",
      "postgres://me:hunter2@[db/outdial",
      "mysql://me:hunter2@db/outdial",
      "hunter2.db"
    ]) {
      const parsed = Store.parseLocation(url)
      assert.isTrue(Either.isLeft(parsed), url)
      assert.notInclude(String(parsed), "hunter2")
    }
  })

  it.effect("is sqlite:outdial.db when it is not set, or empty", () =>
    Effect.gen(function* () {
      const standard: Store.Location = { _tag: "Sqlite", filename: "outdial.db" }
      const unset = Effect.withConfigProvider(ConfigProvider.fromMap(new Map()))
      assert.deepStrictEqual(yield* unset(Store.location), standard)
      assert.deepStrictEqual(yield* under("")(Store.location), standard)
    })
  )

  it.effect("memory: is a store that works and is gone with its scope", () =>
    Effect.gen(function* () {
      const total = Effect.gen(function* () {
        const { workspaces } = yield* Repository
        const before = (yield* workspaces.list({ limit: 1, offset: 0 })).total
        yield* workspaces.insert({
          id: "ws_1",
          name: "Acme",
          max_concurrency: 1,
          calls_per_second: 1,
          allowed_countries: [],
          indexed_metadata_keys: [],
          recording_retention_days: null,
          transcript_retention_days: null,
          call_retention_days: null,
          allow_costly_destinations: false,
          created_at: 0,
          updated_at: 0
        })
        return [before, (yield* workspaces.list({ limit: 1, offset: 0 })).total]
      }).pipe(Effect.provide(Store.layer), under("memory:"))
      assert.deepStrictEqual(yield* total, [0, 1])
      assert.deepStrictEqual(yield* total, [0, 1])
    })
  )

  it.effect("loads the database's driver when it is asked for one, not before", () =>
    Effect.gen(function* () {
      const text = yield* Effect.promise(() => readFile("apps/platform/Store.ts", "utf8"))
      const statics = text.split("\n").filter((line) => /^import (?!type)/.test(line))
      assert.isTrue(statics.every((line) => !line.includes("adapters/")))
    })
  )
})
