import { Clock, Effect, Fiber, Schedule } from "effect"
import * as Rig from "../adapters/cluster/Rig.ts"
import { binaries, server } from "../adapters/sql/PostgresServer.ts"
import type * as Processes from "../programs/Processes.ts"
import * as Report from "./Report.ts"

type Running = Effect.Effect.Success<ReturnType<typeof Rig.make>>

/** A way for a process to be gone, and how it comes back. */
interface Loss {
  readonly what: string
  readonly times: number
  readonly vanishing?: boolean
  readonly lose: (rig: Running, victim: Rig.Member) => Effect.Effect<void>
  readonly recover: (rig: Running, victim: Rig.Member) => Effect.Effect<void, Processes.ProgramEnded>
}

const signal = (name: NodeJS.Signals) => (_: Running, victim: Rig.Member) =>
  Effect.sync(() => void victim.running.process.kill(name))

const startAgain = ({ restart }: Running, victim: Rig.Member) =>
  Effect.zipRight(
    Effect.promise(() => victim.running.exited),
    restart(victim)
  )

const losses: ReadonlyArray<Loss> = [
  { what: "killed", times: 20, lose: signal("SIGKILL"), recover: startAgain },
  { what: "frozen", times: 8, lose: signal("SIGSTOP"), recover: signal("SIGCONT") },
  {
    what: "frozen within a transaction",
    times: 8,
    lose: ({ freezeInTransaction }, victim) => freezeInTransaction(victim),
    recover: signal("SIGCONT")
  },
  {
    what: "cut off from every other",
    times: 8,
    vanishing: true,
    lose: (_, { vanish }) => vanish,
    recover: (_, { reappear }) => reappear
  },
  {
    what: "gone with its machine, within a transaction",
    times: 8,
    vanishing: true,
    lose: ({ freezeInTransaction }, victim) => Effect.zipRight(freezeInTransaction(victim), victim.vanish),
    recover: (_, victim) =>
      Effect.zipRight(
        victim.reappear,
        Effect.sync(() => void victim.running.process.kill("SIGCONT"))
      )
  },
  { what: "told to end", times: 8, lose: signal("SIGTERM"), recover: startAgain }
]

const seconds = (millis: number) => Report.seconds(millis / 1_000)

/**
 * Takes one of three server processes away after the other, in the midst of work. At that moment every workspace is
 * given a call at a process that lives on; measured is until the last of them is dialled.
 */
const measure = ({ lose, recover, times, vanishing }: Loss) =>
  Effect.gen(function* () {
    const rig = yield* Rig.make({
      postgres: yield* server,
      servers: 3,
      tenants: 12,
      vanishing: vanishing === true
    })
    const placeAt = (member: Rig.Member) =>
      Effect.forEach(rig.tenants, (tenant) => rig.place(member, tenant), { concurrency: 4 })
    const took: Array<number> = []
    for (let n = 0; n < times; n++) {
      const victim = rig.members[n % 3]!
      const other = rig.members[(n + 1) % 3]!
      yield* rig.sharing
      const load = yield* Effect.fork(Effect.repeat(placeAt(other), Schedule.spaced("50 millis")))
      yield* rig.dialled(yield* placeAt(other))
      yield* lose(rig, victim)
      const before = yield* Clock.currentTimeMillis
      yield* Fiber.interruptFork(load)
      yield* rig.dialled(yield* placeAt(other))
      took.push((yield* Clock.currentTimeMillis) - before)
      yield* recover(rig, victim)
    }
    return { took, twice: rig.dialledTwice().length }
  }).pipe(Effect.scoped)

const report = Effect.fnUntraced(function* (loss: Loss) {
  const { took, twice } = yield* measure(loss)
  const { times, what } = loss
  Report.line(`${what}, median of ${times}`, seconds(Report.median(took)))
  Report.line(`${what}, worst of ${times}`, seconds(Math.max(...took)), Report.atMost(10))
  if (twice > 0) return yield* Effect.dieMessage(`${twice} attempts were dialled twice`)
})

/** How long until every workspace dials again after one of three server processes on PostgreSQL is gone. */
export const run = Effect.gen(function* () {
  Report.heading("12 workspaces on three processes on PostgreSQL: until all dial again after one of them is")
  if (binaries === undefined) return Report.line("PostgreSQL", "not installed")
  yield* Effect.forEach(losses, report, { discard: true })
})
