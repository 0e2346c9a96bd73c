import type { Campaign } from "outdial/client"
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

/** As fine as the time that the campaign has run allows. */
const intervalOf = ({ completed_at, started_at }: Campaign): "minute" | "hour" | "day" => {
  if (started_at === null) return "minute"
  const span = (completed_at === null ? Date.now() : Date.parse(completed_at)) - Date.parse(started_at)
  return span < 4 * hour ? "minute" : span < 240 * hour ? "hour" : "day"
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
  const interval = intervalOf(campaign)
  const found = useResource(
    (api, options) => api.campaigns.progress(id, { interval }, options),
    [id, interval]
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
