import { Effect, type Scope } from "effect"
import * as Shares from "../shared/Shares.ts"
import { type ReaderProcess, startReader } from "./ReaderProcess.ts"

export interface ReadersOptions {
  /** How many may run at once. */
  readonly most: number
  /** The limit of each one's heap, in MiB. */
  readonly memory: number
}

export interface Readers {
  /** A reader for as long as the scope lasts, one at a time for each workspace; waits until there is one. */
  readonly take: (workspace_id: string) => Effect.Effect<ReaderProcess, never, Scope.Scope>
}

/** Keeps readers: one waits for the next file, more are started when files come together. */
export const make = Effect.fnUntraced(function* ({
  memory,
  most
}: ReadersOptions): Effect.fn.Return<Readers, never, Scope.Scope> {
  const turn = Shares.make({ total: most, each: 1 })
  const running = new Set<ReaderProcess>()
  let idle: ReaderProcess | undefined

  yield* Effect.addFinalizer(() => Effect.forEach(running, ({ kill }) => kill, { discard: true }))

  const start = () => {
    const reader = startReader(memory)
    running.add(reader)
    return reader
  }

  const obtain = Effect.sync(() => {
    const reader = idle?.isAlive() === true ? idle : start()
    idle = undefined
    for (const each of running) if (!each.isAlive()) running.delete(each)
    return reader
  })

  const giveBack = (reader: ReaderProcess) =>
    Effect.suspend(() => {
      if (reader.isAlive() && idle?.isAlive() !== true) {
        reader.tell({ _tag: "Close" })
        idle = reader
        return Effect.void
      }
      return Effect.tap(reader.kill, () => running.delete(reader))
    })

  return {
    take: (workspace_id) => Effect.zipRight(turn(workspace_id, 1), Effect.acquireRelease(obtain, giveBack))
  }
})
