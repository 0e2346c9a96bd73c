import { type MetricLabel, type MetricPair, MetricState, Option } from "effect"

const nameOf = (name: string) => name.replaceAll(/[^a-zA-Z0-9_:]/g, "_").replace(/^(?=[0-9])/, "_")
const labelName = (name: string) => name.replaceAll(/[^a-zA-Z0-9_]/g, "_").replace(/^(?=[0-9])/, "_")
const labelValue = (value: string) =>
  value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")
const help = (text: string) => text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")

const numberText = (value: number | bigint): string => {
  if (typeof value === "bigint" || Number.isFinite(value)) return String(value)
  return Number.isNaN(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf"
}

type Labels = ReadonlyArray<readonly [name: string, value: string]>

const sample = (name: string, labels: Labels, value: number | bigint): string => {
  const inside = labels.map(([key, text]) => `${labelName(key)}="${labelValue(text)}"`).join(",")
  return `${name}${inside === "" ? "" : `{${inside}}`} ${numberText(value)}`
}

interface Series {
  readonly type: "counter" | "gauge" | "histogram" | "summary"
  readonly lines: ReadonlyArray<string>
}

/** Effect's histogram buckets are cumulative; the last of them, without an end, is the count. */
const histogram = (name: string, labels: Labels, state: MetricState.MetricState.Histogram): Series => {
  const bounds = state.buckets.filter(([bound]) => Number.isFinite(bound) && bound < Number.MAX_VALUE)
  return {
    type: "histogram",
    lines: [
      ...bounds.map(([bound, count]) =>
        sample(`${name}_bucket`, [...labels, ["le", numberText(bound)]], count)
      ),
      sample(`${name}_bucket`, [...labels, ["le", "+Inf"]], state.count),
      sample(`${name}_sum`, labels, state.sum),
      sample(`${name}_count`, labels, state.count)
    ]
  }
}

const series = (name: string, labels: Labels, state: MetricState.MetricState<unknown>): Series | null => {
  if (MetricState.isCounterState(state))
    return { type: "counter", lines: [sample(name, labels, state.count)] }
  if (MetricState.isGaugeState(state)) return { type: "gauge", lines: [sample(name, labels, state.value)] }
  if (MetricState.isFrequencyState(state)) {
    return {
      type: "counter",
      lines: [...state.occurrences].map(([key, count]) => sample(name, [...labels, ["key", key]], count))
    }
  }
  if (MetricState.isHistogramState(state)) return histogram(name, labels, state)
  if (MetricState.isSummaryState(state)) {
    const quantiles = state.quantiles.flatMap(([quantile, value]) =>
      Option.isSome(value) ? [sample(name, [...labels, ["quantile", numberText(quantile)]], value.value)] : []
    )
    return {
      type: "summary",
      lines: [
        ...quantiles,
        sample(`${name}_sum`, labels, state.sum),
        sample(`${name}_count`, labels, state.count)
      ]
    }
  }
  return null
}

/** The Prometheus text exposition format, version 0.0.4: each metric's help, type and series together. */
export const format = (pairs: ReadonlyArray<MetricPair.MetricPair.Untyped>): string => {
  const families = new Map<string, { readonly head: ReadonlyArray<string>; readonly lines: Array<string> }>()
  for (const { metricKey, metricState } of pairs) {
    const name = nameOf(metricKey.name)
    const labels = [...(metricKey.tags as Iterable<MetricLabel.MetricLabel>)].map(
      ({ key, value }) => [key, value] as const
    )
    const found = series(name, labels, metricState)
    if (found === null) continue
    const head = Option.match(metricKey.description as Option.Option<string>, {
      onNone: () => [],
      onSome: (text) => [`# HELP ${name} ${help(text)}`]
    })
    const family = families.get(name) ?? { head: [...head, `# TYPE ${name} ${found.type}`], lines: [] }
    family.lines.push(...found.lines)
    families.set(name, family)
  }
  return [...families.values()].map(({ head, lines }) => [...head, ...lines, ""].join("\n")).join("")
}
