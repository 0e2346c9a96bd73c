import uPlot from "uplot"
import { count, dayAndClock } from "../data/Format.ts"
import { colourOf } from "./Colours.ts"

export interface Series {
  readonly label: string
  /** The variable of its colour. */
  readonly colour: string
  /** One for each moment; null where there is none. */
  readonly values: ReadonlyArray<number | null>
  readonly isDashed?: boolean
}

export interface Drawing {
  /** Epoch milliseconds, ascending. */
  readonly moments: ReadonlyArray<number>
  readonly series: ReadonlyArray<Series>
  /** Milliseconds that a bar stands for: the series are bars upon each other. Null: they are lines. */
  readonly barOf: number | null
  /** Two series, by their places, between which the ground is coloured. */
  readonly band?: readonly [upper: number, lower: number]
}

const height = 220
const thinnest = 260
const fewestBars = 12

/** Each series with those below it. The last comes first, since what is drawn later covers what was drawn before. */
const piled = (series: ReadonlyArray<Series>): ReadonlyArray<Series> => {
  const below: Array<number> = []
  return series
    .map((each) => ({
      ...each,
      values: each.values.map((value, i) => (below[i] = (below[i] ?? 0) + (value ?? 0)))
    }))
    .toReversed()
}

const dataOf = ({ barOf, moments, series }: Drawing): uPlot.AlignedData => [
  moments.map((moment) => moment / 1_000),
  ...(barOf === null ? series : piled(series)).map(({ values }) => [...values])
]

/** From the first moment to the last; a few bars stand in room for more, so that they are not one block. */
const rangeOf = ({ barOf, moments }: Drawing): [number, number] => {
  const first = moments[0] ?? Date.now()
  const last = moments.at(-1) ?? first
  const end =
    barOf === null ? Math.max(last, first + 60_000) : Math.max(last + barOf, first + fewestBars * barOf)
  return [first / 1_000, end / 1_000]
}

const seriesOf = ({ barOf, series }: Drawing): Array<uPlot.Series> =>
  (barOf === null ? series : series.toReversed()).map(({ colour, isDashed, label }) => ({
    label,
    stroke: colourOf(colour),
    spanGaps: true,
    points: { show: false },
    ...(barOf === null
      ? { width: 2, ...(isDashed === true ? { dash: [4, 4] } : {}) }
      : { width: 0, fill: colourOf(colour), paths: uPlot.paths.bars!({ size: [0.8, 48], align: 1 }) })
  }))

const axisOf = (): uPlot.Axis => ({
  stroke: colourOf("--text-second"),
  font: `12px ${getComputedStyle(document.body).fontFamily}`,
  grid: { stroke: colourOf("--line"), width: 1 },
  ticks: { show: false }
})

const wholes = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 2e5, 5e5, 1e6]

export interface Plot {
  readonly draw: (drawing: Drawing) => void
  readonly resize: (width: number) => void
  readonly remove: () => void
}

/** Draws on a canvas. `onPoint` is told the place of the moment that is pointed at; null for none. */
export const plot = (
  container: HTMLElement,
  first: Drawing,
  onPoint: (place: number | null) => void
): Plot => {
  let drawing = first
  const widthOf = (width: number) => Math.max(thinnest, width)
  const made = new uPlot(
    {
      width: widthOf(container.clientWidth),
      height,
      padding: [8, 32, 0, 0],
      legend: { show: false },
      cursor: { y: false, points: { show: drawing.barOf === null }, drag: { x: false, y: false } },
      scales: {
        x: {
          range: () => rangeOf(drawing)
        },
        y: { range: (_, __, max) => [0, Math.max(1, max * 1.05)] }
      },
      axes: [
        {
          ...axisOf(),
          values: (_, splits, __, ___, step) => splits.map((at) => dayAndClock(at * 1_000, step))
        },
        { ...axisOf(), size: 48, incrs: wholes, values: (_, splits) => splits.map((value) => count(value)) }
      ],
      series: [{}, ...seriesOf(drawing)],
      ...(drawing.band === undefined
        ? {}
        : {
            bands: [
              {
                series: [drawing.band[0] + 1, drawing.band[1] + 1] as uPlot.Band.Bounds,
                fill: colourOf("--busy-soft")
              }
            ]
          }),
      hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? null)] }
    },
    dataOf(drawing),
    container
  )
  return {
    draw: (next) => {
      drawing = next
      made.setData(dataOf(next))
    },
    resize: (width) => made.setSize({ width: widthOf(width), height }),
    remove: () => made.destroy()
  }
}
