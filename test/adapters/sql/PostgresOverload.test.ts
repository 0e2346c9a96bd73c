import { Cause, Context, Effect, Exit, Fiber, Layer, Option } from "effect"
import { assert, it } from "@effect/vitest"
import { Database } from "../../../adapters/sql/Database.ts"
import type { PostgresConfig } from "../../../adapters/sql/postgres/Postgres.ts"
import { StoreUnavailable } from "../../../core/ports/Repository.ts"
import { ws } from "../../contracts/repository/Fixtures.ts"
import * as TcpProxy from "../../TcpProxy.ts"
import { freshDatabase, makeRole, onUrl } from "./PostgresServer.ts"
import { onServer } from "./PostgresSuite.ts"

/** One connection that reads, one that writes, one that flushes. */
const least = { connections: 3, connectTimeout: "1 second" } satisfies Partial<PostgresConfig>

/** Takes a quarter of the time that a connection may take to be opened. */
const slow = "select pg_sleep(0.25)"
const fast = "select pg_sleep(0.01)"
const many = Array.from({ length: 6 }, (_, n) => `ws_${n}`)

const assertUnavailable = (exit: Exit.Exit<unknown, unknown>) =>
  assert.isTrue(Exit.isFailure(exit) && Cause.squash(exit.cause) instanceof StoreUnavailable)

onServer("more work than PostgreSQL has connections for", (running) => {
  const opened = (url: string, config: Partial<PostgresConfig> = least) =>
    Effect.map(Layer.build(onUrl(url, config)), (context) => Context.get(context, Database))

  it.scoped("is read, all of it, however long it waits for the connections that are in use", () =>
    Effect.gen(function* () {
      const { all } = yield* Effect.flatMap(freshDatabase(running()), ({ url }) => opened(url))
      yield* Effect.forEach(many, (id) => all(id, slow, []), { concurrency: "unbounded", discard: true })
    })
  )

  it.scoped("is written, units and what is no unit's, however long it waits", () =>
    Effect.gen(function* () {
      const { all, alone, unit } = yield* Effect.flatMap(freshDatabase(running()), ({ url }) => opened(url))
      const works: ReadonlyArray<Effect.Effect<unknown>> = many.flatMap((id) => [
        unit(id, all(id, slow, [])),
        alone(id, slow, [])
      ])
      yield* Effect.forEach(works, (work) => work, { concurrency: "unbounded", discard: true })
    })
  )

  it.scoped("is left out where its caller does not wait any more", () =>
    Effect.gen(function* () {
      const { all } = yield* Effect.flatMap(freshDatabase(running()), ({ url }) => opened(url))
      const first = yield* Effect.fork(all(ws, slow, []))
      yield* Effect.yieldNow()
      const second = yield* Effect.fork(all(ws, "select set_config('outdial.read', 'second', false)", []))
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(second)
      assert.isTrue(Option.isNone(yield* Fiber.poll(first)))
      const seen = all<{ readonly read: string | null }>(
        ws,
        "select current_setting('outdial.read', true) as read",
        []
      )
      assert.isNull((yield* seen)[0]!.read)
    })
  )

  it.scoped("goes on by the connections that work while no other can be opened", () =>
    Effect.gen(function* () {
      const { name } = yield* freshDatabase(running())
      yield* makeRole(running(), "plain", "login")
      yield* running().sql(`alter database ${name} owner to plain`)
      const { all, unit } = yield* opened(running().url(name, "plain"), { connections: 9 })
      yield* all(ws, fast, [])
      yield* unit(ws, all(ws, fast, []))
      yield* running().sql(`alter database ${name} connection limit 0`)
      yield* Effect.forEach(many, (id) => all(id, fast, []), { concurrency: "unbounded", discard: true })
      yield* Effect.forEach(many, (id) => unit(id, all(id, fast, [])), {
        concurrency: "unbounded",
        discard: true
      })
    })
  )

  it.scopedLive(
    "fails at once, all of it, when a connection could not be opened in time",
    () =>
      Effect.gen(function* () {
        const { url } = yield* freshDatabase(running())
        const { block, port } = yield* TcpProxy.make(running().port)
        const through = new URL(url)
        through.port = String(port)
        const { all, alone, unit } = yield* opened(through.href)
        yield* block
        const works: ReadonlyArray<(id: string) => Effect.Effect<unknown>> = [
          (id) => all(id, "select 1", []),
          (id) => unit(id, all(id, "select 1", [])),
          (id) => alone(id, "update calls set version = version", [])
        ]
        // One after the other they would take six seconds.
        const ended = yield* Effect.forEach(
          works,
          (work) => Effect.forEach(many, (id) => Effect.exit(work(id)), { concurrency: "unbounded" }),
          { concurrency: "unbounded" }
        ).pipe(Effect.timeout("5 seconds"))
        for (const exit of ended.flat()) assertUnavailable(exit)
      }),
    20_000
  )
})
