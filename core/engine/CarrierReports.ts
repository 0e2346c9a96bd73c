import { Cause, type Chunk, Context, Effect, Layer, type Scope, Stream, type Types } from "effect"
import type { CallProgress } from "../model/calls/CarrierProgress.ts"
import { isOptOut } from "../model/messages/OptOut.ts"
import { keptOf, type Reply } from "../model/messages/Reply.ts"
import { Dispatcher } from "../ports/Dispatcher.ts"
import { Repository } from "../ports/Repository.ts"
import { makeProgressRecorder } from "./ProgressRecorder.ts"
import { span } from "./Span.ts"
import { whileStoreIsAway } from "./StoreAway.ts"

export interface CarrierReportsShape {
  /**
   * Stores the progress of calls and messages, in any order and any number of times, and wakes the workspaces in
   * which something has changed. Completes once it is stored. Unknown keys are ignored.
   */
  readonly record: (batch: Iterable<CallProgress>) => Effect.Effect<void>
  /**
   * Stores when a customer last wrote to a number of a workspace, which opens a service window, and what. It may come late,
   * twice or out of order: the latest time counts. A number that asks not to be contacted again is put on the
   * workspace's do-not-call list.
   */
  readonly reply: (reply: Reply) => Effect.Effect<void>
}

const make = Effect.gen(function* () {
  const dispatcher = yield* Dispatcher
  const { doNotCall, phoneNumbers, recipients, transaction } = yield* Repository
  const recorder = yield* makeProgressRecorder

  const record: CarrierReportsShape["record"] = Effect.fnUntraced(function* (batch) {
    const changed = yield* recorder.record(batch)
    yield* Effect.forEach(changed, (id) => dispatcher.wake(id), { discard: true })
  }, span("CarrierReports.record"))

  const reply: CarrierReportsShape["reply"] = Effect.fn("CarrierReports.reply")(function* (reply) {
    const { at, from_number, text, to_number } = reply
    const kept = text === undefined ? null : keptOf(text)
    const optsOut = text !== undefined && isOptOut(text)
    yield* Effect.forEach(
      yield* phoneNumbers.holders(to_number),
      ({ customer_id, id }) =>
        transaction(
          customer_id,
          Effect.gen(function* () {
            yield* recipients.heard(customer_id, id, from_number, at, kept)
            if (optsOut) yield* doNotCall.add(customer_id, [from_number], at)
          })
        ),
      { discard: true }
    )
  })

  return { record, reply } satisfies CarrierReportsShape
})

/** Where `CarrierReports.recording` puts what stores the reports; null while there is none. */
export class Recorder extends Context.Tag("outdial/CarrierReports/Recorder")<
  Recorder,
  Types.Mutable<{ current: CarrierReportsShape | null; readonly ready: Effect.Latch }>
>() {}

/**
 * What carriers and providers of messages report, whichever way an adapter hears it: the one way into the platform.
 *
 * A carrier is built before the loop that dials through it. So `layer` comes first and needs nothing, and
 * `recording`, which needs the store and the dispatcher, is built last. A report waits until it is there.
 */
export class CarrierReports extends Context.Tag("outdial/CarrierReports")<
  CarrierReports,
  CarrierReportsShape
>() {
  static readonly layer: Layer.Layer<CarrierReports | Recorder> = Layer.effectContext(
    Effect.sync(() => {
      const recorder: Context.Tag.Service<Recorder> = { current: null, ready: Effect.unsafeMakeLatch(false) }
      const recorded = (report: (to: CarrierReportsShape) => Effect.Effect<void>): Effect.Effect<void> =>
        Effect.flatMap(recorder.ready.await, () =>
          recorder.current === null ? recorded(report) : report(recorder.current)
        )
      return Context.make(Recorder, recorder).pipe(
        Context.add(CarrierReports, {
          record: (batch) => recorded((to) => to.record(batch)),
          reply: (reply) => recorded((to) => to.reply(reply))
        })
      )
    })
  )

  /** Stores the reports. Its release waits for those under way, so that the store may be closed. */
  static readonly recording = Layer.scopedDiscard(
    Effect.gen(function* () {
      const recorder = yield* Recorder
      const { record, reply } = yield* make
      const idle = Effect.unsafeMakeLatch(true)
      let underWay = 0
      const begun = Effect.sync(() => {
        underWay += 1
        return idle.unsafeClose()
      })
      const ended = Effect.sync(() => {
        underWay -= 1
        return underWay === 0 && idle.unsafeOpen()
      })
      const inScope = (work: Effect.Effect<void>) =>
        Effect.acquireUseRelease(
          begun,
          () => work,
          () => ended
        )
      const own: CarrierReportsShape = {
        record: (batch) => inScope(record(batch)),
        reply: (each) => inScope(reply(each))
      }
      yield* Effect.acquireRelease(
        Effect.suspend(() => {
          recorder.current = own
          return recorder.ready.open
        }),
        () =>
          Effect.suspend(() => {
            if (recorder.current !== own) return idle.await
            recorder.current = null
            return Effect.zipRight(recorder.ready.close, idle.await)
          })
      )
    })
  )
}

const notStored = "a carrier's report could not be stored"

/**
 * Reports what an adapter hears by itself, chunk by chunk, until the scope ends. While the store is away, a chunk is
 * kept and tried again; a chunk that cannot be stored for another reason is logged and left out.
 */
export const relay = <A>(
  heard: Stream.Stream<A>,
  report: (chunk: Chunk.Chunk<A>) => Effect.Effect<void>
): Effect.Effect<void, never, Scope.Scope> =>
  Stream.runForEachChunk(heard, (chunk) =>
    Effect.catchAllCause(whileStoreIsAway(report(chunk), notStored), (cause) =>
      Cause.isInterruptedOnly(cause) ? Effect.void : Effect.logError(notStored, cause)
    )
  ).pipe(Effect.forkScoped, Effect.asVoid)
