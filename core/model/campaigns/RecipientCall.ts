import { configOf, type SubStatus } from "../calls/Call.ts"
import type { CallTime } from "../calls/CallConfig.ts"
import { closedOn, nextOpening } from "../calls/CallingWindow.ts"
import { day, isoTimestamp } from "../Codecs.ts"
import { RawJson } from "../json/RawJson.ts"
import { memo } from "../Memo.ts"
import type { Campaign, StatusReason } from "./Campaign.ts"
import { countryOf, type HolidaysOf, timezoneOf } from "./Place.ts"

/** Reasons that hold for all recipients of a campaign: they stop the campaign, not the recipient. */
const ofCampaign: ReadonlySet<SubStatus> = new Set<SubStatus & StatusReason>([
  "insufficient_credits",
  "agent_not_found",
  "agent_not_published",
  "agent_not_voice",
  "agent_not_msg",
  "phone_number_not_found",
  "template_not_found",
  "template_not_approved"
])

export const stopsCampaign = (sub_status: SubStatus): sub_status is SubStatus & StatusReason =>
  ofCampaign.has(sub_status)

/** A configuration with its window in another zone: one text for all recipients of a zone. */
const zoned = memo(64, (text: RawJson) => {
  const config = configOf({ call_config: text })
  return memo(512, (timezone: string) =>
    RawJson(JSON.stringify({ ...config, call_time: { ...config.call_time, timezone } }))
  )
})

/** How far ahead a window knows the holidays: farther than the longest delay of a retry. */
const horizon = 60 * day

const dateOf = (at: number) => isoTimestamp(at).slice(0, 10)

/** The window where a recipient waits, closed on the holidays that are near. */
export const windowIn = (
  call_time: CallTime,
  place: string | null,
  holidaysOf: HolidaysOf,
  now: number
): CallTime => {
  if (place === null) return call_time
  const timezone = timezoneOf(place) ?? call_time.timezone
  const country = countryOf(place)
  if (country === null) return { ...call_time, timezone }
  const [first, last] = [dateOf(now - day), dateOf(now + horizon)]
  const days = holidaysOf(country).filter((date) => first <= date && date <= last)
  return { ...call_time, timezone: closedOn(timezone, days) }
}

/** The configuration of a recipient's call: the campaign's, with the window where the recipient waits. */
export const configFor = (
  { call_config }: Campaign,
  place: string | null,
  holidaysOf: HolidaysOf,
  now: number
): RawJson | null => {
  if (place === null || call_config === null) return call_config
  const { call_time } = configOf({ call_config })
  if (call_time === undefined) return call_config
  return zoned(call_config)(windowIn(call_time, place, holidaysOf, now).timezone)
}

/** When the campaign's window is open in a place: at `now`, or later. */
export const openingIn = (
  campaign: Campaign,
  place: string | null,
  holidaysOf: HolidaysOf,
  now: number
): number => {
  const { call_time } = configOf(campaign)
  return call_time === undefined ? now : nextOpening(windowIn(call_time, place, holidaysOf, now), now)
}
