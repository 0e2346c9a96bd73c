import { Effect, Either, Option } from "effect"
import { speed, url } from "../../../adapters/simulated/Config.ts"
import { connect } from "../../../adapters/simulated/RemoteCarrier.ts"
import { carrierName, numbersName } from "../../platform/Providers.ts"
import type { CallerNumber } from "./CallerNumbers.ts"
import { broken, ok } from "./Finding.ts"
import { inPart } from "./Settings.ts"
import { twilio } from "./Twilio.ts"

const patience = "3 seconds"

const simulated = Effect.gen(function* () {
  const carrierUrl = yield* url
  const divisor = yield* speed
  if (Option.isNone(carrierUrl)) {
    const pace = divisor === 1 ? "" : ` at speed ${divisor}`
    return ok("carrier", `calls are simulated in the server's own process${pace}: no telephone rings`)
  }
  const { host } = carrierUrl.value
  const answered = yield* Effect.scoped(
    Effect.flatMap(connect({ url: carrierUrl.value.href }), ({ driver }) => driver.ping)
  ).pipe(
    Effect.timeoutFail({ duration: patience, onTimeout: () => ({ message: "it does not answer" }) }),
    Effect.either
  )
  return Either.match(answered, {
    onLeft: ({ message }) =>
      broken("carrier", `the simulated carrier at ${host} is out of reach: ${message}`),
    onRight: () => ok("carrier", `the simulated carrier at ${host} answers`)
  })
})

/** Whether the carrier that `OUTDIAL_CARRIER` names can be used, and has the numbers that are called from. */
export const carrier = (numbers: ReadonlyArray<CallerNumber>) =>
  inPart(
    "carrier",
    Effect.flatMap(carrierName, (name) =>
      name === "twilio" ? twilio("carrier", numbers) : Effect.map(simulated, (finding) => [finding])
    )
  )

/** Whether numbers for sale can be browsed as `OUTDIAL_NUMBERS` says. */
export const inventory = inPart(
  "numbers",
  Effect.gen(function* () {
    switch (yield* numbersName) {
      case "simulated":
        return [ok("numbers", "numbers for sale come from a catalogue of the server's own process")]
      case "none":
        return [ok("numbers", "no numbers are for sale: browsing them is answered 503")]
      case "twilio":
        return (yield* carrierName) === "twilio"
          ? [ok("numbers", "numbers for sale are those of the carrier")]
          : yield* twilio("numbers", [])
    }
  })
)
