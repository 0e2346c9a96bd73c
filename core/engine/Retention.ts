import { Cause, Clock, Effect, Layer } from "effect"
import { day, hour, minute } from "../model/Codecs.ts"
import type { Recording } from "../model/recordings/Recording.ts"
import { type KeptRecording, Repository } from "../ports/Repository.ts"
import { makeErasing } from "./Erasing.ts"

/** How many recordings are taken from the store at one time, and how many of them deleted at one time. */
const atOnce = 100
const together = 4

const never = Number.MAX_SAFE_INTEGER

const make = Effect.fnUntraced(function* (days: number) {
  const { recordings } = yield* Repository
  const erase = yield* makeErasing
  const kept = days * day

  /** Answers whether it was deleted. One that cannot be deleted now holds up no other. */
  const eraseOne = (recording: Recording) =>
    Effect.catchAllCause(Effect.as(erase(recording), true), (cause) =>
      Cause.isInterruptedOnly(cause)
        ? Effect.interrupt
        : Effect.logError("a recording whose time is over could not be deleted", cause).pipe(
            Effect.annotateLogs({ recording_id: recording.id }),
            Effect.as(false)
          )
    )

  /** Answers whether all were deleted. */
  const sweep = Effect.fnUntraced(function* (until: number) {
    let all = true
    let after: KeptRecording | null = null
    for (;;) {
      const due: ReadonlyArray<Recording> = yield* recordings.kept(until, after, atOnce)
      const done = yield* Effect.forEach(due, eraseOne, { concurrency: together })
      all &&= !done.includes(false)
      const last = due.at(-1)
      if (last === undefined) return all
      after = last
      yield* Effect.yieldNow()
    }
  })

  /** Milliseconds until there is something to delete again, or to try again. */
  const pause = Effect.fnUntraced(function* (all: boolean) {
    if (!all) return minute
    const [oldest] = yield* recordings.kept(never, null, 1)
    if (oldest === undefined) return hour
    const now = yield* Clock.currentTimeMillis
    return Math.min(hour, Math.max(0, oldest.created_at + kept - now))
  })

  const round = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    yield* Effect.sleep(yield* Effect.flatMap(sweep(now - kept), pause))
  }).pipe(
    Effect.catchAllCause((cause) =>
      Cause.isInterruptedOnly(cause)
        ? Effect.interrupt
        : Effect.zipRight(
            Effect.logError("recordings whose time is over could not be looked for", cause),
            Effect.sleep(minute)
          )
    )
  )

  yield* Effect.forkScoped(Effect.forever(round))
})

/**
 * Deletes recordings `days` after they were made, of all workspaces, as long as the scope lives. What is due is
 * found by its age in an index; several processes may do it at the same time.
 */
export const layer = (days: number) => Layer.scopedDiscard(make(days))
