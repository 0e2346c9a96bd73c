import { configOf, type SubStatus } from "../calls/Call.ts"
import { nextOpening } from "../calls/CallingWindow.ts"
import { RawJson } from "../json/RawJson.ts"
import { memo } from "../Memo.ts"
import type { Campaign, StatusReason } from "./Campaign.ts"

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
    config.call_time === undefined
      ? text
      : RawJson(JSON.stringify({ ...config, call_time: { ...config.call_time, timezone } }))
  )
})

/** The configuration of a recipient's call: the campaign's, with the window in the recipient's own zone. */
export const configFor = ({ call_config }: Campaign, timezone: string | null): RawJson | null =>
  timezone === null || call_config === null ? call_config : zoned(call_config)(timezone)

/** When the campaign's window is open in a zone: at `now`, or later. */
export const openingIn = (campaign: Campaign, timezone: string | null, now: number): number => {
  const { call_time } = configOf(campaign)
  if (call_time === undefined) return now
  return nextOpening(timezone === null ? call_time : { ...call_time, timezone }, now)
}
