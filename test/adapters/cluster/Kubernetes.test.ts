import { assert, it } from "@effect/vitest"
import { Effect, Logger } from "effect"
import * as Processes from "../../programs/Processes.ts"
import * as TcpProxy from "../../TcpProxy.ts"
import { until } from "../../Until.ts"
import { freshDatabase } from "../sql/PostgresServer.ts"
import { onServer } from "../sql/PostgresSuite.ts"
import * as Firewall from "./Firewall.ts"
import * as KubernetesApi from "./KubernetesApi.ts"
import { join, makeBook } from "./Members.ts"

/** Addresses of one machine, each of which is a pod's to the cluster. */
const hosts = ["127.0.0.1", "127.0.1", "127.1"]

const workspaces = Array.from({ length: 30 }, (_, n) => `ws_${n}`)

onServer("members that ask Kubernetes who lives", (running) => {
  /** So many members, each with a way of its own to the database, and an API that knows them as ready pods. */
  const setUp = Effect.fnUntraced(function* (count: number, mood: KubernetesApi.Mood = "well") {
    const api = yield* KubernetesApi.make
    yield* api.turn(mood)
    const client = KubernetesApi.clientOf(api)
    const database = yield* freshDatabase(running())
    const book = makeBook()
    for (const id of workspaces) book.busy.add(id)
    const members = yield* Effect.forEach(hosts.slice(0, count), (host) =>
      Effect.gen(function* () {
        const way = yield* TcpProxy.make(running().port)
        const port = yield* Processes.freePort
        const url = database.url.replace(`:${running().port}/`, `:${way.port}/`)
        api.pods.set(host, true)
        const { wake } = yield* join(url, host, book, {
          host,
          port,
          health: { _tag: "Kubernetes", namespace: "voice", labels: "app=outdial", client }
        })
        return { host, port, wake, way }
      })
    )
    const at = (host: string) => [...book.running.values()].filter((name) => name === host).length
    const sharedBy = (...sharing: ReadonlyArray<string>) =>
      until(
        `all run at ${sharing.join(" and ")}`,
        Effect.sync(
          () =>
            book.running.size === workspaces.length &&
            new Set(book.running.values()).size === sharing.length &&
            sharing.every((host) => at(host) > 0)
        ),
        "75 seconds"
      )
    const heard = (times: number) =>
      until(
        `the API is asked ${times} times`,
        Effect.sync(() => api.asked.length >= times),
        "75 seconds"
      )
    return { api, book, database, heard, members, sharedBy }
  })

  it.scopedLive(
    "move the workspaces of a pod that is not ready, or gone, though its socket still answers",
    () =>
      Effect.gen(function* () {
        const { api, book, sharedBy } = yield* setUp(3)
        const [a, b, c] = hosts as [string, string, string]
        yield* sharedBy(a, b, c)
        api.pods.set(b, false)
        yield* sharedBy(a, c)
        const old = api.asked.splice(0)
        yield* KubernetesApi.renew
        api.pods.set(b, true)
        api.pods.delete(c)
        yield* sharedBy(a, b)
        assert.deepStrictEqual([...book.twice], [])
        const [first, renewed] = KubernetesApi.tokens
        assert.strictEqual(old[0]!.headers.authorization, `Bearer ${first}`)
        assert.strictEqual(api.asked.at(-1)!.headers.authorization, `Bearer ${renewed}`)
        for (const { path, query } of [...old, ...api.asked]) {
          assert.strictEqual(path, "/api/v1/namespaces/voice/pods")
          assert.deepStrictEqual(Object.fromEntries(query), {
            fieldSelector: "status.phase=Running",
            labelSelector: "app=outdial"
          })
        }
      }),
    { timeout: 180_000, concurrent: true }
  )

  it.scopedLive(
    "leave a ready pod its workspaces though its socket does not answer, until its locks expire",
    () =>
      Effect.gen(function* () {
        const { api, book, heard, members, sharedBy } = yield* setUp(2)
        const [a, b] = members as [(typeof members)[0], (typeof members)[0]]
        const firewall = yield* Firewall.make
        yield* sharedBy(a.host, b.host)
        yield* firewall.close(b.port)
        api.asked.length = 0
        yield* heard(2)
        // A busy machine may move shards between the two, but neither is taken for dead.
        yield* sharedBy(a.host, b.host)
        yield* b.way.block
        yield* sharedBy(a.host).pipe(Effect.timeout("30 seconds"))
        assert.deepStrictEqual([...book.twice], [])
      }),
    { timeout: 180_000, concurrent: true }
  )

  it.scopedLive(
    "run what has work though none of them reaches another",
    () =>
      Effect.gen(function* () {
        const firewall = yield* Firewall.make
        const { book, members, sharedBy } = yield* setUp(2)
        const [a, b] = members as [(typeof members)[0], (typeof members)[0]]
        yield* sharedBy(a.host, b.host)
        yield* firewall.close(a.port)
        yield* firewall.close(b.port)
        book.busy.clear()
        for (const [id, host] of book.running) yield* members.find((member) => member.host === host)!.wake(id)
        yield* until(
          "all have ended",
          Effect.sync(() => book.running.size === 0)
        )
        for (const id of workspaces) book.busy.add(id)
        yield* sharedBy(a.host, b.host)
        assert.deepStrictEqual([...book.twice], [])
      }),
    { timeout: 180_000, concurrent: true }
  )

  for (const mood of ["gone", "forbidden", "silent"] as const) {
    it.scopedLive(
      `start, share and take over while the API is ${mood}`,
      () => {
        const logged: Array<string> = []
        const logger = Logger.make((entry) => void logged.push(Logger.stringLogger.log(entry)))
        return Effect.gen(function* () {
          const { api, book, heard, members, sharedBy } = yield* setUp(2, mood)
          const [a, b] = members as [(typeof members)[0], (typeof members)[0]]
          yield* sharedBy(a.host, b.host)
          yield* heard(2)
          // A busy machine may move shards between the two, but neither is taken for dead.
          yield* sharedBy(a.host, b.host)
          yield* b.way.block
          yield* sharedBy(a.host).pipe(Effect.timeout("30 seconds"))
          assert.deepStrictEqual([...book.twice], [])
          for (const token of KubernetesApi.tokens) assert.notInclude(logged.join("\n"), token)
          if (mood === "forbidden") assert.include(logged.join("\n"), "403")
          assert.isAbove(api.asked.length, 0)
        }).pipe(Effect.provide(Logger.replace(Logger.defaultLogger, logger)))
      },
      { timeout: 180_000, concurrent: true }
    )
  }
})
