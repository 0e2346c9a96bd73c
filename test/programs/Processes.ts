import { type ChildProcess, spawn } from "node:child_process"
import { createServer } from "node:net"
import { Data, Effect } from "effect"

/** A port that was free a moment ago. */
export const freePort = Effect.async<number>((resume) => {
  const server = createServer()
  server.listen(0, "127.0.0.1", () => {
    const { port } = server.address() as { readonly port: number }
    server.close(() => resume(Effect.succeed(port)))
  })
})

/** A program ended before it was ready. */
export class ProgramEnded extends Data.TaggedError("ProgramEnded")<{ readonly message: string }> {}

export interface Running {
  readonly process: ChildProcess
  /** Everything printed so far. */
  readonly output: () => string
  readonly exited: Promise<void>
}

/** None outlives this process. */
const started = new Set<ChildProcess>()
process.once("exit", () => {
  for (const child of started) child.kill("SIGKILL")
})

/** The server as `npm start` runs it. */
export const server = "apps/server/start.mjs"

/** Starts a program of this project, or one made of it (`.mjs`); completes when it has printed `ready`. */
export const start = (
  program: string,
  args: ReadonlyArray<string>,
  env: Record<string, string>,
  ready: RegExp
) =>
  Effect.async<Running, ProgramEnded>((resume) => {
    const loader = program.endsWith(".mjs") ? [] : ["--import", "tsx"]
    const child = spawn(process.execPath, [...loader, program, ...args], {
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"]
    })
    let output = ""
    started.add(child)
    const exited = new Promise<void>((resolve) =>
      child.once("exit", () => {
        started.delete(child)
        resolve()
      })
    )
    const hear = (chunk: Buffer) => {
      output += chunk.toString()
      if (ready.test(output)) resume(Effect.succeed({ process: child, output: () => output, exited }))
    }
    child.stdout.on("data", hear)
    child.stderr.on("data", hear)
    // Once all that it printed has been read, which may be after its end.
    child.once("close", (code) =>
      resume(new ProgramEnded({ message: `${program} ended with ${code}: ${output}` }))
    )
    return Effect.sync(() => child.kill("SIGKILL"))
  })

export const kill = (running: Running, signal: NodeJS.Signals = "SIGKILL") =>
  Effect.promise(() => {
    running.process.kill(signal)
    return running.exited
  })

/** A program that is killed when the scope closes. */
export const scoped = (...args: Parameters<typeof start>) =>
  Effect.acquireRelease(start(...args), (running) => kill(running))
