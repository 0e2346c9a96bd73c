import type { CampaignProgress, CampaignSimulation, OutdialClient, RequestOptions } from "outdial/client"
import { useMemo } from "preact/hooks"
import { Chart } from "../components/Chart.tsx"
import type { Drawing } from "../components/Plot.ts"
import { type Fact, Facts, Time } from "../components/Values.tsx"
import { count, duration, plural, share, shortTime } from "../data/Format.ts"
import { reasonOf } from "./Words.ts"

/** Of many recipients it takes a minute or two. */
const simulationMs = 180_000

/** Plays a campaign's pending recipients, with callees as the workspace's own calls show them; and what it may spend. */
export const simulate = async (api: OutdialClient, campaign_id: string, options: RequestOptions = {}) => {
  const [simulation, { balance }] = await Promise.all([
    api.simulations.simulate(campaign_id, { model: { from: {} } }, { ...options, timeoutMs: simulationMs }),
    api.credits.balance(options)
  ])
  return { simulation, balance }
}

const spans = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const

export interface Point {
  readonly so_far?: number
  readonly p10?: number
  readonly p50?: number
  readonly p90?: number
}

/** What has happened, and how many were reached when the simulation began. */
export interface Past {
  readonly progress: CampaignProgress
  readonly reached: number
}

const lines = [
  { label: "Likely at most", colour: "--busy", isDashed: true, key: "p90" },
  { label: "Likely at least", colour: "--busy", isDashed: true, key: "p10" },
  { label: "Expected", colour: "--busy", key: "p50" },
  { label: "Reached so far", colour: "--good", key: "so_far" }
] as const

/** How many were reached by the end of each interval. */
const happened = ({ interval, series, until }: CampaignProgress): ReadonlyArray<[number, Point]> => {
  let so_far = 0
  const first = series[0]
  return [
    ...(first === undefined ? [] : [[Date.parse(first.at), { so_far }] as [number, Point]]),
    ...series.map(({ at, outcomes }): [number, Point] => {
      so_far += outcomes.answered ?? 0
      return [Math.min(Date.parse(at) + spans[interval], Date.parse(until)), { so_far }]
    })
  ]
}

/** What the simulation expects, on top of what was reached when it began. */
const expected = (
  { starts_at, timeline }: CampaignSimulation,
  reached: number
): ReadonlyArray<[number, Point]> => [
  [Date.parse(starts_at), { p10: reached, p50: reached, p90: reached }],
  ...timeline.points.map(({ at, reached: { p10, p50, p90 } }): [number, Point] => [
    Date.parse(at) + timeline.step_seconds * 1_000,
    { p10: reached + p10, p50: reached + p50, p90: reached + p90 }
  ])
]

/** What was reached so far, beside what is expected. */
export const besides = (
  progress: CampaignProgress | null,
  expected: ReadonlyArray<[number, Point]>
): Drawing => {
  const points = new Map<number, Point>()
  for (const [at, point] of [...(progress === null ? [] : happened(progress)), ...expected]) {
    points.set(at, { ...points.get(at), ...point })
  }
  const moments = [...points.keys()].toSorted((a, b) => a - b)
  return {
    moments,
    barOf: null,
    band: [0, 1],
    series: lines
      .filter(({ key }) => key !== "so_far" || progress !== null)
      .map(({ key, ...line }) => ({ ...line, values: moments.map((at) => points.get(at)![key] ?? null) }))
  }
}

/** The last value of each line. */
export const lastOf = ({ series }: Drawing): ReadonlyArray<number | null> =>
  series.map(({ values }) => values.findLast((value) => value !== null) ?? null)

export const between = ({ p10, p90 }: { readonly p10: number; readonly p90: number }) =>
  Math.round(p10) === Math.round(p90)
    ? count(Math.round(p10))
    : `${count(Math.round(p10))} to ${count(Math.round(p90))}`

const factsOf = (simulation: CampaignSimulation, balance: number | null): ReadonlyArray<Fact> => {
  const { attempts, credits, duration_seconds, finishes_at, reached, recipients } = simulation
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
    ["Simulated runs", count(simulation.seeds.length)]
  ]
}

/** What kept simulated runs from their end. */
const Stopped = ({ seeds }: { readonly seeds: CampaignSimulation["seeds"] }) => {
  const stopped = seeds.filter(({ status }) => status !== "completed")
  const [first] = stopped
  if (first === undefined) return null
  return (
    <p class="note warn">
      In {count(stopped.length)} of {plural(seeds.length, "simulated run")} it does not come to its end.{" "}
      {reasonOf(first)}
    </p>
  )
}

/** What simulated runs come to, beside what has happened. */
export const Simulated = (props: {
  readonly simulation: CampaignSimulation
  readonly past: Past | null
  readonly balance: number | null
}) => {
  const { balance, past, simulation } = props
  const { learned } = simulation
  const drawing = useMemo(
    () => besides(past?.progress ?? null, expected(simulation, past?.reached ?? 0)),
    [simulation, past?.progress]
  )
  return (
    <div class="stack">
      <Stopped seeds={simulation.seeds} />
      <Facts facts={factsOf(simulation, balance)} />
      <Chart
        label="People reached over time, as the simulation expects it"
        drawing={drawing}
        values={lastOf(drawing)}
      />
      <p class="hint">
        {learned === null || learned.attempts === 0
          ? "How callees behave is assumed from the hour of the day: this workspace has no calls yet to learn from."
          : `How callees behave is learned from ${plural(learned.attempts, "attempt")} of this workspace. Where these are few, it is near to what is assumed of callees of whom nothing is known.`}
      </p>
    </div>
  )
}
