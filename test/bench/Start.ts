import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"
import * as Processes from "../programs/Processes.ts"
import * as Platform from "./Platform.ts"
import * as Cpu from "./queues/Cpu.ts"
import * as Report from "./Report.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const rounds = 5

/** Bytes that a process holds in memory. */
export const residentMemory = (pid: number) =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) * 1_024

/** A start on a store that is there: seconds until it listens, of them of a processor, and what it holds a while later. */
const measured = (program: string, args: ReadonlyArray<string>, filename: string) =>
  Effect.scoped(
    Effect.gen(function* () {
      const settings = {
        PORT: String(yield* Processes.freePort),
        OUTDIAL_DATABASE_URL: `sqlite:${filename}`
      }
      const began = performance.now()
      const running = yield* Processes.scoped(program, args, settings, /Listening/)
      const elapsed = (performance.now() - began) / 1_000
      const pid = running.process.pid!
      const used = Cpu.secondsOf(pid)
      yield* Effect.sleep("3 seconds")
      return { elapsed, used, bytes: residentMemory(pid) }
    })
  )

const programs = [
  { name: "npm start", program: Processes.server, args: [], elapsed: 0.8, bytes: 160 },
  { name: "outdial serve", program: "dist/programs/outdial.mjs", args: ["serve"], elapsed: 0.4, bytes: 120 }
]

/** What a server costs that has nothing to do. */
export const run = Effect.gen(function* () {
  execFileSync("npm", ["run", "build", "--silent"], { cwd: root, stdio: "inherit" })
  Report.heading(`An idle server on SQLite, median of ${rounds} starts`)
  const filename = join(yield* Platform.folder, "start.db")
  yield* Platform.seed(filename, 0, { max_concurrency: 1, calls_per_second: 1 })
  // The first start bundles what `npm start` runs.
  yield* measured(Processes.server, [], filename)
  for (const { args, bytes, elapsed, name, program } of programs) {
    const starts = yield* Effect.replicateEffect(measured(program, args, filename), rounds)
    const of = (key: keyof (typeof starts)[number]) => Report.median(starts.map((start) => start[key]))
    Report.line(`${name}: until it listens`, Report.seconds(of("elapsed")), Report.atMost(elapsed))
    Report.line(`${name}: processor time until it listens`, Report.seconds(of("used")))
    Report.line(`${name}: resident memory`, Report.megabytes(of("bytes")), Report.atMost(bytes))
  }
}).pipe(Effect.scoped)
