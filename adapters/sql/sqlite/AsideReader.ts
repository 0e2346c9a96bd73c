import { Worker } from "node:worker_threads"
import { Effect, type Scope } from "effect"
import type { Param } from "../Database.ts"

/** Reads what takes long on a connection and in a thread of its own. It dies with the driver's error. */
export type AsideReader = (sql: string, params: ReadonlyArray<Param>) => Effect.Effect<ReadonlyArray<never>>

/** The thread's program, as text: it runs from sources and from a build alike, without a loader. */
const program = `
const { parentPort, workerData } = require("node:worker_threads")
const Sqlite = require("node:module").createRequire(workerData.from)("better-sqlite3")
const db = new Sqlite(workerData.filename, { readonly: true })
db.exec("pragma busy_timeout = " + workerData.busyTimeout)
const prepared = new Map()
parentPort.on("message", ({ id, params, sql }) => {
  try {
    if (!prepared.has(sql)) prepared.set(sql, db.prepare(sql))
    parentPort.postMessage({ id, rows: prepared.get(sql).all(...params) })
  } catch (error) {
    parentPort.postMessage({ id, failure: { code: error.code, message: error.message } })
  }
})
`

interface Answer {
  readonly id: number
  readonly rows?: ReadonlyArray<never>
  readonly failure?: { readonly code: string; readonly message: string }
}

type Told = (answer: Effect.Effect<ReadonlyArray<never>>) => void

/** The thread starts with the first query: a small store never has one. A thread that ends is followed by another. */
export const make = (filename: string, busyTimeout: number): Effect.Effect<AsideReader, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => {
        let thread: Worker | undefined
        let next = 0
        const waiting = new Map<number, Told>()

        const failAll = (error: unknown) => {
          thread = undefined
          for (const told of waiting.values()) told(Effect.die(error))
          waiting.clear()
        }

        const start = () => {
          const started = new Worker(program, {
            eval: true,
            execArgv: [],
            workerData: { from: import.meta.url, filename, busyTimeout }
          })
          started.unref()
          started.on("message", ({ failure, id, rows }: Answer) => {
            const told = waiting.get(id)
            waiting.delete(id)
            if (waiting.size === 0) started.unref()
            told?.(rows === undefined ? Effect.die(failure) : Effect.succeed(rows))
          })
          started.on("error", failAll)
          started.on("exit", () => failAll(new Error("the reading thread has ended")))
          return started
        }

        return {
          read: (sql: string, params: ReadonlyArray<Param>) =>
            Effect.async<ReadonlyArray<never>>((resume) => {
              thread ??= start()
              const id = next++
              waiting.set(id, resume)
              thread.ref()
              thread.postMessage({ id, sql, params })
              return Effect.sync(() => void waiting.delete(id))
            }),
          close: () => thread?.terminate()
        }
      }),
      ({ close }) => Effect.promise(async () => close())
    ),
    ({ read }) => read
  )
