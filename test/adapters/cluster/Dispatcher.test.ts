import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { freshDatabase } from "../sql/PostgresServer.ts"
import { onServer } from "../sql/PostgresSuite.ts"
import { until as eventually } from "../../Until.ts"
import { ClusterSocketFailed } from "../../../adapters/cluster/ClusterSocketFailed.ts"
import { join, makeBook } from "./Members.ts"

const ids = (count: number) => Array.from({ length: count }, (_, n) => `ws_${n}`)

const until = (holds: () => boolean) => eventually(String(holds), Effect.sync(holds), "50 seconds")

onServer("Dispatcher: several processes on PostgreSQL", (running) => {
  it.scopedLive(
    "runs each workspace's loop at one of them, and some at each",
    () =>
      Effect.gen(function* () {
        const { url } = yield* freshDatabase(running())
        const book = makeBook()
        const names = ["a", "b", "c"]
        const members = yield* Effect.forEach(names, (name) => join(url, name, book), {
          concurrency: "unbounded"
        })
        const workspaces = ids(60)
        for (const id of workspaces) book.busy.add(id)
        for (const id of workspaces) for (const { wake } of members) yield* wake(id)
        yield* until(() => book.running.size === 60 && new Set(book.running.values()).size === names.length)
        assert.deepStrictEqual([...book.twice], [])
      }),
    60_000
  )

  it.scopedLive(
    "wakes a sleeping loop from any of them, and makes one of many wakes",
    () =>
      Effect.gen(function* () {
        const { url } = yield* freshDatabase(running())
        const book = makeBook()
        const members = [yield* join(url, "a", book), yield* join(url, "b", book)]
        for (const id of ids(20)) book.busy.add(id)
        yield* until(() => book.running.size === 20)
        for (const { wake } of members) {
          for (const id of ids(20)) {
            const before = book.rounds.get(id)!
            for (let n = 0; n < 1_000; n++) yield* wake(id)
            yield* until(() => book.rounds.get(id)! > before)
          }
        }
        assert.isBelow(Math.max(...book.rounds.values()), 200)
        assert.deepStrictEqual([...book.twice], [])
      }),
    60_000
  )

  it.scopedLive(
    "ends a loop without work, and starts it again when it is woken",
    () =>
      Effect.gen(function* () {
        const { url } = yield* freshDatabase(running())
        const book = makeBook()
        const members = [yield* join(url, "a", book), yield* join(url, "b", book)]
        for (const { wake } of members) {
          for (const id of ids(8)) {
            const before = book.rounds.get(id) ?? 0
            yield* wake(id)
            yield* until(() => (book.rounds.get(id) ?? 0) > before && !book.running.has(id))
          }
        }
        assert.deepStrictEqual([...book.twice], [])
      }),
    60_000
  )

  it.scopedLive(
    "finds work that no wake announced",
    () =>
      Effect.gen(function* () {
        const { url } = yield* freshDatabase(running())
        const book = makeBook()
        for (const id of ids(10)) book.busy.add(id)
        yield* join(url, "a", book)
        yield* until(() => book.running.size === 10)
        yield* join(url, "b", book)
        for (const id of ids(30)) book.busy.add(id)
        yield* until(() => book.running.size === 30 && new Set(book.running.values()).size === 2)
      }),
    60_000
  )

  it.scopedLive(
    "sweeps again soon after a sweep that the store has held up",
    () =>
      Effect.gen(function* () {
        const { url } = yield* freshDatabase(running())
        const book = makeBook()
        yield* join(url, "a", book)
        book.holdUp = 3_000
        yield* until(() => book.holdUp === 0)
        for (const id of ids(10)) book.busy.add(id)
        yield* until(() => book.running.size === 10)
        book.busy.add("ws_new")
        yield* eventually(
          "one more is found",
          Effect.sync(() => book.running.has("ws_new")),
          "10 seconds"
        )
      }),
    60_000
  )

  it.scopedLive(
    "does not join where its port is taken",
    () =>
      Effect.gen(function* () {
        const { url } = yield* freshDatabase(running())
        const failure = yield* Effect.flip(join(url, "a", makeBook(), { port: running().port }))
        assert.instanceOf(failure, ClusterSocketFailed)
        assert.include(failure.message, String(running().port))
      }),
    60_000
  )

  it.scopedLive(
    "moves the loops of one that ends to the others, and none runs at two",
    () =>
      Effect.gen(function* () {
        const { url } = yield* freshDatabase(running())
        const book = makeBook()
        const members = yield* Effect.forEach(["a", "b", "c"], (name) => join(url, name, book), {
          concurrency: "unbounded"
        })
        for (const id of ids(40)) book.busy.add(id)
        yield* until(() => book.running.size === 40 && new Set(book.running.values()).size === 3)
        yield* members[0]!.leave
        assert.isFalse([...book.running.values()].includes("a"))
        yield* until(() => book.running.size === 40)
        yield* members[1]!.leave
        yield* until(
          () => book.running.size === 40 && [...book.running.values()].every((name) => name === "c")
        )
        assert.deepStrictEqual([...book.twice], [])
      }),
    60_000
  )
})
