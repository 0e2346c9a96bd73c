import type { CampaignProgress, CampaignSimulation } from "outdial/client"
import { Chart } from "../components/Chart.tsx"
import type { Drawing } from "../components/Plot.ts"
import { type Fact, Facts, Time } from "../components/Values.tsx"
import { count, duration, share, shortTime } from "../data/Format.ts"

const spans = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const

interface Point {
  readonly at: number
  readonly so_far: number | null
  readonly p10: number | null
  readonly p50: number | null
  readonly p90: number | null
}

/** What was answered by the end of each interval. */
const happened = ({ interval, series }: CampaignProgress, until: number): ReadonlyArray<Point> => {
  let answered = 0
  return series.map(({ at, outcomes }) => {
    answered += (outcomes.answered ?? 0) + (outcomes.sent ?? 0) + (outcomes.delivered ?? 0)
    const end = Math.min(Date.parse(at) + spans[interval], until)
    return { at: end, so_far: answered, p10: null, p50: null, p90: null }
  })
}

/** What was reached so far, and from there on what the simulation expects. */
const drawingOf = (simulation: CampaignSimulation, progress: CampaignProgress | null): Drawing => {
  const begin = Date.parse(simulation.starts_at)
  const past = progress === null ? [] : happened(progress, begin)
  const reached = past.at(-1)?.so_far ?? 0
  const step = simulation.timeline.step_seconds * 1_000
  const points: ReadonlyArray<Point> = [
    ...past.filter(({ at }) => at < begin),
    { at: begin, so_far: past.length === 0 ? null : reached, p10: reached, p50: reached, p90: reached },
    ...simulation.timeline.points.map(({ at, reached: band }) => ({
      at: Date.parse(at) + step,
      so_far: null,
      p10: reached + band.p10,
      p50: reached + band.p50,
      p90: reached + band.p90
    }))
  ]
  const lines = [
    { label: "Reached, nine runs of ten below", colour: "--busy", isDashed: true, key: "p90" },
    { label: "one of ten below", colour: "--busy", isDashed: true, key: "p10" },
    { label: "half of them below", colour: "--busy", key: "p50" },
    { label: "Reached so far", colour: "--good", key: "so_far" }
  ] as const
  return {
    moments: points.map(({ at }) => at),
    barOf: null,
    band: [0, 1],
    series: (past.length === 0 ? lines.slice(0, 3) : lines).map(({ key, ...line }) => ({
      ...line,
      values: points.map((point) => point[key])
    }))
  }
}

const between = ({ p10, p90 }: { readonly p10: number; readonly p90: number }) =>
  Math.round(p10) === Math.round(p90)
    ? count(Math.round(p10))
    : `${count(Math.round(p10))} to ${count(Math.round(p90))}`

const factsOf = (simulation: CampaignSimulation, balance: number | null): ReadonlyArray<Fact> => {
  const { attempts, completed_share, credits, duration_seconds, finishes_at, reached, recipients } =
    simulation
  return [
    [
      "Done by",
      finishes_at === null ? (
        "In no simulated run"
      ) : (
        <>
          <Time at={finishes_at.p50} />
          <span class="second">
            {" "}
            {shortTime(finishes_at.p10)} to {shortTime(finishes_at.p90)}
          </span>
        </>
      )
    ],
    ["Takes", duration_seconds === null ? null : duration(duration_seconds.p50)],
    ["People reached", `${between(reached)} of ${count(recipients)} (${share(reached.mean, recipients)})`],
    ["Dials", between(attempts)],
    ["Credits", between(credits) + (balance === null ? "" : `; ${count(balance)} are left`)],
    ["Calls at one time", `at most ${count(Math.round(simulation.peak_calls.max))}`],
    [
      "Simulated runs",
      completed_share === 1
        ? `${simulation.seeds.length}, all completed`
        : `${simulation.seeds.length}, of which ${share(completed_share, 1)} completed; the others stood still for good`
    ]
  ]
}

/** What simulated runs come to, beside what has happened. */
export const Simulated = (props: {
  readonly simulation: CampaignSimulation
  readonly progress: CampaignProgress | null
  readonly balance: number | null
}) => {
  const { balance, progress, simulation } = props
  const drawing = drawingOf(simulation, progress)
  const isShort = balance !== null && simulation.credits.p90 > balance
  return (
    <div class="stack">
      {isShort && (
        <p class="note warn">
          The credits may not last: up to {count(Math.round(simulation.credits.p90))} are needed, and{" "}
          {count(balance)} are left.
        </p>
      )}
      <Facts facts={factsOf(simulation, balance)} />
      <Chart
        label="People reached over time, as the simulation expects it"
        drawing={drawing}
        values={drawing.series.map(({ values }) => values.findLast((value) => value !== null) ?? null)}
      />
      <p class="hint">
        How often people answer is assumed from the hour of the day, not learnt from your calls.
      </p>
    </div>
  )
}
