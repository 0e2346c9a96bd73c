import { Effect, Layer } from "effect"
import { messageSenderContract, Received } from "../../contracts/MessageSender.ts"
import { layer, Stand } from "./Rig.ts"

messageSenderContract(
  "Meta",
  Layer.effect(
    Received,
    Effect.map(Stand, ({ messages }) => ({
      messages: (key) =>
        Effect.sync(
          () =>
            [...messages.values()].filter((each) => each.biz_opaque_callback_data.includes(`/${key}/`)).length
        )
    }))
  ).pipe(Layer.provideMerge(layer())),
  { opted_out: "131050", no_account: "131026", undeliverable: "131049" }
)
