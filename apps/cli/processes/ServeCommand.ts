import { Effect } from "effect"
import { command } from "../command/Command.ts"

/** Once the server has begun, signals and the exit code are its own. */
export const serve = command(
  "serve",
  {
    about:
      "Runs the server: the REST interface, and the loops that dial and deliver. Its settings are in the environment, such as PORT, 8080 when not set. The first start on a new store makes a demo workspace and prints its API key.",
    examples: ["outdial serve"]
  },
  {},
  () => Effect.promise(() => import("../../server/begin.ts"))
)
