import { Cause, Effect, Exit, Layer } from "effect"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Cli from "./Cli.ts"
import { Output } from "./terminal/Output.ts"

const write = (stream: NodeJS.WriteStream, piece: string | Uint8Array) =>
  Effect.async<Error | null>((resume) => {
    stream.write(piece, (error) => resume(Effect.succeed(error ?? null)))
  })

const exactly = (stream: NodeJS.WriteStream) => (text: string) => Effect.asVoid(write(stream, text))
const line = (stream: NodeJS.WriteStream) => (text: string) => exactly(stream)(`${text}\n`)

/** When the reader of stdout is gone, the rest is not fetched. */
const bytes = (piece: Uint8Array) =>
  Effect.flatMap(write(process.stdout, piece), (error) => (error === null ? Effect.void : Effect.interrupt))

const interrupted = 130
const standardColumns = 80

const screen =
  process.stderr.isTTY && process.env["TERM"] !== "dumb"
    ? {
        columns: () => process.stderr.columns || standardColumns,
        write: exactly(process.stderr)
      }
    : undefined

// The reader of the results may stop reading: `outdial workspace list | head -1`.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error
})

const output = Layer.sync(Output, () => ({
  out: line(process.stdout),
  err: line(process.stderr),
  bytes,
  columns: process.stdout.isTTY ? process.stdout.columns : undefined,
  styled: process.stdout.isTTY === true && !process.env["NO_COLOR"],
  screen
}))

Cli.run(process.argv.slice(2)).pipe(
  Effect.tap((code) =>
    Effect.sync(() => {
      process.exitCode = code
    })
  ),
  Effect.provide(Layer.mergeAll(NodeContext.layer, Cli.config, output)),
  NodeRuntime.runMain({
    // Ctrl-C ends a command as every shell expects it.
    teardown: (exit, onExit) =>
      onExit(Exit.isSuccess(exit) ? 0 : Cause.isInterruptedOnly(exit.cause) ? interrupted : 1)
  })
)
