import { Effect } from "effect"
import { forkModule } from "../shared/ForkedModule.ts"
import type { Answer, Request } from "./Protocol.ts"

/** How a reader ended: by an error of its own, or struck down, as one is whose memory is used up. */
export type Ended = "failed" | "struck down"

export interface ReaderProcess {
  /** Sends a request and waits for its answer, one at a time. A reader that is no longer waited for is killed. */
  readonly ask: (request: Request) => Effect.Effect<Answer, Ended>
  /** Sends a request that has no answer. */
  readonly tell: (request: Request) => void
  readonly isAlive: () => boolean
  /** Kills it, and waits for its end. */
  readonly kill: Effect.Effect<void>
}

/** Of V8, in MiB: a reader of CSV holds a fifth less than with V8's own 16, and takes no more processor time. */
const youngGeneration = ["--max-semi-space-size=4"]

/**
 * Starts a process that reads files. It is a process and not a thread because a thread that uses up its memory
 * takes the whole process with it: V8 does not survive a single allocation past a thread's heap limit.
 *
 * It keeps no program from ending while it is idle. `memory` is its heap's limit in MiB.
 */
export const startReader = (memory: number): ReaderProcess => {
  const child = forkModule(new URL("./reader/main", import.meta.url), memory, youngGeneration)
  let settle: ((outcome: Effect.Effect<Answer, Ended>) => void) | undefined
  let ended: Ended | undefined
  child.unref()
  child.channel?.unref?.()

  const settled = (outcome: Effect.Effect<Answer, Ended>) => {
    child.channel?.unref?.()
    settle?.(outcome)
    settle = undefined
  }
  const end = (how: Ended) => {
    ended ??= how
    settled(Effect.fail(ended))
  }
  child.on("message", (answer: Answer) => settled(Effect.succeed(answer)))
  child.on("error", () => end("failed"))
  child.on("exit", (code) => end(code === 0 || code === 1 ? "failed" : "struck down"))

  return {
    ask: (request) =>
      Effect.async((resume) => {
        if (ended !== undefined) {
          resume(Effect.fail(ended))
          return
        }
        settle = resume
        child.channel?.ref?.()
        child.send(request)
        return Effect.sync(() => {
          settle = undefined
          child.kill("SIGKILL")
        })
      }),
    tell: (request) => {
      child.send(request)
    },
    isAlive: () => ended === undefined && !child.killed,
    kill: Effect.async((resume) => {
      if (ended !== undefined || child.exitCode !== null || child.signalCode !== null) {
        resume(Effect.void)
        return
      }
      child.once("exit", () => resume(Effect.void))
      child.ref()
      child.kill("SIGKILL")
    })
  }
}
