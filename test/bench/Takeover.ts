import { Clock, Effect } from "effect"
import * as Rig from "../adapters/cluster/Rig.ts"
import { binaries, server } from "../adapters/sql/PostgresServer.ts"
import * as Processes from "../crash/Processes.ts"
import * as Report from "./Report.ts"

const kills = 20

const seconds = (millis: number) => `${(millis / 1_000).toFixed(1)} s`

/**
 * Kills one of three server processes after the other. At the moment of each kill every workspace is given a call at
 * a process that lives on; measured is until the last of them is dialled.
 */
const measure = (signal: "SIGKILL" | "SIGSTOP" | "SIGTERM", times: number) =>
  Effect.gen(function* () {
    const rig = yield* Rig.make({ postgres: yield* server, servers: 3, tenants: 12 })
    const { members, tenants } = rig
    const placeAt = (member: Rig.Member) =>
      Effect.forEach(tenants, (tenant) => rig.place(member, tenant), { concurrency: 4 })
    const took: Array<number> = []
    for (let n = 0; n < times; n++) {
      const victim = members[n % 3]!
      const other = members[(n + 1) % 3]!
      yield* rig.dialled(yield* placeAt(other))
      yield* Effect.sleep("2 seconds")
      const before = yield* Clock.currentTimeMillis
      if (signal === "SIGKILL") yield* Processes.kill(victim.running)
      else victim.running.process.kill(signal)
      yield* rig.dialled(yield* placeAt(other))
      took.push((yield* Clock.currentTimeMillis) - before)
      if (signal === "SIGSTOP") victim.running.process.kill("SIGCONT")
      else {
        yield* Effect.promise(() => victim.running.exited)
        yield* rig.restart(victim)
      }
      yield* Effect.sleep("4 seconds")
    }
    return { took, twice: rig.dialledTwice().length }
  }).pipe(Effect.scoped)

const report = Effect.fnUntraced(function* (
  what: string,
  signal: "SIGKILL" | "SIGSTOP" | "SIGTERM",
  times: number
) {
  const { took, twice } = yield* measure(signal, times)
  Report.line(`${what}, median of ${times}`, seconds(Report.median(took)))
  Report.line(`${what}, worst of ${times}`, seconds(Math.max(...took)), "under 10 s")
  if (twice > 0) return yield* Effect.dieMessage(`${twice} attempts were dialled twice`)
})

/** How long until every workspace dials again after one of three server processes on PostgreSQL is gone. */
export const run = Effect.gen(function* () {
  Report.heading("12 workspaces on three processes on PostgreSQL: until all dial again after one of them is")
  if (binaries === undefined) return Report.line("PostgreSQL", "not installed")
  yield* report("killed", "SIGKILL", kills)
  yield* report("frozen", "SIGSTOP", 5)
  yield* report("told to end", "SIGTERM", 5)
})
