import { Clock, Duration, Effect, Layer } from "effect"
import { RateLimits, TooManyRequests } from "../../core/ports/RateLimits.ts"
import { platformWide } from "../../core/ports/Repository.ts"
import { perMillisecond, quotaOf, type Rate, secondsToWait, tokensOf } from "../shared/TokenBucket.ts"
import { Database } from "./Database.ts"
import { write } from "./Statements.ts"

/** What is used up and not yet got back: nanoseconds of refilling at `spent_at`, epoch milliseconds. */
interface Bucket {
  readonly spent: number
  readonly spent_at: number
}

/** The process whose clock is ahead tells the time: what it has given back no other gives back once more. */
const gone = `(excluded.spent_at - rate_limits.spent_at) * ${perMillisecond}`
const left =
  "(case when excluded.spent_at <= rate_limits.spent_at then rate_limits.spent " +
  `when ${gone} >= rate_limits.spent then 0 else rate_limits.spent - ${gone} end)`

const sql = {
  take:
    "insert into rate_limits (customer_id, what, spent, spent_at) values (?, ?, ?, ?) " +
    `on conflict (customer_id, what) do update set spent = ${left} + excluded.spent, spent_at = ` +
    "case when excluded.spent_at > rate_limits.spent_at then excluded.spent_at else rate_limits.spent_at end " +
    `where ${left} + excluded.spent <= ?`,
  get: "select spent, spent_at from rate_limits where customer_id = ? and what = ?",
  prune: "delete from rate_limits where spent_at < ?",
  setBack: "update rate_limits set spent_at = ? where spent_at > ?"
}

const make = Effect.fnUntraced(function* (rate: Rate, requests: Rate | null) {
  const database = yield* Database
  const windowMillis = Math.max(
    Duration.toMillis(rate.window),
    requests === null ? 0 : Duration.toMillis(requests.window)
  )
  const { perToken, whole } = tokensOf(rate)
  let pruned = 0

  /** What is used up of a bucket at `now`, in nanoseconds of refilling. */
  const spentOf = (workspace_id: string, what: string, now: number) =>
    Effect.map(database.all<Bucket>(workspace_id, sql.get, [workspace_id, what]), ([bucket]) =>
      Math.max(0, bucket!.spent - Math.max(0, now - bucket!.spent_at) * perMillisecond)
    )

  /** Seconds to wait, or null when one was taken. */
  const take = (workspace_id: string, what: string, now: number) =>
    database.unit(
      workspace_id,
      Effect.gen(function* () {
        if ((yield* database.run(workspace_id, sql.take, [workspace_id, what, perToken, now, whole])) > 0)
          return null
        return secondsToWait((yield* spentOf(workspace_id, what, now)) + perToken - whole)
      })
    )

  const takeRequest = (rate: Rate) => {
    const { perToken, whole } = tokensOf(rate)
    return Effect.fnUntraced(function* (workspace_id: string, subject: string) {
      const now = yield* Clock.currentTimeMillis
      const what = `request ${subject}`
      yield* tidy(now)
      return yield* database.unit(
        workspace_id,
        Effect.gen(function* () {
          const params = [workspace_id, what, perToken, now, whole]
          const allowed = (yield* database.run(workspace_id, sql.take, params)) > 0
          return quotaOf(rate, yield* spentOf(workspace_id, what, now), allowed)
        })
      )
    })
  }

  /**
   * A limit without use for a window is full again. A time further ahead than a window was told by a clock that has been
   * set back since: it counts as now.
   */
  const tidy = (now: number) =>
    Effect.suspend(() => {
      if (now >= pruned && now - pruned < windowMillis) return Effect.void
      pruned = now
      return Effect.zipRight(
        write(database, platformWide, sql.prune, [now - windowMillis]),
        write(database, platformWide, sql.setBack, [now, now + windowMillis])
      )
    })

  return RateLimits.of({
    request: requests === null ? null : takeRequest(requests),
    generation: Effect.fn("RateLimits.generation")(function* (workspace_id: string) {
      const now = yield* Clock.currentTimeMillis
      yield* tidy(now)
      const retry_after = yield* take(workspace_id, "generation", now)
      if (retry_after !== null) return yield* new TooManyRequests({ retry_after })
    })
  })
})

/** Limits in the store, which all processes on it share and none forgets: a token bucket is a row. */
export const layer = (
  generations: Rate,
  requests: Rate | null = null
): Layer.Layer<RateLimits, never, Database> => Layer.effect(RateLimits, make(generations, requests))
