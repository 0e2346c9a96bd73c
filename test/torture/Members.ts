import { Effect, type Scope } from "effect"
import * as Processes from "../programs/Processes.ts"

/** One server process, which may be down. */
export interface Member {
  readonly name: string
  readonly port: number
  /** Open while it is up. */
  readonly up: Effect.Latch
  running: Processes.Running | null
}

export interface Options {
  readonly program: string
  readonly settings: Readonly<Record<string, string>>
  /** Is told of each process that has ended. */
  readonly over: (running: Processes.Running) => void
  /** Is told of each process that was not up a minute after its start. */
  readonly hung: () => void
}

/** A server that is started again whenever it ends, for any reason, as a supervisor would. */
export const make = Effect.fnUntraced(function* (
  name: string,
  { hung, over, program, settings }: Options
): Effect.fn.Return<Member, never, Scope.Scope> {
  const port = yield* Processes.freePort
  const member: Member = { name, port, up: Effect.unsafeMakeLatch(false), running: null }
  const start = Processes.start(program, [], { ...settings, PORT: String(port) }, /Listening on/)
  const end = (running: Processes.Running) =>
    Effect.suspend(() => {
      member.running = null
      over(running)
      return Effect.zipRight(member.up.close, Processes.kill(running))
    })
  yield* Effect.uninterruptibleMask((restore) =>
    restore(Effect.timeout(start, "1 minute")).pipe(
      Effect.tap((running) => {
        member.running = running
        return member.up.open
      }),
      Effect.flatMap((running) =>
        Effect.ensuring(restore(Effect.promise(() => running.exited)), end(running))
      )
    )
  ).pipe(
    Effect.catchTags({
      ProgramEnded: () => Effect.sleep("200 millis"),
      TimeoutException: () => Effect.sync(hung)
    }),
    Effect.forever,
    Effect.forkScoped
  )
  return member
})

/** Completes once all of them are up for the first time. */
export const started = (members: ReadonlyArray<Member>): Effect.Effect<void> =>
  Effect.forEach(members, ({ up }) => up.await, { concurrency: "unbounded", discard: true }).pipe(
    Effect.timeoutFail({ duration: "2 minutes", onTimeout: () => new Error("the servers do not start") }),
    Effect.orDie
  )
