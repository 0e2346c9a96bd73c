import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Cause, Effect, Layer } from "effect"
import { explain } from "../platform/Explain.ts"
import * as Server from "./Server.ts"

Layer.launch(Server.layer).pipe(
  Effect.tapErrorCause((cause) =>
    Cause.isInterruptedOnly(cause)
      ? Effect.void
      : Effect.sync(() => process.stderr.write(`outdial cannot start: ${explain(cause)}\n`))
  ),
  NodeRuntime.runMain({ disableErrorReporting: true, disablePrettyLogger: true })
)
