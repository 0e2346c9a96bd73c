import { Cause, Clock, Effect, Layer } from "effect"
import { day, hour, minute } from "../model/Codecs.ts"
import { Repository } from "../ports/Repository.ts"
import { makeErasing } from "./Erasing.ts"
import { eraseByAge, type Kind } from "./ErasingByAge.ts"

const never = Number.MAX_SAFE_INTEGER

/** What is deleted by its age, oldest first. */
interface Aged<A> extends Kind<A> {
  readonly madeAt: (one: A) => number
}

const sweeping = <A>(kind: Aged<A>, age: number) => {
  /** Milliseconds until there is something to delete again, or to try again. */
  const pause = Effect.fnUntraced(function* (all: boolean) {
    if (!all) return minute
    const [oldest] = yield* kind.kept(never, null, 1)
    if (oldest === undefined) return hour
    const now = yield* Clock.currentTimeMillis
    return Math.min(hour, Math.max(0, kind.madeAt(oldest) + age - now))
  })

  return Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.flatMap(eraseByAge(kind, now - age), pause))
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
