import { Effect, Layer } from "effect"
import * as SimulatedSender from "../../../adapters/simulated/SimulatedSender.ts"
import { messageSenderContract, Received } from "../../contracts/MessageSender.ts"

messageSenderContract(
  "the simulated provider of messages",
  Layer.effect(
    Received,
    Effect.map(SimulatedSender.MessageLedger, ({ messages }) => ({
      messages: (key) => Effect.map(messages, (all) => all.filter((each) => each.key === key).length)
    }))
  ).pipe(Layer.provideMerge(SimulatedSender.layer({ speed: 50 }))),
  { opted_out: "opted_out", no_account: "invalid_number", undeliverable: "undeliverable" }
)
