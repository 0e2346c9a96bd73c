import { Effect, FiberRef, LogLevel } from "effect"
import type { Exchange } from "../contract/RequestContext.ts"

/** Whether lines of a level reach any logger. */
export const isShown = (refs: { readonly getFiberRef: <A>(ref: FiberRef.FiberRef<A>) => A }): boolean =>
  LogLevel.lessThanEqual(refs.getFiberRef(FiberRef.currentMinimumLogLevel), LogLevel.Info)

/** One line per request. It holds ids and the route's template: no address, no query, no body, no key. */
export const line = (exchange: Exchange, status: number, duration_ms: number): Effect.Effect<void> =>
  Effect.annotateLogs(Effect.logInfo("request"), {
    method: exchange.method,
    route: exchange.route ?? "unmatched",
    status,
    duration_ms: Math.round(duration_ms * 1_000) / 1_000,
    request_id: exchange.request_id,
    workspace_id: exchange.workspace_id
  })
