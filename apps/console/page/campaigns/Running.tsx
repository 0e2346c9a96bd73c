import type { Campaign, CampaignForecast, CampaignProgress } from "outdial/client"
import { useMemo } from "preact/hooks"
import { Chart } from "../components/Chart.tsx"
import { Shown } from "../components/States.tsx"
import { type Fact, Facts, Time } from "../components/Values.tsx"
import { count, plural, share, shortTime } from "../data/Format.ts"
import { useRefresh, useResource } from "../data/Resource.ts"
import { besides, between, lastOf } from "./Simulated.tsx"

/** The server makes a forecast anew when enough has happened. */
const refreshMs = 15_000

const factsOf = (forecast: CampaignForecast, total: number): ReadonlyArray<Fact> => {
  const { attempts, credits, finishes_at, reached } = forecast
  return [
    [
      "Done by",
      finishes_at === null ? (
        "In no run that was played"
      ) : (
        <>
          <Time at={finishes_at.p50} />{" "}
          <span class="second">
            {shortTime(finishes_at.p10)} to {shortTime(finishes_at.p90)}
          </span>
        </>
      )
    ],
    ["People reached in all", `${between(reached)} of ${count(total)}`],
    ["Dials in all", between(attempts)],
    ["Credits from now on", between(credits)]
  ]
}

const Drawn = (props: { readonly forecast: CampaignForecast; readonly progress: CampaignProgress }) => {
  const { forecast, progress } = props
  const drawing = useMemo(() => {
    const { finishes_at, made_at, reached } = forecast
    const now = progress.stats.answered
    return finishes_at === null
      ? null
      : besides(progress, [
          [Date.parse(made_at), { p10: now, p50: now, p90: now }],
          [Date.parse(finishes_at.p50), reached]
        ])
  }, [forecast, progress])
  return drawing === null ? null : (
    <Chart
      label="People reached so far, and as the forecast expects it"
      drawing={drawing}
      values={lastOf(drawing)}
    />
  )
}

/** The forecast of a campaign that runs, which the server keeps up with what happens. */
export const Running = (props: { readonly campaign: Campaign; readonly progress: CampaignProgress }) => {
  const { id, stats } = props.campaign
  const found = useResource((api, options) => api.simulations.forecast(id, options), [id])
  useRefresh(found.reload, true, refreshMs)
  return (
    <Shown resource={found} what="the forecast">
      {(forecast) => (
        <div class="stack">
          {forecast.completed_share < 1 && (
            <p class="note warn">
              The credits may be used up before its end: so it is in {share(1 - forecast.completed_share, 1)}{" "}
              of the runs that were played.
            </p>
          )}
          <Facts facts={factsOf(forecast, stats.total)} />
          <Drawn forecast={forecast} progress={props.progress} />
          <p class="hint">
            Made at {shortTime(forecast.made_at)}, from {plural(forecast.learned.attempts, "attempt")} of this
            campaign. Four times out of five the truth lies within what is told, as long as callees behave as
            they did and nothing is changed.
          </p>
        </div>
      )}
    </Shown>
  )
}
