import { Context, Effect, Layer } from "effect"
import * as MemoryRepository from "../../../adapters/memory/Repository.ts"
import * as Callbacks from "../../../adapters/meta/Callbacks.ts"
import { CarrierCallbacks } from "../../../adapters/shared/CarrierCallbacks.ts"
import { CarrierReports, type CarrierReportsShape } from "../../../core/engine/CarrierReports.ts"
import type { CallProgress } from "../../../core/model/calls/CarrierProgress.ts"
import type { Reply } from "../../../core/model/messages/Reply.ts"
import { Templates, type TemplatesShape } from "../../../core/usecases/Templates.ts"
import { secrets } from "./MetaServer.ts"

/** What takes all that is told. */
export interface Takers extends CarrierReportsShape {
  readonly reviewed: TemplatesShape["reviewed"]
}

const nothing = () => Effect.dieMessage("nothing else is done here")

/** The receiver of webhooks. */
export const receiverOf = (reviewed: Takers["reviewed"]) =>
  Callbacks.layer(secrets).pipe(
    Layer.provide(
      Layer.mergeAll(
        MemoryRepository.layer,
        Layer.succeed(Templates, { reviewed, create: nothing, get: nothing, list: nothing, remove: nothing })
      )
    )
  )

type Review = Parameters<TemplatesShape["reviewed"]>

/** A receiver alone, and what it has taken. */
export const receiver = Effect.fnUntraced(function* (takers: Partial<Takers> = {}) {
  const recorded: Array<CallProgress> = []
  const replies: Array<Reply> = []
  const reviews: Array<Review> = []
  const all: Takers = {
    record: (batch) => Effect.sync(() => void recorded.push(...batch)),
    reply: (reply) => Effect.sync(() => void replies.push(reply)),
    reviewed: (...review) => Effect.sync(() => reviews.push(review) > 0),
    ...takers
  }
  const context = yield* Layer.build(
    Layer.provide(receiverOf(all.reviewed), Layer.succeed(CarrierReports, all))
  )
  return { handle: Context.get(context, CarrierCallbacks).handle, recorded, replies, reviews }
})
