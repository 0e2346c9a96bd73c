import type { Campaign, CreateCampaign } from "outdial/client"

export type CallConfig = NonNullable<CreateCampaign["call_config"]>

/** As it was supplied, which the interface has checked. */
export const configOf = ({ call_config }: Campaign): CallConfig => call_config as CallConfig

export const usualHours = { call_start_time: "09:00", call_end_time: "18:00" }

/** The hours in which it calls, in a few words. */
export const windowOf = (campaign: Campaign): string => {
  const { call_time } = configOf(campaign)
  return call_time === undefined
    ? "At any time"
    : `${call_time.call_start_time} to ${call_time.call_end_time}, ` +
        (campaign.recipient_timezone === null ? call_time.timezone : "where each recipient is")
}
