import { Effect, Layer } from "effect"
import { CarrierSide } from "../../contracts/CallDialer.ts"
import { callDialerSafety } from "../../contracts/CallDialerSafety.ts"
import { layer, Stand } from "./Rig.ts"

const twilio = Layer.effect(
  CarrierSide,
  Effect.map(Stand, ({ calls, next }) => ({
    dials: (key) =>
      Effect.sync(
        () =>
          [...calls.values()].filter(({ form }) => form.get("StatusCallback")?.includes(`=${key}&`)).length
      ),
    losing: Effect.sync(() => {
      next(({ response }, take) => {
        take()
        response.destroy()
      })
      return "+15550001234"
    })
  }))
).pipe(Layer.provideMerge(layer()))

callDialerSafety("Twilio", twilio, {
  reportsWhoHungUp: false,
  invalidNumber: "21211",
  // Its records do not tell a callee that declines from one that is busy.
  lookedUp: { rejected: "busy" }
})
