import { Context, Effect, Layer } from "effect"
import * as MemoryRepository from "../../../adapters/memory/Repository.ts"
import { CarrierCallbacks } from "../../../adapters/shared/CarrierCallbacks.ts"
import * as Callbacks from "../../../adapters/twilio/Callbacks.ts"
import type { CallProgress } from "../../../core/model/calls/CarrierProgress.ts"
import { Calls, type CallsShape } from "../../../core/usecases/Calls.ts"
import { credentials } from "./TwilioServer.ts"

/** Takes what is recorded, and nothing else. */
export const recorder = (record: CallsShape["record"]) =>
  Layer.succeed(Calls, {
    record,
    place: () => Effect.dieMessage("nothing is placed here"),
    get: () => Effect.dieMessage("nothing is read here"),
    list: () => Effect.dieMessage("nothing is read here"),
    cancel: () => Effect.dieMessage("nothing is cancelled here")
  })

/** A receiver alone, and what it has recorded. */
export const receiver = Effect.fnUntraced(function* (
  record?: CallsShape["record"],
  publicUrl = "https://voice.example/base"
) {
  const recorded: Array<CallProgress> = []
  const keep: CallsShape["record"] = (batch) => Effect.sync(() => void recorded.push(...batch))
  const context = yield* Layer.build(
    Callbacks.layer({ authToken: credentials.authToken, publicUrl }).pipe(
      Layer.provide(Layer.merge(recorder(record ?? keep), MemoryRepository.layer))
    )
  )
  return { handle: Context.get(context, CarrierCallbacks).handle, recorded }
})
