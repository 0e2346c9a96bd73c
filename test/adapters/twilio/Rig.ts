import { Context, Effect, Layer } from "effect"
import * as MemoryRepository from "../../../adapters/memory/Repository.ts"
import { CarrierCallbacks } from "../../../adapters/shared/CarrierCallbacks.ts"
import * as Callbacks from "../../../adapters/twilio/Callbacks.ts"
import * as Twilio from "../../../adapters/twilio/CallDialer.ts"
import type { CarrierReports } from "../../../core/engine/CarrierReports.ts"
import { CallDialer } from "../../../core/ports/CallDialer.ts"
import { listenForCallbacks } from "../CallbackListener.ts"
import * as TwilioServer from "./TwilioServer.ts"

export const optionsOf = (
  server: Pick<TwilioServer.TwilioServer, "url">,
  publicUrl: string,
  more: Partial<Twilio.Options> = {}
): Twilio.Options => ({
  ...TwilioServer.credentials,
  url: server.url,
  publicUrl,
  conversationUrl: "wss://conversation.example/relay",
  machineDetection: true,
  record: true,
  timeout: "30 seconds",
  circuit: { tries: 2 },
  ...more
})

/** A dialer at a stand-in for Twilio, whose callbacks go nowhere. */
export const dialer = Effect.fnUntraced(function* (
  more: Partial<Twilio.Options> = {},
  server: TwilioServer.Options = {}
) {
  const twilio = yield* TwilioServer.serve(server)
  const context = yield* Layer.build(
    Twilio.layer(optionsOf(twilio, "http://127.0.0.1:9/nothing", { ...more }))
  )
  return { twilio, dialer: Context.get(context, CallDialer) }
})

/** A stand-in for Twilio, a dialer that uses it, and a receiver of its callbacks over HTTP. */
export class Stand extends Context.Tag("test/twilio/Stand")<Stand, TwilioServer.TwilioServer>() {}

export const layer = (
  server: TwilioServer.Options = {}
): Layer.Layer<CallDialer | Stand, never, CarrierReports> =>
  Layer.scopedContext(
    Effect.gen(function* () {
      const twilio = yield* TwilioServer.serve(server)
      const { handleBy, url } = yield* listenForCallbacks
      const options = optionsOf(twilio, url)
      const context = yield* Layer.build(
        Layer.merge(Twilio.layer(options), Layer.provide(Callbacks.layer(options), MemoryRepository.layer))
      )
      handleBy(Context.get(context, CarrierCallbacks).handle)
      return Context.add(context, Stand, twilio)
    })
  )
