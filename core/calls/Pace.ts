import { second } from "../Codecs.ts"

/**
 * The calls-per-second cap of a workspace: at most `limit` dials in any window of one second, counted exactly.
 * `starts` are the times of the dials of the last second, oldest first.
 */
export interface Pace {
  readonly starts: ReadonlyArray<number>
}

const recent = (pace: Pace, now: number) => {
  const { starts } = pace
  let first = 0
  while (first < starts.length && starts[first]! <= now - second) first++
  return first === 0 ? starts : starts.slice(first)
}

/** How many dials may start now, and when the next one may if none. */
export const allowance = (
  pace: Pace,
  limit: number,
  now: number
): { readonly allowed: number; readonly next_at: number } => {
  const starts = recent(pace, now)
  const allowed = Math.max(0, limit - starts.length)
  return { allowed, next_at: allowed > 0 ? now : starts[starts.length - limit]! + second }
}

export const started = (pace: Pace, count: number, now: number): Pace => ({
  starts: [...recent(pace, now), ...Array.from({ length: count }, () => now)]
})
