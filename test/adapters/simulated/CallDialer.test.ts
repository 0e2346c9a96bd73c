import { Context, Effect, Layer } from "effect"
import * as CarrierServer from "../../../adapters/simulated/CarrierServer.ts"
import { CarrierLedger } from "../../../adapters/simulated/CarrierLedger.ts"
import * as RemoteCarrier from "../../../adapters/simulated/RemoteCarrier.ts"
import * as SimulatedCarrier from "../../../adapters/simulated/SimulatedCarrier.ts"
import { callDialerContract, Received } from "../../contracts/CallDialer.ts"
import { ledgerFile, parsedLines } from "./Fixtures.ts"

const speed = 50
const circuit = { tries: 2 }

callDialerContract(
  "the simulated carrier in this process",
  Layer.effect(
    Received,
    Effect.map(CarrierLedger, ({ dials }) => ({
      dials: (key) => Effect.map(dials, (all) => all.filter((dial) => dial.key === key).length)
    }))
  ).pipe(Layer.provideMerge(SimulatedCarrier.layer({ speed, circuit })))
)

callDialerContract(
  "the simulated carrier behind HTTP",
  Layer.unwrapScoped(
    Effect.gen(function* () {
      const { url } = yield* CarrierServer.serve({ speed, ledgerFile: yield* ledgerFile })
      const received = Context.make(Received, {
        dials: (key) =>
          Effect.promise(() => fetch(`${url}/ledger`).then((response) => response.text())).pipe(
            Effect.map((text) => parsedLines(text).filter((dial) => dial["key"] === key).length)
          )
      })
      return Layer.merge(Layer.succeedContext(received), RemoteCarrier.layer({ url, circuit }))
    })
  )
)
