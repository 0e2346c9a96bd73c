import { Effect, type Scope } from "effect"
import { type ReaderProcess, startReader } from "./ReaderProcess.ts"

export interface ReadersOptions {
  /** How many may run at once. */
  readonly most: number
  /** The limit of each one's heap, in MiB. */
  readonly memory: number
}

export interface Readers {
  /** A reader for as long as the scope lasts; waits until there is one. */
  readonly take: Effect.Effect<ReaderProcess, never, Scope.Scope>
}

/** Keeps readers: one waits for the next file, more are started when files come together. */
export const make = Effect.fnUntraced(function* ({
  memory,
  most
}: ReadersOptions): Effect.fn.Return<Readers, never, Scope.Scope> {
  const turns = yield* Effect.makeSemaphore(most)
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
    take: Effect.uninterruptibleMask((restore) =>
      restore(turns.take(1)).pipe(
        Effect.andThen(Effect.addFinalizer(() => turns.release(1))),
        Effect.andThen(Effect.acquireRelease(obtain, giveBack))
      )
    )
  }
})
