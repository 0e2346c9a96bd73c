import type { CallTime } from "../calls/CallConfig.ts"
import { nextOpening } from "../calls/CallingWindow.ts"
import { minute } from "../Codecs.ts"
import { makeLocalHour } from "../simulation/LocalHour.ts"

/** Callees of one zone, and how many of them wait for their first call. */
export interface Zone {
  readonly hourOf: (at: number) => number
  /** When their window is open: then, or later. */
  readonly opening: (at: number) => number
  waiting: number
}

/** A window begins and ends with a minute, in every zone. */
const openingOf = (window: CallTime | null): Zone["opening"] => {
  if (window === null) return (at) => at
  let looked = NaN
  let opens = 0
  return (at) => {
    const now = at - (at % minute)
    if (now !== looked) [looked, opens] = [now, nextOpening(window, now)]
    return Math.max(at, opens)
  }
}

/** Each zone once, by its name; null: that of the window. */
export const makeZones = (call_time: CallTime | undefined) => {
  const hourOf = makeLocalHour()
  const zones = new Map<string | null, Zone>()
  return (timezone: string | null): Zone => {
    const known = zones.get(timezone)
    if (known !== undefined) return known
    const name = timezone ?? call_time?.timezone ?? "UTC"
    const opening = openingOf(call_time === undefined ? null : { ...call_time, timezone: name })
    const zone = { waiting: 0, hourOf: (at: number) => hourOf(name, at), opening }
    zones.set(timezone, zone)
    return zone
  }
}
