import { Cause, Chunk, Effect, Layer, Schedule, Stream } from "effect"
import { Replies } from "../engine/Replies.ts"
import { CallDialer } from "../ports/CallDialer.ts"
import { MessageSender } from "../ports/MessageSender.ts"
import { StoreUnavailable } from "../ports/Repository.ts"
import { Calls } from "./Calls.ts"

const patiently = Schedule.exponential("100 millis").pipe(
  Schedule.union(Schedule.spaced("15 seconds")),
  Schedule.jittered
)

const storeIsAway = (cause: Cause.Cause<never>) =>
  Chunk.some(Cause.defects(cause), (defect) => defect instanceof StoreUnavailable)

/** Stores what comes, piece by piece; while the store is away it holds on to it. */
const feed = <A>(heard: Stream.Stream<A>, store: (chunk: Chunk.Chunk<A>) => Effect.Effect<void>) =>
  Effect.forkScoped(
    Stream.runForEachChunk(heard, (chunk) =>
      store(chunk).pipe(
        Effect.sandbox,
        Effect.tapError((cause) => Effect.logError("progress could not be stored", cause)),
        Effect.retry({ schedule: patiently, while: storeIsAway }),
        Effect.ignore
      )
    )
  )

/** Brings what this process hears from its carrier and its provider of messages to the calls. */
export const layer = Layer.scopedDiscard(
  Effect.gen(function* () {
    const dialer = yield* CallDialer
    const sender = yield* MessageSender
    const calls = yield* Calls
    const replies = yield* Replies
    yield* feed(dialer.progress, calls.record)
    yield* feed(sender.progress, calls.record)
    yield* feed(sender.replies, (chunk) => Effect.forEach(chunk, replies.receive, { discard: true }))
  })
)
