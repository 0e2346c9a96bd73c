import { existsSync, readFileSync, rmSync } from "node:fs"
import { Effect, Option, Schedule } from "effect"
import type { Patch } from "../programs/Programs.ts"

/** Processes that freeze by themselves between an intent to dial and the dial, where chance hardly ever hits. */
export interface Naps {
  readonly times: number
  /** How long each sleeps until it is woken. */
  readonly millis: number
}

/** The setting that names the file in which the process that sleeps has written who it is; one does at a time. */
export const setting = "TORTURE_NAP"

/** What makes a process stop at that moment, and changes nothing else. */
export const patches: ReadonlyArray<Patch> = [
  {
    file: "core/engine/Dialing.ts",
    find: 'import { Clock, type Context, Effect, Option } from "effect"',
    put: 'import { Clock, type Context, Effect, Option } from "effect"\nimport { writeFileSync } from "node:fs"'
  },
  {
    file: "core/engine/Dialing.ts",
    find: "const { again, next, requests } = claimed",
    put: `const { again, next, requests } = claimed
      if (requests.length > 0) {
        let first = true
        try {
          writeFileSync(process.env["${setting}"], String(process.pid), { flag: "wx" })
        } catch {
          first = false
        }
        if (first) process.kill(process.pid, "SIGSTOP")
      }`
  }
]

/** The process that has written who it is; 0 while there is none. */
const sleeper = (file: string) =>
  Effect.sync(() => (existsSync(file) ? Number(readFileSync(file, "utf8")) : 0))

const awaitSleeper = (file: string) =>
  Effect.repeat(sleeper(file), { until: (pid) => pid !== 0, schedule: Schedule.spaced("50 millis") })

/** How long no process has to fall asleep until none will any more. */
const patience = "20 seconds"

/** Wakes one after the other; how many there were. */
export const wake = (file: string, { millis, times }: Naps): Effect.Effect<number> =>
  Effect.gen(function* () {
    for (let nap = 0; nap < times; nap++) {
      if (Option.isNone(yield* Effect.timeoutOption(awaitSleeper(file), patience))) return nap
      const pid = yield* sleeper(file)
      const wake = Effect.ignore(Effect.try(() => process.kill(pid, "SIGCONT")))
      yield* Effect.ensuring(Effect.sleep(millis), wake)
      // What it does first it does awake.
      yield* Effect.sleep("1 second")
      if (nap + 1 < times) rmSync(file)
    }
    return times
  })
