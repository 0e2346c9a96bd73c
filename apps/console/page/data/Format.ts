/** The browser's own zone, in which all times are shown. */
export const zone = Intl.DateTimeFormat().resolvedOptions().timeZone

const full = new Intl.DateTimeFormat(undefined, {
  year: "numeric",
  month: "short",
  day: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  timeZoneName: "short"
})
const day = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric" })
const year = new Intl.DateTimeFormat(undefined, { year: "numeric", month: "short", day: "numeric" })
const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit" })

/** With its zone: `22 Nov 2026, 10:08:41 CET`. */
export const fullTime = (moment: string): string => full.format(new Date(moment))

export const clockTime = (moment: string): string => clock.format(new Date(moment))

/** As short as it is clear today: the time, with its day on other days. */
export const shortTime = (moment: string, now = new Date()): string => {
  const at = new Date(moment)
  if (at.toDateString() === now.toDateString()) return clock.format(at)
  return `${(at.getFullYear() === now.getFullYear() ? day : year).format(at)}, ${clock.format(at)}`
}

/** A moment to the minute, in the browser's zone, as fields have it: `2026-11-22T10:08`. */
export const localTime = (at: Date): string =>
  new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)

/** The zone as it is called now: `CET`, or `GMT+5:30` where it has no short name. */
export const zoneName = (): string =>
  full.formatToParts(new Date()).find(({ type }) => type === "timeZoneName")?.value ?? zone

const hours = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" })

/** For the axis of a chart whose steps are so many seconds long. */
export const dayAndClock = (at: number, step: number): string =>
  (step < 60 ? clock : step < 86_400 ? hours : day).format(at)

/** Seconds as minutes and seconds: `2:05`. */
export const duration = (seconds: number): string => {
  const whole = Math.round(seconds)
  const rest = String(whole % 60).padStart(2, "0")
  const minutes = Math.floor(whole / 60)
  return minutes < 60
    ? `${minutes}:${rest}`
    : `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}:${rest}`
}

const numbers = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 })
export const count = (value: number): string => numbers.format(value)

/** `1 credit`, `2 credits`. */
export const plural = (value: number, one: string): string =>
  `${count(value)} ${one}${value === 1 ? "" : "s"}`

const percents = new Intl.NumberFormat(undefined, { style: "percent", maximumFractionDigits: 0 })
/** `–` where there is nothing to have a share of. */
export const share = (part: number, whole: number): string =>
  whole === 0 ? "–" : percents.format(part / whole)

/** The interface's names as words: `no_answer` is `No answer`. */
export const words = (name: string): string => {
  const text = name.replaceAll("_", " ")
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
