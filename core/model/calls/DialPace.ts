/**
 * A cap on dials over time: at most `limit` in any window of `span` milliseconds, counted exactly. `starts` are
 * the times of the dials of the last span, oldest first.
 */
export interface Pace {
  readonly span: number
  readonly starts: ReadonlyArray<number>
}

const recent = ({ span, starts }: Pace, now: number) => {
  let first = 0
  while (first < starts.length && starts[first]! <= now - span) first++
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
  return { allowed, next_at: allowed > 0 ? now : starts[starts.length - limit]! + pace.span }
}

export const started = (pace: Pace, count: number, now: number): Pace => ({
  span: pace.span,
  starts: [...recent(pace, now), ...Array.from({ length: count }, () => now)]
})
