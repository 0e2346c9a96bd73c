import { day, second } from "../Codecs.ts"
import type { CallTime } from "./CallConfig.ts"

const dayInSeconds = 86_400

/** `Area/Location`, as the IANA database names regions; abbreviations are ambiguous and offsets no region. */
const regionStyle = /^[A-Za-z0-9_+-]+(?:\/[A-Za-z0-9_+-]+)+$/
const longestName = 64

/**
 * A window that is moved to the zones of a number may be in several: their names stand with this between them, and it is
 * open where it is open in all of them.
 */
const joint = "&"
export const joined = (zones: ReadonlyArray<string>): string | null =>
  zones.length === 0 ? null : zones.join(joint)
/** The first of joined zones: one of those in which a person may be. */
export const firstZone = (timezone: string): string => timezone.split(joint, 1)[0]!

/** A window may be closed on days (`2026-12-25`, as the calendars of its zones have them): they stand behind its zones. */
const off = ";"
export const closedOn = (timezone: string, days: ReadonlyArray<string>): string =>
  [timezone, ...days].join(off)

/** A clock on the wall of a zone, and what it showed last: calls are judged many at a time. */
interface WallClock {
  readonly format: Intl.DateTimeFormat
  at: number
  /** Seconds after midnight. */
  shown: number
}

/** By lower-case name, so that it never outgrows the runtime's own list of zones. */
const clocks = new Map<string, WallClock>()

/** Names refused lately. */
const refused = new Set<string>()
const mostRefused = 256

const clockOf = (name: string): WallClock => {
  const key = name.toLowerCase()
  const known = clocks.get(key)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: name,
    hourCycle: "h23",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit"
  })
  const clock: WallClock = { format, at: NaN, shown: 0 }
  clocks.set(key, clock)
  return clock
}

/**
 * Whether this runtime knows a region-style time-zone name (`Europe/Paris`, in any case) or `UTC`. Offsets,
 * abbreviations and other one-word names are refused.
 */
export const zoneExists = (name: string): boolean => {
  if (name.length > longestName || refused.has(name)) return false
  if (name !== "UTC" && !regionStyle.test(name)) return false
  try {
    clockOf(name)
    return true
  } catch {
    if (refused.size >= mostRefused) refused.clear()
    refused.add(name)
    return false
  }
}

const twoDigits = (text: string, at: number) => (text.charCodeAt(at) - 48) * 10 + text.charCodeAt(at + 1) - 48

const minutes = (wallTime: string) => twoDigits(wallTime, 0) * 60 + twoDigits(wallTime, 3)

/** What a clock shows at a time, in seconds after midnight. */
const wallClock = (clock: WallClock, at: number): number => {
  if (clock.at === at) return clock.shown
  const text = clock.format.format(at)
  clock.at = at
  clock.shown = minutes(text) * 60 + twoDigits(text, 6)
  return clock.shown
}

const contains = (window: CallTime, seconds: number): boolean => {
  const start = minutes(window.call_start_time) * 60
  const end = minutes(window.call_end_time) * 60
  return start < end ? start <= seconds && seconds < end : start <= seconds || seconds < end
}

const calendars = new Map<string, Intl.DateTimeFormat>()

/** The date that the calendar of a zone shows, `2026-12-25`. */
const dateIn = (zone: string, at: number): string => {
  let calendar = calendars.get(zone)
  if (calendar === undefined) {
    const digits = "2-digit"
    calendar = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      year: "numeric",
      month: digits,
      day: digits
    })
    calendars.set(zone, calendar)
  }
  const [month, date, year] = calendar.format(at).split("/")
  return `${year}-${month}-${date}`
}

const zonesOf = ({ timezone }: CallTime) => timezone.split(off, 1)[0]!.split(joint)

/** A zone of the window in which it is a day on which the window is closed; null in none. */
const dayOff = (window: CallTime, at: number): string | null => {
  const [, ...days] = window.timezone.split(off)
  if (days.length === 0) return null
  return zonesOf(window).find((zone) => days.includes(dateIn(zone, at))) ?? null
}

/** The first second of the day that follows in a zone. */
const nextDay = (zone: string, at: number): number => {
  const today = dateIn(zone, at)
  let low = Math.floor(at / second)
  let high = low + 2 * dayInSeconds
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (dateIn(zone, middle * second) === today) low = middle
    else high = middle
  }
  return high * second
}

/**
 * Whether a call may be dialled at an instant (epoch milliseconds): whether the wall clock of the window's zone
 * is inside it then, start inclusive, end exclusive, across midnight if the end is before the start.
 * Source: contract, `call_time`.
 */
export const isOpen = (window: CallTime, at: number): boolean =>
  zonesOf(window).every((zone) => contains(window, wallClock(clockOf(zone), at))) &&
  dayOff(window, at) === null

const wrap = (seconds: number) => ((seconds % dayInSeconds) + dayInSeconds) % dayInSeconds

/** How far the wall clock is ahead of UTC, modulo a day, in seconds: a skipped calendar day moves no clock. */
const offset = (clock: WallClock, seconds: number) => wrap(wallClock(clock, seconds * second) - seconds)

/** The first second after `from` and not after `to` with an offset other than `from`'s; `to` has such a one. */
const transition = (clock: WallClock, from: number, to: number): number => {
  const before = offset(clock, from)
  let low = from
  let high = to
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offset(clock, middle) === before) low = middle
    else high = middle
  }
  return high
}

/**
 * The first instant, not before `at`, at which the window is open. Epoch milliseconds. Where the clocks change
 * it is exact to the second: a window whose start is skipped opens with the first wall-clock time inside it.
 * No zone has ever changed its clocks twice within a day, so that one look at the end of a day's wait tells
 * whether they change on the way.
 */
const nextOpeningIn = (window: CallTime, at: number): number => {
  const clock = clockOf(window.timezone)
  const start = minutes(window.call_start_time) * 60
  let seconds = Math.floor(at / second)
  let shown = wallClock(clock, at)
  if (contains(window, shown)) return at
  while (!contains(window, shown)) {
    const candidate = seconds + wrap(start - shown)
    const shownThen = wallClock(clock, candidate * second)
    seconds = shownThen === start ? candidate : transition(clock, seconds, candidate)
    shown = shownThen === start ? start : wallClock(clock, seconds * second)
  }
  return seconds * second
}

/** How far ahead an hour is looked for that is inside the windows of several zones. */
const horizon = 2 * day

/**
 * `nextOpeningIn` the zone of the window. In several zones it is when the window is open in all of them; where they share
 * no hour in two days, it is the end of these, when it is to be looked for again.
 */
const nextOpeningInAll = (window: CallTime, at: number): number => {
  if (!window.timezone.includes(joint)) return nextOpeningIn(window, at)
  const windows = window.timezone.split(joint).map((timezone) => ({ ...window, timezone }))
  for (let from = at; from < at + horizon;) {
    const latest = Math.max(...windows.map((each) => nextOpeningIn(each, from)))
    if (latest === from) return from
    from = latest
  }
  return at + horizon
}

/** `nextOpeningInAll`, but on no day on which the window is closed. */
export const nextOpening = (window: CallTime, at: number): number => {
  if (!window.timezone.includes(off)) return nextOpeningInAll(window, at)
  const hours = { ...window, timezone: window.timezone.split(off, 1)[0]! }
  for (let from = at; ;) {
    const opening = nextOpeningInAll(hours, from)
    const zone = dayOff(window, opening)
    if (zone === null) return opening
    from = nextDay(zone, opening)
  }
}
