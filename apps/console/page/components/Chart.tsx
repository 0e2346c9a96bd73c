import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks"
import { count, fullTime } from "../data/Format.ts"
import { Fold } from "./Fold.tsx"
import type * as PlotModule from "./Plot.ts"
import type { Drawing, Plot } from "./Plot.ts"
import { Failure } from "./States.tsx"
import { Table } from "./Table.tsx"

const dark = matchMedia("(prefers-color-scheme: dark)")

const useScheme = (): boolean => {
  const [isDark, setDark] = useState(dark.matches)
  useEffect(() => {
    const change = () => setDark(dark.matches)
    dark.addEventListener("change", change)
    return () => dark.removeEventListener("change", change)
  }, [])
  return isDark
}

let loaded: typeof PlotModule | null = null

const shown = (value: number | null | undefined) =>
  value === null || value === undefined ? "–" : count(value)

const rowsOf = ({ moments, series }: Drawing) =>
  moments.map((at, i) => ({ at, values: series.map(({ values }) => values[i]) }))

/**
 * Numbers over time, drawn by uPlot, which is loaded once a chart is shown. Its key says what each line stands for, and
 * how much that is where the chart is pointed at; the numbers themselves are below it, for readers without a pointer.
 */
export const Chart = (props: {
  /** What a reader who does not see it is told. */
  readonly label: string
  readonly drawing: Drawing
  /** What the key says while nothing is pointed at. */
  readonly values: ReadonlyArray<number | null>
}) => {
  const { drawing, label, values } = props
  const frame = useRef<HTMLDivElement>(null)
  const plot = useRef<Plot | null>(null)
  const latest = useRef(drawing)
  latest.current = drawing
  const [pointed, setPointed] = useState<number | null>(null)
  const [error, setError] = useState<unknown>(null)
  const isDark = useScheme()
  const kind = JSON.stringify([drawing.series.map(({ label }) => label), drawing.barOf, drawing.band, isDark])

  useLayoutEffect(() => {
    const container = frame.current!
    let isLeft = false
    const draw = (module: typeof PlotModule) => {
      loaded = module
      if (isLeft) return
      plot.current = module.plot(container, latest.current, setPointed)
      container.dataset["drawn"] = "true"
    }
    if (loaded === null) import("./Plot.ts").then(draw).catch(setError)
    else draw(loaded)
    const watch = new ResizeObserver(() => plot.current?.resize(container.clientWidth))
    watch.observe(container)
    return () => {
      isLeft = true
      watch.disconnect()
      plot.current?.remove()
      plot.current = null
    }
  }, [kind])
  useEffect(() => plot.current?.draw(drawing), [drawing])

  const at = pointed === null ? undefined : drawing.moments[pointed]
  return (
    <figure class="chart">
      <ul class="key">
        {drawing.series.map(({ colour, isDashed, label, values: all }, i) => (
          <li key={label}>
            <span
              class={isDashed === true ? "swatch dashed" : "swatch"}
              style={{ color: `var(${colour})` }}
              aria-hidden="true"
            />
            {label} <strong>{shown(at === undefined ? values[i] : all[pointed!])}</strong>
          </li>
        ))}
        {at !== undefined && <li class="hint">{fullTime(new Date(at).toISOString())}</li>}
      </ul>
      {error !== null && <Failure error={error} what="The chart could not be drawn." />}
      <div ref={frame} class="plot" role="img" aria-label={label} />
      <Fold title="The numbers">
        <Table
          caption={label}
          rows={rowsOf(drawing)}
          id={({ at }) => String(at)}
          columns={[
            { label: "From", cell: ({ at }) => fullTime(new Date(at).toISOString()) },
            ...drawing.series.map(({ label }, i) => ({
              label,
              kind: "number" as const,
              cell: ({ values }: ReturnType<typeof rowsOf>[number]) => shown(values[i])
            }))
          ]}
        />
      </Fold>
    </figure>
  )
}
