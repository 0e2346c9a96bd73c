import { signal } from "@preact/signals"
import type { Campaign } from "outdial/client"
import type { ComponentChildren } from "preact"
import { Page } from "../components/Page.tsx"
import { Failure, Loading } from "../components/States.tsx"
import { Tabs } from "../components/Tabs.tsx"
import { Status } from "../components/Values.tsx"
import { useLive } from "../data/Live.ts"
import { useResource } from "../data/Resource.ts"
import { to } from "../router/Location.ts"
import { CampaignActions } from "./CampaignActions.tsx"
import { Summary } from "./Summary.tsx"
import { reasonOf } from "./Words.ts"

/** The campaign that was shown last, so that its frame stays while another part of it is read. */
const latest = signal<Campaign | null>(null)

export interface CampaignProps {
  readonly campaign: Campaign
  readonly changed: (campaign: Campaign) => void
  readonly reload: () => void
}

export type CampaignParams = { readonly params: { readonly campaign_id?: string } }

/** What all pages of a campaign have: its state, what may be done to it, its counters, and the ways to its parts. */
export const CampaignFrame = (
  props: CampaignParams & { readonly children: (props: CampaignProps) => ComponentChildren }
) => {
  const id = props.params.campaign_id!
  const found = useResource(
    async (api, options) => {
      latest.value = await api.campaigns.get(id, options)
    },
    [id]
  )
  useLive(found.reload, (event) => event.type === "campaign" && event.record.id === id)
  const campaign = latest.value?.id === id ? latest.value : null
  const changed = (campaign: Campaign) => {
    latest.value = campaign
  }
  if (campaign === null) {
    return (
      <Page title="Campaign">
        {found.error === null ? (
          <Loading what="the campaign" />
        ) : (
          <Failure error={found.error} retry={found.reload} />
        )}
      </Page>
    )
  }
  const reason = reasonOf(campaign)
  return (
    <Page
      title={campaign.name}
      aside={<Status value={campaign.status} />}
      actions={<CampaignActions campaign={campaign} onChanged={changed} />}
    >
      {found.error !== null && <Failure error={found.error} retry={found.reload} />}
      {reason !== null && <p class={campaign.status_reason === "user" ? "note" : "note warn"}>{reason}</p>}
      <Summary campaign={campaign} />
      <Tabs
        label="Parts of the campaign"
        tabs={[
          [`/campaigns/${id}`, "Progress"],
          [`/campaigns/${id}/recipients`, "Recipients"],
          [`/campaigns/${id}/attempts`, "Attempts"],
          [`/campaigns/${id}/imports`, "Lists sent in"]
        ]}
      />
      {props.children({ campaign, changed, reload: found.reload })}
      <p class="back">
        <a href={to("/campaigns")}>All campaigns</a>
      </p>
    </Page>
  )
}
