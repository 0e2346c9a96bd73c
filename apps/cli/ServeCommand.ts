import * as Command from "@effect/cli/Command"
import { Effect } from "effect"
import * as Flags from "./terminal/Flags.ts"

/** Once the server has begun, signals and the exit code are its own. */
export const serve = Command.make(
  "serve",
  {},
  Effect.fn("cli.serve")(function* () {
    yield* Effect.promise(() => import("../server/main.ts"))
  })
).pipe(
  Command.withDescription(
    Flags.describe(
      "Runs the server: the REST interface, and the loops that dial and deliver. Its settings are in the environment, such as PORT, 8080 when not set. The first start on a new store makes a demo workspace and prints its API key.",
      "outdial serve"
    )
  )
)
