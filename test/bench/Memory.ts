import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { Effect, Fiber } from "effect"

export interface Memory {
  /** Resident bytes of a process. */
  readonly server: number
  /** The same, with those of the processes that it has started. */
  readonly all: number
}

export const of = (pid: number) =>
  Effect.promise(async (): Promise<Memory> => {
    const { stdout } = await promisify(execFile)("ps", ["-eo", "pid=,ppid=,rss="])
    const own = stdout.split("\n").flatMap((line) => {
      const [id, parent, kilobytes] = line.trim().split(/\s+/).map(Number)
      return id === pid || parent === pid ? [{ id, bytes: kilobytes! * 1_024 }] : []
    })
    return {
      server: own.find(({ id }) => id === pid)?.bytes ?? 0,
      all: own.reduce((sum, { bytes }) => sum + bytes, 0)
    }
  })

/** Looks at a process from now on. `most` is what it held at most; after it no more is looked at. */
export const sampled = Effect.fnUntraced(function* (pid: number) {
  let peak: Memory = { server: 0, all: 0 }
  const look = Effect.map(of(pid), ({ all, server }) => {
    peak = { server: Math.max(peak.server, server), all: Math.max(peak.all, all) }
  })
  const sampling = yield* Effect.fork(Effect.forever(Effect.zipRight(look, Effect.sleep("100 millis"))))
  return { most: Effect.map(Fiber.interrupt(sampling), () => peak) }
})
