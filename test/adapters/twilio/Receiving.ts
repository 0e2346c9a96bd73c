import { Context, Effect, Layer } from "effect"
import * as MemoryRepository from "../../../adapters/memory/Repository.ts"
import { CarrierCallbacks } from "../../../adapters/shared/CarrierCallbacks.ts"
import * as Callbacks from "../../../adapters/twilio/Callbacks.ts"
import { CarrierReports, type CarrierReportsShape } from "../../../core/engine/CarrierReports.ts"
import type { CallProgress } from "../../../core/model/calls/CarrierProgress.ts"
import { credentials } from "./TwilioServer.ts"

/** Takes progress, and nothing else. */
const recorder = (record: CarrierReportsShape["record"]) =>
  Layer.succeed(CarrierReports, {
    record,
    reply: () => Effect.dieMessage("a carrier of calls hears of no replies")
  })

/** A receiver alone, and what it has recorded. */
export const receiver = Effect.fnUntraced(function* (
  record?: CarrierReportsShape["record"],
  publicUrl = "https://voice.example/base",
  more: Partial<Callbacks.Options> = {}
) {
  const recorded: Array<CallProgress> = []
  const keep: CarrierReportsShape["record"] = (batch) => Effect.sync(() => void recorded.push(...batch))
  const context = yield* Layer.build(
    Callbacks.layer({ authToken: credentials.authToken, publicUrl, ...more }).pipe(
      Layer.provide(Layer.merge(recorder(record ?? keep), MemoryRepository.layer))
    )
  )
  return { handle: Context.get(context, CarrierCallbacks).handle, recorded }
})
