import { spawn } from "node:child_process"
import { join } from "node:path"
import process from "node:process"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"

export const root = fileURLToPath(new URL("../../..", import.meta.url))

const bin = (name: string) => join(root, "node_modules/.bin", name)

/** How each runtime runs a program: Node one that is bundled, the others sources too. */
export const runtimes: Readonly<Record<"node" | "bun" | "deno", ReadonlyArray<string>>> = {
  node: [process.execPath],
  bun: [bin("bun")],
  deno: [bin("deno"), "run", "--no-check", "--no-config", "--node-modules-dir=manual", "--allow-all"]
}

export interface Ended {
  readonly code: number | null
  readonly output: string
}

const start = (
  command: ReadonlyArray<string>,
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv }
) => {
  const [program, ...args] = command
  const child = spawn(program!, args, {
    cwd: options.cwd ?? root,
    env: { ...process.env, NO_COLOR: "1", ...options.env },
    stdio: ["ignore", "pipe", "pipe"]
  })
  let output = ""
  const heard = (piece: Buffer) => {
    output += piece.toString("utf8")
  }
  child.stdout.on("data", heard)
  child.stderr.on("data", heard)
  return { child, output: () => output }
}

/** Runs a program to its end; what it wrote to either stream. */
export const run = (
  command: ReadonlyArray<string>,
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {}
): Effect.Effect<Ended> =>
  Effect.async((resume) => {
    const { child, output } = start(command, options)
    child.on("error", (error) => resume(Effect.die(error)))
    child.on("close", (code) => resume(Effect.succeed({ code, output: output() })))
    return Effect.sync(() => void child.kill("SIGKILL"))
  })

/** Runs a program for as long as the scope lasts, from the moment that its output matches. */
export const serving = (
  command: ReadonlyArray<string>,
  pattern: RegExp,
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {}
) =>
  Effect.gen(function* () {
    const { child, output } = yield* Effect.acquireRelease(
      Effect.sync(() => start(command, options)),
      ({ child }) =>
        Effect.async<void>((resume) => {
          if (child.exitCode !== null || child.signalCode !== null) return resume(Effect.void)
          child.once("close", () => resume(Effect.void))
          child.kill("SIGKILL")
        })
    )
    return yield* Effect.async<RegExpExecArray>((resume) => {
      const look = () => {
        const found = pattern.exec(output())
        if (found !== null) resume(Effect.succeed(found))
      }
      child.stdout.on("data", look)
      child.on("close", () => resume(Effect.dieMessage(`it ended before that: ${output()}`)))
      look()
    })
  })
