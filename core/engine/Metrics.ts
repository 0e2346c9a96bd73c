import { Metric } from "effect"

/** How often each of a few things happened: one counter a label, made once. */
const family = <Label extends string>(
  name: string,
  description: string,
  key: string,
  labels: ReadonlyArray<Label>
): Readonly<Record<Label, Metric.Metric.Counter<number>>> => {
  const counter = Metric.counter(name, { description, incremental: true })
  return Object.fromEntries(labels.map((label) => [label, Metric.tagged(counter, key, label)])) as Record<
    Label,
    Metric.Metric.Counter<number>
  >
}

export const callsPlaced = Metric.counter("outdial_calls_placed_total", {
  description: "Calls accepted",
  incremental: true
})

export const dials = family("outdial_dials_total", "Dials, by what the carrier answered", "result", [
  "accepted",
  "refused",
  "unreachable",
  "in_doubt"
])

export const deliveries = family(
  "outdial_webhook_deliveries_total",
  "Tries to deliver a webhook event, by what came of them",
  "result",
  ["acknowledged", "gone", "failed"]
)
