import type { Campaign, CampaignProgress } from "outdial/client"
import { Section } from "../components/Page.tsx"
import { Failure, Loading } from "../components/States.tsx"
import { useAction } from "../data/Action.ts"
import { plural, shortTime } from "../data/Format.ts"
import { useState } from "preact/hooks"
import type { CampaignSimulation } from "outdial/client"
import { Simulated } from "./Simulated.tsx"

interface Result {
  readonly simulation: CampaignSimulation
  readonly balance: number
  readonly progress: CampaignProgress
}

/** When the rest will be done, by simulation, beside what has happened. */
export const Forecast = (props: { readonly campaign: Campaign; readonly progress: CampaignProgress }) => {
  const { id, stats } = props.campaign
  const [result, setResult] = useState<Result | null>(null)
  const simulating = useAction(async (api) => {
    const [simulation, { balance }] = await Promise.all([
      api.simulations.simulate(id, {}),
      api.credits.balance()
    ])
    setResult({ simulation, balance, progress: props.progress })
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
          <Loading what="the simulation" />
        ) : (
          <p class="second">
            The simulation plays the calls of the {plural(stats.pending, "recipient")} who wait, with the
            window and the pace of this campaign, and tells when they will be done. It dials no number.
          </p>
        )
      ) : (
        <>
          <p class="hint">From {shortTime(result.simulation.starts_at)} on, if it runs then.</p>
          <Simulated {...result} />
        </>
      )}
    </Section>
  )
}
