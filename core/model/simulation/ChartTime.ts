import type { CallTime } from "../calls/CallConfig.ts"
import { isOpen, nextOpening } from "../calls/CallingWindow.ts"
import { day, hour, minute } from "../Codecs.ts"

/** The local time of a zone. Moments are epoch milliseconds. */
export interface LocalTime {
  readonly zone: string
  /** How far the local clock is ahead of UTC, in milliseconds. */
  readonly offset: (at: number) => number
  /** `2026-02-03 09:00` */
  readonly text: (at: number) => string
}

export const localTime = (zone: string): LocalTime => {
  const format = new Intl.DateTimeFormat("sv-SE", {
    timeZone: zone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit"
  })
  const offset = (at: number) => {
    const whole = Math.floor(at / 1_000) * 1_000
    return Date.parse(`${format.format(whole).replace(" ", "T")}Z`) - whole
  }
  return { zone, offset, text: (at) => format.format(at).slice(0, 16) }
}

const ticksBetween = [15 * minute, 30 * minute, hour, 2 * hour, 4 * hour, 6 * hour, 12 * hour, day]
const mostTicks = 9

/** Moments of whole local hours or days, as many as there is room for. */
export const timeTicks = (from: number, until: number, { offset }: LocalTime): ReadonlyArray<number> => {
  const length = until - from
  const between =
    ticksBetween.find((step) => length / step <= mostTicks) ?? day * Math.ceil(length / (day * mostTicks))
  const ticks: Array<number> = []
  for (let local = Math.ceil((from + offset(from)) / between) * between; ; local += between) {
    const guess = local - offset(from)
    // The clocks may have changed since the start.
    const at = local - offset(guess)
    if (at > until) return ticks
    if (at >= from && at > (ticks.at(-1) ?? -Infinity)) ticks.push(at)
  }
}

/** At most so many steps are looked at for the end of an opening. */
const mostSteps = 2_000

/** The spans in which a calling window is closed. Their beginnings are exact to a two-thousandth of the whole. */
export const closedSpans = (
  window: CallTime | null,
  from: number,
  until: number
): ReadonlyArray<readonly [from: number, until: number]> => {
  if (window === null) return []
  const step = Math.max(minute, Math.ceil((until - from) / mostSteps / minute) * minute)
  const spans: Array<readonly [number, number]> = []
  let at = from
  while (at < until) {
    if (isOpen(window, at)) {
      at += step
    } else {
      const opening = nextOpening(window, at)
      spans.push([at, Math.min(until, opening)])
      at = opening
    }
  }
  return spans
}
