import type { Band } from "./Timeline.ts"

/** A curve with a band about it, over a scale from 0. Lengths in pixels. */
export interface Panel {
  readonly left: number
  readonly width: number
  readonly top: number
  readonly height: number
  /** Which colour it has. */
  readonly key: string
  readonly title: string
  readonly points: ReadonlyArray<Band & { readonly x: number }>
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

/** Text as it may stand in SVG; what XML cannot hold is left out. */
export const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, "")
    .replace(/[&<>"']/g, (character) => entities[character]!)

const factors = [1, 2, 2.5, 5, 10]
const mostTicks = 5

/** Round numbers from 0 to the first that is not below `most`. */
export const scale = (most: number): ReadonlyArray<number> => {
  const wanted = Math.max(most, 1) / mostTicks
  const power = 10 ** Math.floor(Math.log10(wanted))
  const step = Math.max(
    1,
    factors.map((factor) => factor * power).find((each) => each >= wanted)!
  )
  return Array.from({ length: Math.ceil(Math.max(most, 1) / step) + 1 }, (_, i) => i * step)
}

const number = (value: number): string => value.toLocaleString("en-US", { maximumFractionDigits: 1 })

/** One curve with its scale. */
export const panel = ({ height, key, left, points, title, top, width }: Panel): string => {
  const ticks = scale(Math.max(...points.map(({ p90 }) => p90)))
  const most = ticks.at(-1)!
  const y = (value: number) => top + height - (height * value) / most
  const at = (x: number, value: number) => `${x.toFixed(1)},${y(value).toFixed(1)}`
  const rules = ticks.map(
    (tick) =>
      `<line class="rule" x1="${left}" x2="${left + width}" y1="${y(tick).toFixed(1)}" y2="${y(tick).toFixed(1)}"/>` +
      `<text class="soft" x="${left - 8}" y="${(y(tick) + 4).toFixed(1)}" text-anchor="end">${number(tick)}</text>`
  )
  const upper = points.map((point) => at(point.x, point.p90))
  const lower = points.map((point) => at(point.x, point.p10)).reverse()
  const middle = points.map((point) => at(point.x, point.p50))
  return [
    `<text x="${left}" y="${top - 12}">${escaped(title)}</text>`,
    ...rules,
    `<polygon class="${key} band" points="${[...upper, ...lower].join(" ")}"/>`,
    `<polyline class="${key} line" points="${middle.join(" ")}"/>`
  ].join("")
}

/** Moments below the lowest panel, and lines through all of them. */
export const axis = (
  ticks: ReadonlyArray<{ readonly x: number; readonly text: string }>,
  panels: ReadonlyArray<Pick<Panel, "top" | "height">>
): string => {
  const bottom = Math.max(...panels.map(({ height, top }) => top + height))
  return ticks
    .map(({ text, x }) => {
      const place = x.toFixed(1)
      const lines = panels.map(
        ({ height, top }) =>
          `<line class="rule" x1="${place}" x2="${place}" y1="${top}" y2="${top + height}"/>`
      )
      return `${lines.join("")}<text class="soft" x="${place}" y="${bottom + 20}" text-anchor="middle">${escaped(text)}</text>`
    })
    .join("")
}

/** Stretches of all panels that are shaded, behind everything else. */
export const shade = (
  stretches: ReadonlyArray<{ readonly from: number; readonly to: number }>,
  panels: ReadonlyArray<Pick<Panel, "top" | "height">>
): string =>
  panels
    .flatMap(({ height, top }) =>
      stretches.map(
        ({ from, to }) =>
          `<rect class="closed" x="${from.toFixed(1)}" y="${top}" width="${(to - from).toFixed(1)}" height="${height}"/>`
      )
    )
    .join("")
