import type { Campaign, CampaignProgress, CampaignSimulation } from "outdial/client"
import { useState } from "preact/hooks"
import { Section } from "../components/Page.tsx"
import { Failure, Loading } from "../components/States.tsx"
import { useAction } from "../data/Action.ts"
import { plural, shortTime } from "../data/Format.ts"
import { Running } from "./Running.tsx"
import { simulate, Simulated } from "./Simulated.tsx"

interface Result {
  readonly simulation: CampaignSimulation
  readonly balance: number
  /** How many had answered when the simulation began. */
  readonly reached: number
}

/** When the rest of a campaign that does not run will be done, by simulation, beside what has happened. */
const Simulating = (props: { readonly campaign: Campaign; readonly progress: CampaignProgress }) => {
  const { id, stats } = props.campaign
  const [result, setResult] = useState<Result | null>(null)
  const simulating = useAction(async (api) => {
    setResult({ ...(await simulate(api, id)), reached: stats.answered })
  })
  if (stats.pending === 0 && result === null) return null
  return (
    <Section
      title="When it will be done"
      aside={
        stats.pending > 0 && (
          <button
            type="button"
            class="button"
            disabled={simulating.busy}
            onClick={() => void simulating.run()}
          >
            {simulating.busy ? "Simulating…" : result === null ? "Simulate the rest" : "Simulate again"}
          </button>
        )
      }
    >
      {simulating.error !== null && <Failure error={simulating.error} what="It could not be simulated." />}
      {result === null ? (
        simulating.busy ? (
          <>
            <p class="hint">Of many recipients it may take a minute or two.</p>
            <Loading what="the simulation" />
          </>
        ) : (
          <p class="second">
            The simulation plays the calls of the {plural(stats.pending, "recipient")} who wait, with the
            window and the pace of this campaign, and tells when they will be done. It dials no number.
          </p>
        )
      ) : (
        <>
          <Simulated
            simulation={result.simulation}
            balance={result.balance}
            past={{ progress: props.progress, reached: result.reached }}
          />
          <p class="hint">
            Simulated at {shortTime(result.simulation.starts_at)}, as if it ran from then on.
          </p>
        </>
      )}
    </Section>
  )
}

/** When it will be done, beside what has happened: by the forecast while it runs, else by simulation. */
export const Forecast = (props: { readonly campaign: Campaign; readonly progress: CampaignProgress }) =>
  props.campaign.status === "running" ? (
    <Section title="When it will be done">
      <Running {...props} />
    </Section>
  ) : (
    <Simulating {...props} />
  )
