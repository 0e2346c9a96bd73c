import type { Campaign, GetCampaignProgressQuery } from "outdial/client"
import { Section } from "../components/Page.tsx"
import { Shown } from "../components/States.tsx"
import { type Fact, Facts, Raw, Time } from "../components/Values.tsx"
import { useAgentNames } from "../data/Agents.ts"
import { useLive } from "../data/Live.ts"
import { useResource } from "../data/Resource.ts"
import { to } from "../router/Location.ts"
import { CampaignFrame, type CampaignParams, type CampaignProps } from "./CampaignFrame.tsx"
import { Forecast } from "./Forecast.tsx"
import { OutcomeChart } from "./OutcomeChart.tsx"
import { Pace } from "./Pace.tsx"
import { windowOf } from "./Window.ts"
import { isOpen } from "./Words.ts"

const hour = 3_600_000

/** The time that the campaign has run, in steps as fine as that allows. */
const spanOf = ({ completed_at, started_at }: Campaign): GetCampaignProgressQuery => {
  if (started_at === null) return { interval: "minute" }
  const end = completed_at === null ? Date.now() : Date.parse(completed_at)
  const span = end - Date.parse(started_at)
  return {
    interval: span < 4 * hour ? "minute" : span < 240 * hour ? "hour" : "day",
    from: started_at,
    ...(completed_at !== null && { until: new Date(end + hour).toISOString() })
  }
}

const factsOf = (campaign: Campaign, agent: string): ReadonlyArray<Fact> => [
  ["Agent", <a href={to(`/agents/${campaign.agent_id}`)}>{agent}</a>],
  ["Channel", campaign.channel === "voice" ? "Calls" : "Messages"],
  ["Calling window", windowOf(campaign)],
  ["Planned for", campaign.scheduled_for === null ? null : <Time at={campaign.scheduled_for} full />],
  ["Begun", campaign.started_at === null ? null : <Time at={campaign.started_at} full />],
  ["Ended", campaign.completed_at === null ? null : <Time at={campaign.completed_at} full />]
]

const Progress = ({ campaign, changed }: CampaignProps) => {
  const { id } = campaign
  const nameOf = useAgentNames()
  const span = spanOf(campaign)
  const found = useResource(
    (api, options) => api.campaigns.progress(id, span, options),
    [id, span.interval, span.from, span.until]
  )
  useLive(found.reload, (event) => event.type === "campaign" && event.record.id === id)
  return (
    <>
      <Shown resource={found} what="the progress">
        {(progress) => (
          <>
            <Section title="How attempts ended">
              <OutcomeChart progress={progress} isVoice={campaign.channel === "voice"} />
            </Section>
            {campaign.channel === "voice" && isOpen(campaign) && (
              <Forecast campaign={campaign} progress={progress} />
            )}
          </>
        )}
      </Shown>
      {isOpen(campaign) && (
        <Pace
          key={`${campaign.max_concurrency} ${campaign.calls_per_minute}`}
          campaign={campaign}
          onChanged={changed}
        />
      )}
      <Section title="The campaign">
        <Facts facts={factsOf(campaign, nameOf(campaign.agent_id))} />
        <Raw title="The campaign's record" value={campaign} />
      </Section>
    </>
  )
}

export const CampaignPage = ({ params }: CampaignParams) => (
  <CampaignFrame params={params}>{(props) => <Progress {...props} />}</CampaignFrame>
)
