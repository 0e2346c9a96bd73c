import type { CallTime } from "../calls/CallConfig.ts"
import { nextOpening } from "../calls/CallingWindow.ts"
import { type HolidaysOf, timezoneOf } from "../campaigns/Place.ts"
import { windowIn } from "../campaigns/RecipientCall.ts"
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
const openingOf = (windowAt: ((at: number) => CallTime) | null): Zone["opening"] => {
  if (windowAt === null) return (at) => at
  let looked = NaN
  let opens = 0
  return (at) => {
    const now = at - (at % minute)
    if (now !== looked) [looked, opens] = [now, nextOpening(windowAt(now), now)]
    return Math.max(at, opens)
  }
}

/** Each place in which recipients wait, once; null: that of the window. */
export const makeZones = (call_time: CallTime | undefined, holidaysOf: HolidaysOf) => {
  const hourOf = makeLocalHour()
  const zones = new Map<string | null, Zone>()
  return (place: string | null): Zone => {
    const known = zones.get(place)
    if (known !== undefined) return known
    const name = timezoneOf(place) ?? call_time?.timezone ?? "UTC"
    const windowAt =
      call_time === undefined ? null : (at: number) => windowIn(call_time, place, holidaysOf, at)
    const opening = openingOf(windowAt)
    const zone = { waiting: 0, hourOf: (at: number) => hourOf(name, at), opening }
    zones.set(place, zone)
    return zone
  }
}
