import { day } from "../Codecs.ts"
import { axis, escaped, panel, type Panel, shade } from "./ChartPanel.ts"
import { closedSpans, type LocalTime, localTime, timeTicks } from "./ChartTime.ts"
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
  .closed { fill: var(--rule); opacity: 0.5 }
  .band { opacity: 0.25 }
  .line { fill: none; stroke-width: 2; stroke-linejoin: round }
  .calls.line { stroke: var(--calls) } .calls.band { fill: var(--calls) }
  .reached.line { stroke: var(--reached) } .reached.band { fill: var(--reached) }
  .end { stroke: var(--end); stroke-width: 1.5; stroke-dasharray: 5 4 }
  .end-text { fill: var(--end) }
`

const whole = (value: number): string => value.toLocaleString("en-US", { maximumFractionDigits: 0 })

const tickLabel = (moment: string, length: number): string =>
  length > 9 * day ? moment.slice(5, 10) : length > day ? moment.slice(5) : moment.slice(11)

const headline = (
  { finishes_at, recipients, reached, seeds }: Simulation,
  { text, zone }: LocalTime
): string =>
  `${whole(recipients)} recipients, ${whole(reached.p50)} reached` +
  (finishes_at === null ? ", not completed" : `, completed ${text(finishes_at.p50)} ${zone}`) +
  (seeds.length === 1 ? "" : ` (medians of ${seeds.length} seeds)`)

/** When it is completed: the median, and the span that eight seeds of ten end in. The words stand above the curves. */
const ends = (
  { finishes_at }: Simulation,
  { text }: LocalTime,
  x: (at: number) => number,
  [top, bottom]: readonly [number, number]
): string => {
  if (finishes_at === null) return ""
  const shares = ["p10", "p50", "p90"] as const
  const lines = shares.map((share) => {
    const place = x(finishes_at[share]).toFixed(1)
    return `<line class="end" x1="${place}" x2="${place}" y1="${top}" y2="${bottom}"/>`
  })
  const words = shares.map((share) => `${share} ${text(finishes_at[share])}`).join(", ")
  return `${lines.join("")}<text class="end-text" x="${left + inner}" y="${top - 12}" text-anchor="end">${words}</text>`
}

/** The simulation as one SVG document, for light and dark, without a script. */
export const chartOf = (simulation: Simulation, name = "Campaign simulation"): string => {
  const { call_time, starts_at, timeline } = simulation
  const local = localTime(call_time?.timezone ?? "UTC")
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
  const ticks = timeTicks(starts_at, until, local).map((at) => ({
    x: x(at),
    text: tickLabel(local.text(at), until - starts_at)
  }))
  const closed = closedSpans(call_time, starts_at, until).map(([from, to]) => ({ from: x(from), to: x(to) }))
  const bottom = reached.top + reached.height
  const summary = headline(simulation, local)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} 600" width="${width}" height="600" role="img">`,
    `<title>${escaped(name)}</title><desc>${escaped(summary)}</desc><style>${style}</style>`,
    `<rect class="paper" width="${width}" height="600"/>`,
    `<text class="title" x="24" y="34">${escaped(name)}</text>`,
    `<text x="24" y="58">${escaped(summary)}</text>`,
    shade(closed, [calls, reached]),
    axis(ticks, [calls, reached]),
    panel(calls),
    panel(reached),
    ends(simulation, local, x, [calls.top, bottom]),
    `<text class="soft" x="24" y="588">Line: median of the seeds. Band: eight of ten. Dashed: completed.${closed.length === 0 ? "" : " Grey: closed hours."} Times in ${escaped(local.zone)}.</text>`,
    "</svg>",
    ""
  ].join("\n")
}
