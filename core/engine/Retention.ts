import { Cause, Clock, Effect, Layer } from "effect"
import { day, hour, minute } from "../model/Codecs.ts"
import { Repository } from "../ports/Repository.ts"
import { makeErasing } from "./Erasing.ts"

/** How many are taken from the store at one time, and how many of them deleted at one time. */
const atOnce = 100
const together = 4

const never = Number.MAX_SAFE_INTEGER

/** What is deleted by its age. */
interface Kind<A> {
  /** Those that were made by `until`, oldest first, from behind `after`. */
  readonly kept: (until: number, after: A | null, limit: number) => Effect.Effect<ReadonlyArray<A>>
  readonly erase: (one: A) => Effect.Effect<unknown>
  readonly madeAt: (one: A) => number
  /** Names it in logs. */
  readonly nameOf: (one: A) => Readonly<Record<string, string>>
}

const sweeping = <A>({ erase, kept, madeAt, nameOf }: Kind<A>, age: number) => {
  /** Answers whether it was deleted. One that cannot be deleted now holds up no other. */
  const eraseOne = (one: A) =>
    Effect.catchAllCause(Effect.as(erase(one), true), (cause) =>
      Cause.isInterruptedOnly(cause)
        ? Effect.interrupt
        : Effect.logError("what was kept for its time could not be deleted", cause).pipe(
            Effect.annotateLogs(nameOf(one)),
            Effect.as(false)
          )
    )

  /** Answers whether all were deleted. */
  const sweep = Effect.fnUntraced(function* (until: number) {
    let all = true
    let after: A | null = null
    for (;;) {
      const due: ReadonlyArray<A> = yield* kept(until, after, atOnce)
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
    const [oldest] = yield* kept(never, null, 1)
    if (oldest === undefined) return hour
    const now = yield* Clock.currentTimeMillis
    return Math.min(hour, Math.max(0, madeAt(oldest) + age - now))
  })

  return Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.flatMap(sweep(now - age), pause))
}

const make = Effect.fnUntraced(function* (days: number) {
  const { recordings, sessions } = yield* Repository
  const erase = yield* makeErasing
  const age = days * day

  const ofRecordings = sweeping(
    {
      kept: recordings.kept,
      erase,
      madeAt: ({ created_at }) => created_at,
      nameOf: ({ id }) => ({ recording_id: id })
    },
    age
  )
  const ofSessions = sweeping(
    {
      kept: sessions.kept,
      erase: ({ customer_id, session_id }) => sessions.erase(customer_id, session_id),
      madeAt: ({ ended_at }) => ended_at,
      nameOf: ({ session_id }) => ({ session_id })
    },
    age
  )

  const round = Effect.gen(function* () {
    yield* Effect.sleep(Math.min(yield* ofRecordings, yield* ofSessions))
  }).pipe(
    Effect.catchAllCause((cause) =>
      Cause.isInterruptedOnly(cause)
        ? Effect.interrupt
        : Effect.zipRight(
            Effect.logError("what was kept for its time could not be looked for", cause),
            Effect.sleep(minute)
          )
    )
  )

  yield* Effect.forkScoped(Effect.forever(round))
})

/**
 * Deletes recordings `days` after they were made, and what was said in conversations `days` after their end, of all
 * workspaces, as long as the scope lives. What is due is found by its age in an index; several processes may do it at
 * the same time.
 */
export const layer = (days: number) => Layer.scopedDiscard(make(days))
