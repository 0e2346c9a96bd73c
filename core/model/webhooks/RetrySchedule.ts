import { day, hour, minute, second } from "../Codecs.ts"

/** The pauses after the first to the ninth try, in milliseconds. The tenth try is the last. */
export const retryDelays: ReadonlyArray<number> = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour
]

/**
 * When to try a delivery again after `attempts_made` failed tries, the last of them at `now` (epoch
 * milliseconds); null when it is dead. `retry_after` is what the receiver asked for, in milliseconds from
 * `now`; it counts when it is later than the schedule, up to 24 hours. `jitter`, from 0 to 1, adds up to a
 * tenth of the pause, so that what failed together does not come back together.
 */
export const nextAttempt = (
  attempts_made: number,
  now: number,
  retry_after: number | null,
  jitter: number
): number | null => {
  const delay = retryDelays[Math.max(attempts_made, 1) - 1]
  if (delay === undefined) return null
  const scheduled = delay + Math.floor((delay * jitter) / 10)
  return now + Math.max(scheduled, Math.min(retry_after ?? 0, day))
}
