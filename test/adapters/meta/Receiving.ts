import { Context, Effect, Layer } from "effect"
import * as MemoryRepository from "../../../adapters/memory/Repository.ts"
import * as Callbacks from "../../../adapters/meta/Callbacks.ts"
import { CarrierCallbacks } from "../../../adapters/shared/CarrierCallbacks.ts"
import { Replies, type RepliesShape } from "../../../core/engine/Replies.ts"
import type { CallProgress } from "../../../core/model/calls/CarrierProgress.ts"
import type { Reply } from "../../../core/ports/MessageSender.ts"
import { Calls, type CallsShape } from "../../../core/usecases/Calls.ts"
import { Templates, type TemplatesShape } from "../../../core/usecases/Templates.ts"
import { secrets } from "./MetaServer.ts"

/** What takes all that is told. */
export interface Takers {
  readonly record: CallsShape["record"]
  readonly receive: RepliesShape["receive"]
  readonly reviewed: TemplatesShape["reviewed"]
}

const nothing = () => Effect.dieMessage("nothing else is done here")

/** The receiver of webhooks, before nothing but these. */
export const receiverOf = ({ receive, record, reviewed }: Takers) =>
  Callbacks.layer(secrets).pipe(
    Layer.provide(
      Layer.mergeAll(
        MemoryRepository.layer,
        Layer.succeed(Calls, { record, place: nothing, get: nothing, list: nothing, cancel: nothing }),
        Layer.succeed(Replies, { receive }),
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
  const context = yield* Layer.build(
    receiverOf({
      record: (batch) => Effect.sync(() => void recorded.push(...batch)),
      receive: (reply) => Effect.sync(() => void replies.push(reply)),
      reviewed: (...review) => Effect.sync(() => reviews.push(review) > 0),
      ...takers
    })
  )
  return { handle: Context.get(context, CarrierCallbacks).handle, recorded, replies, reviews }
})
