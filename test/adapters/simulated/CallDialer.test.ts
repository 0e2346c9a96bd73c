import { describe } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { CarrierLedger } from "../../../adapters/simulated/CarrierLedger.ts"
import * as CarrierServer from "../../../adapters/simulated/CarrierServer.ts"
import * as RemoteCarrier from "../../../adapters/simulated/RemoteCarrier.ts"
import * as SimulatedCarrier from "../../../adapters/simulated/SimulatedCarrier.ts"
import { CarrierSide } from "../../contracts/CallDialer.ts"
import { callDialerSafety } from "../../contracts/CallDialerSafety.ts"
import { simulatedBehaviour } from "./DialBehaviour.ts"
import { ledgerFile, parsedLines } from "./Fixtures.ts"

const speed = 50
const circuit = { tries: 2 }
const losing = Effect.succeed("+15550000009")

const inProcess = Layer.effect(
  CarrierSide,
  Effect.map(CarrierLedger, ({ dials }) => ({
    dials: (key) => Effect.map(dials, (all) => all.filter((dial) => dial.key === key).length),
    losing
  }))
).pipe(Layer.provideMerge(SimulatedCarrier.layer({ speed, circuit })))

const behindHttp = Layer.unwrapScoped(
  Effect.gen(function* () {
    const { url } = yield* CarrierServer.serve({ speed, ledgerFile: yield* ledgerFile })
    const side = Context.make(CarrierSide, {
      dials: (key) =>
        Effect.promise(() => fetch(`${url}/ledger`).then((response) => response.text())).pipe(
          Effect.map((text) => parsedLines(text).filter((dial) => dial["key"] === key).length)
        ),
      losing
    })
    return Layer.merge(Layer.succeedContext(side), RemoteCarrier.layer({ url, circuit }))
  })
)

// Each waits for a call of its own, at the carrier's pace.
describe.concurrent("the simulated carrier", () => {
  for (const [name, carrier] of [
    ["in this process", inProcess],
    ["behind HTTP", behindHttp]
  ] as const) {
    callDialerSafety(name, carrier)
    simulatedBehaviour(name, carrier)
  }
})
