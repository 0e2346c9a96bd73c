import { day, hour, minute } from "../Codecs.ts"
import { axis, escaped, panel, type Panel } from "./ChartPanel.ts"
import type { Simulation } from "./Simulation.ts"

const width = 960
const left = 72
const right = 24
const inner = width - left - right

const style = `
  :root { color-scheme: light dark }
  svg { --ink: #1f2328; --soft: #59636e; --rule: #d1d9e0; --paper: #ffffff; --calls: #0969da; --reached: #1a7f37; --end: #bc4c00 }
  @media (prefers-color-scheme: dark) {
    svg { --ink: #f0f6fc; --soft: #9198a1; --rule: #3d444d; --paper: #0d1117; --calls: #4493f8; --reached: #3fb950; --end: #f0883e }
  }
  text { font: 13px system-ui, sans-serif; fill: var(--ink) }
  .title { font-size: 18px; font-weight: 600 }
  .soft { fill: var(--soft) }
  .rule { stroke: var(--rule); stroke-width: 1 }
  .paper { fill: var(--paper) }
  .band { opacity: 0.25 }
  .line { fill: none; stroke-width: 2; stroke-linejoin: round }
  .calls.line { stroke: var(--calls) } .calls.band { fill: var(--calls) }
  .reached.line { stroke: var(--reached) } .reached.band { fill: var(--reached) }
  .end { stroke: var(--end); stroke-width: 1.5; stroke-dasharray: 5 4 }
  .end-text { fill: var(--end) }
`

const moment = (at: number): string => new Date(at).toISOString().slice(0, 16).replace("T", " ")
const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 })

const ticksBetween = [15 * minute, 30 * minute, hour, 2 * hour, 4 * hour, 6 * hour, 12 * hour, day]
const mostTicks = 9

/** Whole hours or days of UTC, as many as there is room for. */
const timeTicks = (from: number, until: number): ReadonlyArray<number> => {
  const length = until - from
  const between =
    ticksBetween.find((step) => length / step <= mostTicks) ?? day * Math.ceil(length / (day * mostTicks))
  const first = Math.ceil(from / between) * between
  return Array.from({ length: Math.floor((until - first) / between) + 1 }, (_, i) => first + i * between)
}

const tickLabel = (at: number, length: number): string =>
  length > 9 * day ? moment(at).slice(5, 10) : length > day ? moment(at).slice(5) : moment(at).slice(11)

const headline = ({ finishes_at, recipients, reached, seeds }: Simulation): string =>
  `${whole.format(recipients)} recipients, ${whole.format(reached.p50)} reached` +
  (finishes_at === null ? ", not completed" : `, completed ${moment(finishes_at.p50)} UTC`) +
  (seeds.length === 1 ? "" : ` (medians of ${seeds.length} seeds)`)

/** When it is completed: the median, and the span that eight seeds of ten end in. */
const ends = (simulation: Simulation, x: (at: number) => number, top: number, bottom: number): string => {
  const { finishes_at } = simulation
  if (finishes_at === null) return ""
  const { p10, p50, p90 } = finishes_at
  const lines = [p10, p50, p90].map((at) => {
    const place = x(at).toFixed(1)
    return `<line class="end" x1="${place}" x2="${place}" y1="${top}" y2="${bottom}"/>`
  })
  const [low, high] = [x(p10) - left, x(p90) - left]
  const anchor = low > inner / 2 ? "end" : "start"
  const place = anchor === "end" ? left + low - 6 : left + high + 6
  const words = ["p10", "p50", "p90"].map((name, i) => `${name} ${moment([p10, p50, p90][i]!)}`)
  return (
    lines.join("") +
    words
      .map(
        (text, i) =>
          `<text class="end-text" x="${place.toFixed(1)}" y="${top + 16 + 16 * i}" text-anchor="${anchor}">${text}</text>`
      )
      .join("")
  )
}

/** The simulation as one SVG document, for light and dark, without a script. */
export const chartOf = (simulation: Simulation, name = "Campaign simulation"): string => {
  const { starts_at, timeline } = simulation
  const step = timeline.step_seconds * 1_000
  const until = Math.max(
    starts_at + timeline.points.length * step,
    simulation.finishes_at === null ? 0 : simulation.finishes_at.max
  )
  const x = (at: number) => left + (inner * (at - starts_at)) / Math.max(1, until - starts_at)
  const place = { left, width: inner }
  const over = (key: "calls" | "reached", offset: number) =>
    timeline.points.map((point) => ({ x: x(point.at + offset), ...point[key] }))
  const calls: Panel = {
    ...place,
    top: 96,
    height: 200,
    key: "calls",
    title: "Calls under way",
    points: over("calls", step / 2)
  }
  const reached: Panel = {
    ...place,
    top: 340,
    height: 200,
    key: "reached",
    title: "Recipients reached so far",
    points: [{ x: left, p10: 0, p50: 0, p90: 0 }, ...over("reached", step)]
  }
  const ticks = timeTicks(starts_at, until).map((at) => ({
    x: x(at),
    text: tickLabel(at, until - starts_at)
  }))
  const bottom = reached.top + reached.height
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} 600" width="${width}" height="600" role="img">`,
    `<title>${escaped(name)}</title><desc>${escaped(headline(simulation))}</desc><style>${style}</style>`,
    `<rect class="paper" width="${width}" height="600"/>`,
    `<text class="title" x="24" y="34">${escaped(name)}</text>`,
    `<text x="24" y="58">${escaped(headline(simulation))}</text>`,
    axis(ticks, [calls, reached]),
    panel(calls),
    panel(reached),
    ends(simulation, x, calls.top, bottom),
    `<text class="soft" x="24" y="588">Line: median of the seeds. Band: eight seeds of ten. Dashed: completed, with its percentiles. Times in UTC.</text>`,
    "</svg>",
    ""
  ].join("\n")
}
