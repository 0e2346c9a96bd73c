import { firstZone } from "../calls/CallingWindow.ts"
import { minute } from "../Codecs.ts"

/** Every zone is a multiple of this ahead of UTC, since long before any call. */
export const grain = 15 * minute

/**
 * The hour (0 to 23) that the clocks of a zone show. Asked for many moments of a few zones, it looks each quarter
 * of an hour up once.
 */
export const makeLocalHour = (): ((zone: string, at: number) => number) => {
  const clocks = new Map<string, { readonly format: Intl.DateTimeFormat; at: number; hour: number }>()
  return (zone, at) => {
    const known = clocks.get(zone)
    const quarter = at - (at % grain)
    if (known?.at === quarter) return known.hour
    const format =
      known?.format ??
      new Intl.DateTimeFormat("en-US", { timeZone: firstZone(zone), hourCycle: "h23", hour: "2-digit" })
    const found = { format, at: quarter, hour: Number(format.format(quarter)) }
    clocks.set(zone, found)
    return found.hour
  }
}
