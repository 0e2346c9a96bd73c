import { assert, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { freshDatabase } from "../../adapters/sql/PostgresServer.ts"
import { onServer } from "../../adapters/sql/PostgresSuite.ts"
import * as Processes from "../../programs/Processes.ts"
import * as Programs from "../../programs/Programs.ts"
import { until } from "../../Until.ts"

const key = "od_live_firststart_0123456789abcdef0123456789abcdef"

/** Starts a server, and answers at once, whether it has printed anything or not. */
const begin = Effect.fnUntraced(function* (url: string, ready = /Listening on/) {
  const port = yield* Processes.freePort
  const { server } = yield* Programs.programs
  const settings = { PORT: String(port), OUTDIAL_DATABASE_URL: url, OUTDIAL_BOOTSTRAP_API_KEY: key }
  const fiber = yield* Effect.forkScoped(Processes.scoped(server, [], settings, ready))
  /** The status of an answer; 0 without one. */
  const status = (path: string) =>
    Effect.promise(() =>
      fetch(`http://127.0.0.1:${port}${path}`, { headers: { "x-api-key": key } }).then(
        (response) => response.status,
        () => 0
      )
    )
  return {
    ready: Effect.map(status("/health/ready"), (is) => is === 200),
    started: Fiber.join(fiber),
    status
  }
})

onServer("the first start on an empty PostgreSQL database", (postgres) => {
  it.scopedLive(
    "is ready once its key works, in each of several processes that begin at the same time",
    () =>
      Effect.gen(function* () {
        const { name, url } = yield* freshDatabase(postgres())
        // The first workspace of all takes a second to be stored.
        yield* postgres().sql(
          `create function slow() returns trigger language plpgsql as
            $$ begin perform pg_sleep(1); return new; end $$;
          create function slow_down() returns event_trigger language plpgsql as $$ begin
            if exists (select 1 from pg_event_trigger_ddl_commands() where object_identity = 'public.workspaces')
            then create trigger slow before insert on workspaces for each row execute function slow(); end if; end $$;
          create event trigger slow_down on ddl_command_end when tag in ('CREATE TABLE') execute function slow_down()`,
          name
        )
        const processes = yield* Effect.replicateEffect(begin(url), 3)
        const first = yield* Effect.forEach(
          processes,
          ({ ready, status }) => Effect.zipRight(until("it is ready", ready), status("/v0/agents")),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(first, [200, 200, 200])
        for (const { started } of processes) yield* started
      }),
    { timeout: 60_000, concurrent: true }
  )

  it.scopedLive(
    "waits for a disk that takes longer than five seconds to make a table",
    () =>
      Effect.gen(function* () {
        const { name, url } = yield* freshDatabase(postgres())
        yield* postgres().sql(
          `create function slow() returns event_trigger language plpgsql as $$ begin
            if exists (select 1 from pg_event_trigger_ddl_commands() where object_identity like '%outdial_cluster%')
            then perform pg_sleep(6); end if; end $$`,
          name
        )
        yield* postgres().sql(
          "create event trigger slow on ddl_command_end when tag in ('CREATE TABLE') execute function slow()",
          name
        )
        const { ready, started, status } = yield* begin(url)
        yield* started
        yield* until("it is ready", ready)
        assert.strictEqual(yield* status("/v0/agents"), 200)
      }),
    { timeout: 90_000, concurrent: true }
  )

  it.scopedLive(
    "waits for a database that is away, says why, and lives meanwhile",
    () =>
      Effect.gen(function* () {
        const { url } = yield* freshDatabase(postgres())
        yield* postgres().stop("fast")
        const { ready, started, status } = yield* begin(url, /Waiting for the database/).pipe(
          Effect.onError(() => postgres().start)
        )
        const running = yield* started
        assert.include(running.output(), "no PostgreSQL server listens there (ECONNREFUSED)")
        assert.deepStrictEqual([yield* status("/health/live"), yield* status("/health/ready")], [200, 503])
        yield* postgres().start
        yield* until("it is ready", ready)
        assert.strictEqual(yield* status("/v0/agents"), 200)
      }),
    60_000
  )
})
