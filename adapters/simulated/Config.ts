import { Config, type ConfigError, Effect, Layer, Option } from "effect"
import type { CarrierReports } from "../../core/engine/CarrierReports.ts"
import type { ConversationRunner } from "../../core/engine/ConversationRunner.ts"
import type { CallDialer } from "../../core/ports/CallDialer.ts"
import * as RemoteCarrier from "./RemoteCarrier.ts"
import * as SimulatedCarrier from "./SimulatedCarrier.ts"
import * as SimulatedSender from "./SimulatedSender.ts"

/** `OUTDIAL_SIMULATED_SPEED`: what durations are divided by; a number greater than 0, or Infinity. Default 1. */
export const speed = Config.number("OUTDIAL_SIMULATED_SPEED").pipe(
  Config.validate({ message: "must be greater than 0", validation: (speed) => speed > 0 }),
  Config.withDefault(1)
)

/** `OUTDIAL_SIMULATED_URL`: where the carrier server is, if it runs as a process of its own. */
export const url = Config.option(Config.url("OUTDIAL_SIMULATED_URL"))

export const settings = Config.all({ speed, url })

/** Up to this speed callees talk. Beyond it, and at a carrier of its own process, calls take a course without words. */
export const mostTalkingSpeed = 20

/** The carrier at `OUTDIAL_SIMULATED_URL`, or one in this process at `OUTDIAL_SIMULATED_SPEED`. */
export const layerConfig: Layer.Layer<
  CallDialer,
  ConfigError.ConfigError,
  CarrierReports | ConversationRunner
> = Layer.unwrapEffect(
  Effect.map(
    settings,
    ({ speed, url }): Layer.Layer<CallDialer, never, CarrierReports | ConversationRunner> =>
      Option.match(url, {
        onNone: () =>
          speed <= mostTalkingSpeed
            ? SimulatedCarrier.layerTalking({ speed })
            : SimulatedCarrier.layer({ speed }),
        onSome: ({ href }) => RemoteCarrier.layer({ url: href })
      })
  )
)

/** The provider of messages in this process, at `OUTDIAL_SIMULATED_SPEED`. */
export const messageSender = Layer.unwrapEffect(
  Effect.map(speed, (speed) => SimulatedSender.layer({ speed }))
)
