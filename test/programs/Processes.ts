import { type ChildProcess, spawn } from "node:child_process"
import { connect, createServer, type Server, type Socket } from "node:net"
import process from "node:process"
import { Data, Effect } from "effect"

const listen = (port: number) =>
  Effect.async<Server, Error>((resume) => {
    const server = createServer()
    server.once("error", (error) => resume(Effect.fail(error)))
    server.listen(port, "127.0.0.1", () => resume(Effect.succeed(server)))
  })

const close = (server: Server) => Effect.async<void>((resume) => void server.close(() => resume(Effect.void)))

/**
 * The ports that each process of tests gives to servers, one after the other. They are below those that a system takes
 * for connections and for servers that ask for any, so that none is taken before its server listens, or while it is
 * down. A run beside this one begins elsewhere among them.
 */
const ports = { first: 20_000, each: 1_500, processes: 8 }
const ownPorts = ports.first + ports.each * (Number(process.env["VITEST_POOL_ID"] ?? 0) % ports.processes)
let given = Math.floor(Math.random() * ports.each)

/** A port that is free, and that this process gives to no other server. */
export const freePort: Effect.Effect<number> = Effect.suspend(() => {
  const port = ownPorts + (given++ % ports.each)
  return Effect.as(Effect.flatMap(listen(port), close), port)
}).pipe(Effect.retry({ times: ports.each }), Effect.orDie)

/**
 * A port that refuses connections for as long as the scope lasts: the calling end of a connection has it. One that the
 * system chose would do so less than always: it may choose the same for a caller, who is then connected with itself.
 */
export const closedPort = Effect.gen(function* () {
  const localPort = yield* freePort
  const server = yield* Effect.acquireRelease(Effect.orDie(listen(0)), close)
  const { port } = server.address() as { readonly port: number }
  yield* Effect.acquireRelease(
    Effect.async<Socket>((resume) => {
      const socket = connect({ port, host: "127.0.0.1", localAddress: "127.0.0.1", localPort }, () =>
        resume(Effect.succeed(socket))
      )
    }),
    (socket) => Effect.sync(() => socket.destroy())
  )
  return localPort
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
