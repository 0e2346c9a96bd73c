import { Effect } from "effect"
import { second } from "../model/Codecs.ts"
import { leadMillis } from "../ports/MonotonicTime.ts"

/** A clock that goes back by less delays what is due by less, and is not told of. */
const least = second

/** Looks at the process's clock: how often it has been set back so far. Each time is one line in the log. */
export const makeClockSteps = Effect.sync((): Effect.Effect<number> => {
  let lead = -Infinity
  let count = 0
  return Effect.flatMap(leadMillis, (current) => {
    const back = lead - current
    lead = current
    if (back < least) return Effect.succeed(count)
    count += 1
    return Effect.logWarning(
      `The clock was set back by ${Math.round(back / second)} seconds: what is due stays due as soon as before`
    ).pipe(Effect.as(count))
  })
})
