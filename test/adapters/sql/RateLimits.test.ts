import { Context, Effect, Exit, Layer, Redacted, Scope, TestClock } from "effect"
import { assert, describe, it } from "@effect/vitest"
import { afterAll, beforeAll } from "vitest"
import { Database } from "../../../adapters/sql/Database.ts"
import * as Postgres from "../../../adapters/sql/postgres/Postgres.ts"
import * as SqlRateLimits from "../../../adapters/sql/RateLimits.ts"
import * as Sqlite from "../../../adapters/sql/sqlite/Sqlite.ts"
import { RateLimits } from "../../../core/ports/RateLimits.ts"
import { platformWide } from "../../../core/ports/Repository.ts"
import { rateLimitsContract } from "../../contracts/RateLimits.ts"
import { freshDatabase } from "./PostgresServer.ts"
import { onServer } from "./PostgresSuite.ts"
import { temporaryFile } from "./TemporaryFile.ts"

let tests = 0

/** Workspaces of its own for each layer, so that a database serves many. */
const apart = (limits: Layer.Layer<RateLimits>): Layer.Layer<RateLimits> =>
  Layer.map(limits, (context) => {
    const { generation, request } = Context.get(context, RateLimits)
    const test = tests++
    return Context.make(RateLimits, {
      generation: (id: string) => generation(`${test} ${id}`),
      request: request === null ? null : (id, subject) => request(`${test} ${id}`, subject)
    })
  })

const suite = (name: string, database: () => Database["Type"]) => {
  const onDatabase = Layer.suspend(() => Layer.succeed(Database, database()))

  rateLimitsContract(name, (rate, requests) =>
    apart(Layer.provide(SqlRateLimits.layer(rate, requests), onDatabase))
  )

  it.scoped(`${name}: are one for all processes, however many race, and whichever clock is behind`, () =>
    Effect.gen(function* () {
      const rate = { limit: 10, window: "1 minute" } as const
      const processes = yield* Effect.replicateEffect(Layer.build(SqlRateLimits.layer(rate)), 3)
      const take = (at: number) =>
        Effect.forEach(processes, (context, n) =>
          Effect.zipRight(
            TestClock.setTime(at - 3_000 * n),
            Effect.replicateEffect(Effect.either(Context.get(context, RateLimits).generation("ws_all")), 20, {
              concurrency: "unbounded"
            })
          )
        ).pipe(Effect.map((answers) => answers.flat().filter(({ _tag }) => _tag === "Right").length))
      assert.strictEqual(yield* take(1_000_000), 10)
      assert.strictEqual(yield* take(1_000_000), 0)
      assert.strictEqual(yield* take(1_012_000), 2)
      assert.strictEqual(yield* take(1_012_000), 0)
    }).pipe(Effect.provide(onDatabase))
  )

  it.effect(`${name}: gives back what is used up after the clock was set back, whatever it was before`, () =>
    Effect.gen(function* () {
      const { generation } = yield* RateLimits
      const taken = Effect.map(
        Effect.replicateEffect(Effect.either(generation("ws_back")), 20),
        (answers) => answers.filter(({ _tag }) => _tag === "Right").length
      )
      yield* TestClock.setTime(Date.UTC(2_300, 0, 2))
      assert.strictEqual(yield* taken, 10)
      yield* TestClock.setTime(Date.UTC(2_300, 0, 1))
      assert.strictEqual(yield* taken, 0)
      yield* TestClock.adjust("12 seconds")
      assert.strictEqual(yield* taken, 2)
    }).pipe(
      Effect.provide(Layer.provideMerge(SqlRateLimits.layer({ limit: 10, window: "1 minute" }), onDatabase))
    )
  )

  it.effect(`${name}: keeps no row of a workspace that has all of its own again`, () =>
    Effect.gen(function* () {
      const { generation } = yield* RateLimits
      const { all } = yield* Database
      const rows = Effect.map(
        all<{ readonly customer_id: string }>(platformWide, "select customer_id from rate_limits", []),
        (found) => found.map(({ customer_id }) => customer_id)
      )
      yield* TestClock.setTime(Date.UTC(2_400, 0))
      for (let n = 0; n < 50; n++) yield* generation(`ws_${n}`)
      assert.lengthOf(yield* rows, 50)
      yield* TestClock.adjust("1 minute")
      yield* TestClock.adjust(1)
      yield* generation("ws_0")
      assert.deepStrictEqual(yield* rows, ["ws_0"])
    }).pipe(
      Effect.provide(Layer.provideMerge(SqlRateLimits.layer({ limit: 10, window: "1 minute" }), onDatabase))
    )
  )
}

/** A database for all tests of a suite. */
const opened = <R extends Scope.Scope>(open: () => Effect.Effect<Context.Context<Database>, unknown, R>) => {
  const scope = Effect.runSync(Scope.make())
  let context: Context.Context<Database> | undefined
  beforeAll(async () => {
    context = await Effect.runPromise(
      Scope.extend(open() as Effect.Effect<Context.Context<Database>, unknown, Scope.Scope>, scope)
    )
  })
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))
  return () => Context.get(context!, Database)
}

describe("SQLite", () => {
  suite(
    "SQLite",
    opened(() => Effect.flatMap(temporaryFile, (filename) => Layer.build(Sqlite.layer({ filename }))))
  )
})

onServer("PostgreSQL", (running) => {
  suite(
    "PostgreSQL",
    opened(() =>
      Effect.flatMap(freshDatabase(running()), ({ url }) =>
        Layer.build(Postgres.layer({ url: Redacted.make(url), connections: 6 }))
      )
    )
  )
})
