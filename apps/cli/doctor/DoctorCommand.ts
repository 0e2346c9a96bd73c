import { Effect, Ref } from "effect"
import { command } from "../command/Command.ts"
import * as Flags from "../command/Flags.ts"
import { Unhealthy } from "../terminal/Failure.ts"
import { Output, result } from "../terminal/Output.ts"
import { type CallerNumber, callerNumbers } from "./CallerNumbers.ts"
import { carrier, inventory } from "./Carrier.ts"
import { isHealthy, render } from "./Finding.ts"
import { machine } from "./Machine.ts"
import { messages } from "./Messages.ts"
import { model } from "./Model.ts"
import { server } from "./Server.ts"
import { settings } from "./Settings.ts"
import { storage } from "./Storage.ts"
import { tenants } from "./Tenants.ts"

export const doctor = command(
  "doctor",
  {
    about:
      "Checks an installation and says in words what is amiss. It looks at the runtime, the settings, the database, the workspaces, the carrier, the provider of messages, the model, the port and the public address. Twilio, Meta and the model are asked over the network whether they take the credentials; nothing is changed there, and nothing costs anything.\nEnds with 1 if something is broken, with 0 if all is well or there are warnings alone.",
    examples: ["outdial doctor", "outdial doctor --json"]
  },
  { json: Flags.json },
  Effect.fnUntraced(function* ({ json }) {
    const { styled } = yield* Output
    const numbers = yield* Ref.make<ReadonlyArray<CallerNumber>>([])
    const noteNumbers = Effect.flatMap(callerNumbers, (found) => Ref.set(numbers, found))
    const checks = [
      ...(yield* machine()),
      ...(yield* settings(Object.keys(process.env))),
      ...(yield* storage(Effect.zipLeft(tenants(), noteNumbers))),
      ...(yield* carrier(yield* Ref.get(numbers))),
      ...(yield* inventory),
      ...(yield* messages(yield* Ref.get(numbers))),
      yield* model,
      ...(yield* server)
    ]
    const healthy = isHealthy(checks)
    yield* result(json, { healthy, checks }, (width) => render(checks, width, styled))
    if (!healthy) return yield* new Unhealthy()
  })
)
