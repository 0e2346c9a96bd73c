import { Effect, Layer } from "effect"
import { callDialerContract, Received } from "../../contracts/CallDialer.ts"
import { layer, Stand } from "./Rig.ts"

callDialerContract(
  "Twilio",
  Layer.effect(
    Received,
    Effect.map(Stand, ({ calls }) => ({
      dials: (key) =>
        Effect.sync(
          () =>
            [...calls.values()].filter(({ form }) => form.get("StatusCallback")?.includes(`=${key}&`)).length
        )
    }))
  ).pipe(Layer.provideMerge(layer())),
  { files_keys: false, tells_who_hung_up: false, invalid_number_code: "21211" }
)
