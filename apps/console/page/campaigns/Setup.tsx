import type { Campaign } from "outdial/client"
import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { Page } from "../components/Page.tsx"
import { Shown } from "../components/States.tsx"
import { Status } from "../components/Values.tsx"
import { useLive } from "../data/Live.ts"
import { useResource } from "../data/Resource.ts"
import { navigate, place, to } from "../router/Location.ts"
import { StepAgent } from "./StepAgent.tsx"
import { StepPace } from "./StepPace.tsx"
import { StepRecipients } from "./StepRecipients.tsx"
import { isStep, type Step, Steps } from "./Steps.tsx"
import { StepSimulate } from "./StepSimulate.tsx"
import { StepStart } from "./StepStart.tsx"

export interface StepProps {
  readonly campaign: Campaign
  readonly onChanged: (campaign: Campaign) => void
  readonly reload: () => void
}

const contents: Readonly<Record<Step, (props: StepProps) => preact.JSX.Element>> = {
  agent: StepAgent,
  recipients: StepRecipients,
  pace: StepPace,
  simulate: StepSimulate,
  start: StepStart
}

const isBefore = ({ status }: Campaign) => status === "draft" || status === "scheduled"

/** A campaign that has not begun, step by step. The step is in the address, all else is stored at each step. */
export const Setup = ({ params }: { readonly params: { readonly campaign_id?: string } }) => {
  const id = params.campaign_id!
  const found = useResource((api, options) => api.campaigns.get(id, options), [id])
  useLive(found.reload, (event) => event.type === "campaign" && event.record.id === id)
  const known = useSignal<Campaign | null>(null)
  const named = place.value.query.get("step")
  const step = isStep(named) ? named : (found.data?.stats.total ?? 0) === 0 ? "recipients" : "pace"
  const hasBegun = found.data !== null && !isBefore(found.data)
  useEffect(() => {
    if (hasBegun) navigate(to(`/campaigns/${id}`), { replace: true })
  }, [hasBegun, id])
  const Content = contents[step]
  return (
    <Page
      title={found.data?.name ?? "Campaign"}
      aside={found.data === null ? null : <Status value={found.data.status} />}
      actions={
        <a class="button" href={to(`/campaigns/${id}`)}>
          To the campaign
        </a>
      }
    >
      <Steps campaign_id={id} channel={found.data?.channel ?? "voice"} shown={step} />
      <Shown resource={found} what="the campaign">
        {(read) => (
          <Content
            campaign={known.value !== null && known.value.updated_at > read.updated_at ? known.value : read}
            onChanged={(campaign) => (known.value = campaign)}
            reload={found.reload}
          />
        )}
      </Shown>
    </Page>
  )
}
