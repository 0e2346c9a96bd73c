import * as HttpLayerRouter from "@effect/platform/HttpLayerRouter"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import { Effect, Metric, MetricBoundaries, MetricLabel } from "effect"
import type { Exchange } from "../contract/RequestContext.ts"
import * as Prometheus from "./Prometheus.ts"

const requests = Metric.counter("http_requests_total", {
  description: "HTTP requests answered, by route template, method and status",
  incremental: true
})

const durations = Metric.histogram(
  "http_request_duration_seconds",
  MetricBoundaries.fromIterable([
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60
  ]),
  "How long HTTP requests took to answer, by route template and method"
)

interface Labels {
  readonly request: ReadonlyArray<MetricLabel.MetricLabel>
  readonly duration: ReadonlyArray<MetricLabel.MetricLabel>
}

/** Metrics find their hooks by the identity of the label arrays: one pair per route, method and status. */
const known = new Map<string, Labels>()

const labelsOf = (route: string, method: string, status: number): Labels => {
  const key = `${method} ${status} ${route}`
  const found = known.get(key)
  if (found !== undefined) return found
  const duration = [MetricLabel.make("route", route), MetricLabel.make("method", method)]
  const labels = { request: [...duration, MetricLabel.make("status", String(status))], duration }
  known.set(key, labels)
  return labels
}

/** Counts an answered request. */
export const observe = ({ method, route }: Exchange, status: number, duration_ms: number): void => {
  const labels = labelsOf(route ?? "unmatched", method, status)
  requests.unsafeUpdate(1, labels.request)
  durations.unsafeUpdate(duration_ms / 1_000, labels.duration)
}

/** What the runtime counts of its own fibers. */
const ofRuntime = "effect_"

/**
 * `GET /metrics`: every metric of the process, in the Prometheus text format.
 *
 * @param runtime whether those that the runtime keeps of its own fibers are among them
 */
export const layer = (runtime: boolean) =>
  HttpLayerRouter.add(
    "GET",
    "/metrics",
    Effect.map(Metric.snapshot, (pairs) =>
      HttpServerResponse.text(
        Prometheus.format(
          runtime ? pairs : pairs.filter(({ metricKey }) => !metricKey.name.startsWith(ofRuntime))
        ),
        { contentType: "text/plain; version=0.0.4; charset=utf-8" }
      )
    )
  )
