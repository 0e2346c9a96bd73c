import { assert, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { freshDatabase } from "../../adapters/sql/PostgresServer.ts"
import { onServer } from "../../adapters/sql/PostgresSuite.ts"
import { until } from "../../Until.ts"
import * as Processes from "../../programs/Processes.ts"
import * as Programs from "../../programs/Programs.ts"

const key = "od_live_rolling_0123456789abcdef0123456789abcdef"

/** What the version after this one may do to a store that this one uses: columns, indexes and a table more. */
const migration = `
const grown = ["workspaces", "api_keys", "agents", "phone_numbers", "balances", "ledger", "calls", "attempts",
  "webhooks", "events", "deliveries", "rate_limits", "recordings"]
const next = Effect.flatMap(SqlClient, (sql) => Effect.forEach(grown.flatMap((name) => [
  "alter table " + name + " add column of_next text not null default 'next'",
  "create index " + name + "_of_next on " + name + " (of_next)"
]).concat("create table of_next (id text primary key not null)"), (text) => sql.unsafe(text)))
`

/** The programs of a version that has one more migration, in place of the one after this. */
const nextVersion = Programs.patched([
  {
    file: "adapters/sql/Migrations.ts",
    find: "\n}\n\n/** The last migration from before that rule. */",
    put: ',\n  "9998_of_next": next\n}\n\n/** The last migration from before that rule. */'
  },
  {
    file: "adapters/sql/Migrations.ts",
    find: 'import initial from "./migrations/0001_initial.ts"',
    put: `import initial from "./migrations/0001_initial.ts"\n${migration}`
  }
])

const serve = Effect.fnUntraced(function* (program: string, url: string, ready: RegExp = /Listening on/) {
  const port = yield* Processes.freePort
  const settings = {
    PORT: String(port),
    OUTDIAL_DATABASE_URL: url,
    OUTDIAL_BOOTSTRAP_API_KEY: key,
    OUTDIAL_SIMULATED_SPEED: "20"
  }
  const running = yield* Processes.scoped(program, [], settings, ready)
  const ask = (path: string, body?: object) =>
    Effect.promise(async () => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        method: body === undefined ? "GET" : "POST",
        headers: { "x-api-key": key, "content-type": "application/json" },
        ...(body !== undefined && { body: JSON.stringify(body) })
      })
      return { status: response.status, text: await response.text() }
    })
  return { ask, running }
})

onServer("a rolling update", (postgres) => {
  it.scopedLive(
    "leaves the processes of the version before as they are while a newer one changes the layout under load",
    () =>
      Effect.gen(function* () {
        const { name, url } = yield* freshDatabase(postgres())
        const programs = yield* Programs.programs
        const newer = yield* nextVersion
        const before = yield* serve(programs.server, url)
        const agent_id = /agent_\w+/.exec(before.running.output())![0]

        const bad: Array<string> = []
        let asked = 0
        const place = ["/v0/calls", { agent_id, to_number: "+14155550123" }] as const
        const round = (first: ReadonlyArray<readonly [path: string, body?: object]>) =>
          Effect.forEach(
            [
              ...first,
              ["/v0/calls"],
              ["/v0/calls?status=queued"],
              ["/v0/agents"],
              ["/v0/phone-numbers"],
              ["/v0/credits/ledger"],
              ["/health/ready"]
            ] as ReadonlyArray<readonly [path: string, body?: object]>,
            ([path, body]) =>
              Effect.map(before.ask(path, body), ({ status, text }) => {
                asked += 1
                if (status !== 200) bad.push(`${path}: ${status} ${text}`)
              }),
            { discard: true }
          )
        const load = yield* Effect.fork(
          Effect.all(
            Array.from({ length: 2 }, (_, n) => Effect.forever(round(n === 0 ? [place] : []))),
            { concurrency: "unbounded" }
          )
        )
        const after = yield* serve(newer.server, url)
        const then = asked
        yield* until(
          "more requests were answered",
          Effect.sync(() => asked > then + 200)
        )
        yield* Fiber.interrupt(load)
        assert.deepStrictEqual(bad, [])
        const layout = yield* postgres().sql(
          "select max(migration_id)::int as id from outdial_migrations",
          name
        )
        assert.deepStrictEqual(layout, [{ id: 9998 }])

        // A store that is newer and leaves nothing out is simply used, and calls end on it.
        const again = yield* serve(programs.server, url)
        const placed = yield* again.ask("/v0/calls", { agent_id, to_number: "+14155550123" })
        const { call_id } = JSON.parse(placed.text) as { readonly call_id: string }
        const ended = Effect.map(
          after.ask(`/v0/calls/${call_id}`),
          ({ text }) => (JSON.parse(text) as { readonly status: string }).status === "completed"
        )
        yield* until("the call ends", ended)
        assert.strictEqual((yield* again.ask("/health/ready")).status, 200)
        assert.notInclude(again.running.output(), "too new")
      }),
    120_000
  )

  it.scopedLive(
    "is told by a process whose store has become too new for it, and by one that finds it so",
    () =>
      Effect.gen(function* () {
        const { name, url } = yield* freshDatabase(postgres())
        const programs = yield* Programs.programs
        const { ask, running } = yield* serve(programs.server, url)
        assert.strictEqual((yield* ask("/health/ready")).status, 200)
        yield* postgres().sql(
          "insert into outdial_migrations (migration_id, name, oldest_reader) values (9999, 'takes_away', 9998)",
          name
        )
        const { status, text } = yield* ask("/health/ready")
        assert.strictEqual(status, 503)
        assert.deepStrictEqual(JSON.parse(text), {
          status: "unavailable",
          checks: { store: "too_new", carrier: "up" }
        })
        yield* until(
          "the log says so",
          Effect.sync(() => running.output().includes("The store is too new for this process"))
        )
        const ended = yield* Effect.flip(serve(programs.server, url))
        assert.match(
          ended.message,
          /the database has layout 9999, which needs layout 9998; this version knows/
        )
      }),
    60_000
  )
})
