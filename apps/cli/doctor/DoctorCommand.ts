import { Effect } from "effect"
import { command } from "../command/Command.ts"
import * as Flags from "../command/Flags.ts"
import { Unhealthy } from "../terminal/Failure.ts"
import { Output, result } from "../terminal/Output.ts"
import { isHealthy, render } from "./Finding.ts"
import { machine } from "./Machine.ts"
import { model } from "./Model.ts"
import { carrier, server } from "./Network.ts"
import { settings } from "./Settings.ts"
import { storage } from "./Storage.ts"

export const doctor = command(
  "doctor",
  {
    about:
      "Checks an installation and says in words what is amiss. It looks at the runtime, the settings, the database, the workspaces, the carrier, the model and the port.\nEnds with 1 if something is broken, with 0 if all is well or there are warnings alone.",
    examples: ["outdial doctor", "outdial doctor --json"]
  },
  { json: Flags.json },
  Effect.fnUntraced(function* ({ json }) {
    const { styled } = yield* Output
    const checks = [
      ...(yield* machine()),
      ...(yield* settings(Object.keys(process.env))),
      ...(yield* storage),
      yield* carrier,
      yield* model,
      yield* server
    ]
    const healthy = isHealthy(checks)
    yield* result(json, { healthy, checks }, (width) => render(checks, width, styled))
    if (!healthy) return yield* new Unhealthy()
  })
)
