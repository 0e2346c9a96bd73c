import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Effect, Layer } from "effect"
import * as Cli from "./Cli.ts"
import { Output } from "./Output.ts"

const write = (stream: NodeJS.WriteStream) => (text: string) =>
  Effect.async<void>((resume) => {
    stream.write(`${text}\n`, () => resume(Effect.void))
  })

// Whoever reads the results may stop reading: `outdial workspace list | head -1`.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error
})

const output = Layer.sync(Output, () => ({
  out: write(process.stdout),
  err: write(process.stderr),
  columns: process.stdout.isTTY ? process.stdout.columns : undefined,
  styled: process.stdout.isTTY === true && !process.env["NO_COLOR"]
}))

Cli.run(process.argv.slice(2)).pipe(
  Effect.tap((code) =>
    Effect.sync(() => {
      process.exitCode = code
    })
  ),
  Effect.provide(Layer.mergeAll(NodeContext.layer, Cli.config, output)),
  NodeRuntime.runMain
)
