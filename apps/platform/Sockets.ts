import { Context, Effect, identity, Layer } from "effect"
import * as Trials from "../../adapters/browser/Trials.ts"
import { among, LiveSockets } from "../../adapters/shared/LiveSockets.ts"
import { ConversationRunner } from "../../core/engine/ConversationRunner.ts"
import { textAlone } from "../../core/model/conversations/Speech.ts"
import { carrierSockets, overRelay } from "./Providers.ts"
import * as Recordings from "./Recordings.ts"

class OfCarrier extends Context.Tag("outdial/sockets/OfCarrier")<OfCarrier, LiveSockets["Type"]>() {}

/** Where conversations come in: the carrier's relay, and clients that try an agent out. */
export const sockets = Layer.effect(
  LiveSockets,
  Effect.gen(function* () {
    const { accept } = yield* OfCarrier
    const { basePath, secret } = yield* Recordings.trials
    const trials = Trials.sockets(secret, overRelay(yield* ConversationRunner, textAlone))
    return {
      accept: among([
        ["/callbacks/twilio/conversation", accept],
        [`${basePath}${Trials.folder}`, trials]
      ])
    }
  })
).pipe(Layer.provide(Layer.project(carrierSockets, LiveSockets, OfCarrier, identity)))

/** The addresses at which agents are tried out. */
export const trialLinks = Layer.unwrapEffect(Effect.map(Recordings.trials, Trials.links))
