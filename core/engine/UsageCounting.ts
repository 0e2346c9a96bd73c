import { Clock, Effect, Option } from "effect"
import { hour } from "../model/Codecs.ts"
import { Repository } from "../ports/Repository.ts"

/** After so long the attempts begun in an hour have ended, and what they cost is charged. */
const settledAfter = 3 * hour

/** The beginning of the hour of a moment. */
export const hourOf = (at: number) => Math.floor(at / hour) * hour

/** Counts the hours that are over, each once, and keeps what was counted. */
export const makeUsageCounting = Effect.map(Repository, ({ transaction, usage }) => {
  const keep = Effect.fnUntraced(function* (workspace_id: string, at: number) {
    const [known] = yield* usage.hours(workspace_id, at, at + hour)
    if (known === undefined) {
      yield* usage.keep(workspace_id, at, yield* usage.count(workspace_id, at, at + hour))
    }
  })

  /** Keeps what is not kept yet of these hours. Answers from when on hours are not over. */
  return Effect.fnUntraced(function* (workspace_id: string, from: number, until: number) {
    const settled = Math.min(until, hourOf((yield* Clock.currentTimeMillis) - settledAfter))
    const known = new Set(yield* usage.hours(workspace_id, from, settled))
    for (let at = from; at < settled; at += hour) {
      if (known.has(at)) continue
      const next = yield* usage.next(workspace_id, at)
      if (Option.isNone(next) || next.value >= settled) break
      at = Math.max(at, hourOf(next.value))
      if (!known.has(at)) yield* transaction(workspace_id, keep(workspace_id, at))
      yield* Effect.yieldNow()
    }
    return Math.max(from, settled)
  })
})
