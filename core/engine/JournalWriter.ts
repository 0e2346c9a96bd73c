import { Deferred, Effect, type Fiber, Schedule, Scope } from "effect"
import type { ConversationEvent } from "../model/conversations/ConversationMachine.ts"
import { type Entry, partialAfter, sliceOf } from "../model/conversations/Journal.ts"
import type { Slice } from "../ports/SessionRows.ts"
import { makeStart } from "./Starting.ts"
import type { StoredSlice } from "./TalkCharges.ts"

/** Events are written at least this often while there are any. */
const interval = "1 second"

const whileStoreIsAway = Schedule.exponential("100 millis").pipe(Schedule.union(Schedule.spaced("5 seconds")))

export interface JournalWriter {
  readonly note: (event: ConversationEvent, at: number) => void
  /** The agent has said something more, by what was noted last. */
  readonly owe: (utterances: number) => void
  /** Completes once all that was noted is stored; never when the conversation is lost. */
  readonly flush: Effect.Effect<void>
  /** Writes what is noted soon, and waits for nothing. */
  readonly hurry: () => void
  /** Completes when another process has taken the conversation over: nothing more is written. */
  readonly lost: Effect.Effect<void>
}

/**
 * Writes the journal of one conversation, slice after slice, until its scope ends. `unpaid` is told when the workspace
 * cannot pay for what was said.
 */
export const makeJournalWriter = Effect.fnUntraced(function* (
  store: (slice: Slice, utterances: number) => Effect.Effect<StoredSlice>,
  last: number,
  unpaid: () => void
) {
  let pending: Array<Entry> = []
  let owed = 0
  let number = last
  /** The last partial that was written here. */
  let said = ""
  let noted = 0
  let stored = 0
  let isWriting = false
  /** Everything that is noted is to be written now. */
  let isAsked = false
  let isLost = false
  /** Waits until what is noted has to be written. */
  let sleeping: Fiber.RuntimeFiber<void> | null = null
  const waiting: Array<{ readonly until: number; readonly done: Deferred.Deferred<void> }> = []
  const lost = yield* Deferred.make<void>()

  const writeSlice = Effect.gen(function* () {
    const entries = pending
    const utterances = owed
    pending = []
    owed = 0
    const slice = { number: number + 1, body: sliceOf(entries, said) }
    said = partialAfter(entries, said)
    const written = yield* Effect.sandbox(store(slice, utterances)).pipe(
      Effect.retry({ schedule: whileStoreIsAway }),
      Effect.orDie
    )
    if (written === "lost") {
      isLost = true
      return yield* Deferred.succeed(lost, undefined)
    }
    number += 1
    stored += entries.length
    if (written === "unpaid") unpaid()
  })

  const writeAll = Effect.gen(function* () {
    while (isAsked) {
      isAsked = false
      if (pending.length > 0 && !isLost) yield* writeSlice
      while (waiting[0] !== undefined && waiting[0].until <= stored) {
        yield* Deferred.succeed(waiting.shift()!.done, undefined)
      }
    }
    isWriting = false
    if (pending.length > 0) writeLater()
  })

  /** Writes what is noted; while a slice is being written, that one goes on with it. */
  const write = Effect.suspend(() => {
    isAsked = true
    if (isWriting) return Effect.void
    isWriting = true
    return writeAll
  }).pipe(Effect.uninterruptible)
  // A conversation that goes on elsewhere leaves nothing unwritten here.
  yield* Scope.addFinalizer(yield* Effect.scope, write)

  const start = yield* makeStart
  const later = Effect.zipRight(
    Effect.sleep(interval),
    Effect.suspend(() => {
      sleeping = null
      return write
    })
  )
  const writeLater = () => {
    if (!isWriting && !isLost && sleeping === null) sleeping = start(later)
  }
  const hurry = () => {
    if (isLost) return
    sleeping?.unsafeInterruptAsFork(sleeping.id())
    sleeping = null
    start(write)
  }

  return {
    note: (event, at) => {
      pending.push({ at, event })
      noted += 1
      if (pending.length === 1) writeLater()
    },
    owe: (utterances) => {
      owed += utterances
    },
    flush: Effect.gen(function* () {
      if (stored >= noted) return
      const done = yield* Deferred.make<void>()
      waiting.push({ until: noted, done })
      hurry()
      yield* Deferred.await(done)
    }),
    hurry,
    lost: Deferred.await(lost)
  } satisfies JournalWriter
})
