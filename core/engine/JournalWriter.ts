import { Deferred, Effect, Schedule, Scope } from "effect"
import type { ConversationEvent } from "../model/conversations/ConversationMachine.ts"
import { type Entry, partialAfter, sliceOf } from "../model/conversations/Journal.ts"
import { second } from "../model/Codecs.ts"
import type { Slice } from "../ports/SessionRows.ts"
import { makeStart } from "./Starting.ts"
import type { StoredSlice } from "./TalkCharges.ts"
import { makeTimer } from "./Timer.ts"

/** Events are written at least this often while there are any. */
const interval = second

const whileStoreIsAway = Schedule.exponential("100 millis").pipe(Schedule.union(Schedule.spaced("5 seconds")))

export interface JournalWriter {
  readonly note: (event: ConversationEvent, at: number) => void
  /** The agent has said something more, by what was noted last. */
  readonly owe: (utterances: number) => void
  /** Completes once all that was noted is stored; never when the conversation is lost. */
  readonly flush: Effect.Effect<void>
  /** Writes what is noted soon, and waits for nothing. */
  readonly hurry: () => void
}

/** What a writer tells of its conversation. */
export interface Told {
  /** The workspace cannot pay for what was said. */
  readonly unpaid: () => void
  /** Another process has taken the conversation over: nothing more is written. */
  readonly lost: () => void
}

/** Writes the journal of one conversation, slice after slice, until its scope ends. */
export const makeJournalWriter = Effect.fnUntraced(function* (
  store: (slice: Slice, utterances: number) => Effect.Effect<StoredSlice>,
  last: number,
  told: Told
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
  /** Calls off that what is noted is written later. */
  let cancel: (() => void) | null = null
  const waiting: Array<{ readonly until: number; readonly done: Deferred.Deferred<void> }> = []

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
      return told.lost()
    }
    number += 1
    stored += entries.length
    if (written === "unpaid") told.unpaid()
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
  const timer = yield* makeTimer
  const hurry = () => {
    if (isLost) return
    cancel?.()
    cancel = null
    start(write)
  }
  const writeLater = () => {
    if (!isWriting && !isLost && cancel === null) cancel = timer(interval, hurry)
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
    hurry
  } satisfies JournalWriter
})
