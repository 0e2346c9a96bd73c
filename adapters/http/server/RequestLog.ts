import { Effect, FiberRef, LogLevel } from "effect"
import type { Exchange } from "../contract/RequestContext.ts"

const probes: ReadonlySet<string | null> = new Set(["/health/live", "/health/ready"])

/** Probes come every few seconds: they are no ordinary lines. */
const levelOf = ({ route }: Exchange) => (probes.has(route) ? LogLevel.Debug : LogLevel.Info)

/** Whether the line of a request reaches any logger. */
export const isShown = (
  refs: { readonly getFiberRef: <A>(ref: FiberRef.FiberRef<A>) => A },
  exchange: Exchange
): boolean => LogLevel.lessThanEqual(refs.getFiberRef(FiberRef.currentMinimumLogLevel), levelOf(exchange))

/** One line per request. It holds ids and the route's template: no address, no query, no body, no key. */
export const line = (exchange: Exchange, status: number, duration_ms: number): Effect.Effect<void> =>
  Effect.annotateLogs(Effect.logWithLevel(levelOf(exchange), "request"), {
    method: exchange.method,
    route: exchange.route ?? "unmatched",
    status,
    duration_ms: Math.round(duration_ms * 1_000) / 1_000,
    request_id: exchange.request_id,
    workspace_id: exchange.workspace_id
  })
