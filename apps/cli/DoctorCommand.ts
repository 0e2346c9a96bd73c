import * as Command from "@effect/cli/Command"
import { Effect } from "effect"
import { isHealthy, render } from "./doctor/Finding.ts"
import { machine } from "./doctor/Machine.ts"
import { model } from "./doctor/Model.ts"
import { carrier, server } from "./doctor/Network.ts"
import { settings } from "./doctor/Settings.ts"
import { storage } from "./doctor/Storage.ts"
import { Unhealthy } from "./Failure.ts"
import * as Flags from "./Flags.ts"
import { Output, result } from "./Output.ts"

export const doctor = Command.make(
  "doctor",
  { json: Flags.json },
  Effect.fn("cli.doctor")(function* ({ json }) {
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
).pipe(
  Command.withDescription(
    Flags.describe(
      "Checks an installation and says in words what is amiss. It looks at the runtime, the settings, the database, the workspaces, the carrier, the model and the port.\nEnds with 1 if something is broken, with 0 if all is well or there are warnings alone.",
      "outdial doctor",
      "outdial doctor --json"
    )
  )
)
