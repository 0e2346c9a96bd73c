import { Client } from "pg"
import { Effect, Layer, Logger, LogLevel } from "effect"
import { dispatcher, rateLimits } from "../../../apps/platform/Dispatch.ts"
import { platform } from "../../../apps/platform/Platform.ts"
import * as Store from "../../../apps/platform/Store.ts"
import { WebhookSink } from "../../../core/ports/WebhookSink.ts"
import { timeless } from "../Platform.ts"
import { counter } from "./Count.ts"

const done = counter()

/** A receiver that acknowledges at once. */
const sink = Layer.sync(WebhookSink, () => ({
  deliver: () => Effect.sync(() => (done(), { _tag: "Acknowledged", status: 204 } as const)),
  vet: () => Effect.void
}))

/** The statements that are sent, by kind; those of the cluster, which come as time goes by, are among them. */
const trace = () => {
  const counts: Record<string, number> = {}
  const prototype = Client.prototype as unknown as { query: (...args: ReadonlyArray<unknown>) => unknown }
  const { query } = prototype
  prototype.query = function (this: unknown, ...args) {
    const text = String((args[0] as { readonly text?: unknown } | undefined)?.text ?? args[0])
    for (const statement of text.split("; ")) {
      const kind = /^\s*(\w+)/.exec(statement)?.[1]?.toLowerCase() ?? ""
      const name = /pg_advisory|pg_logical|outdial_cluster/.test(statement) ? "control" : kind
      counts[name] = (counts[name] ?? 0) + 1
    }
    return query.apply(this, args as Array<unknown>)
  }
  setInterval(() => process.stdout.write(`trace ${JSON.stringify(counts)}\n`), 200)
}

const queue = platform({ ...timeless, store: Store.layer, dispatcher, rateLimits, sink }).pipe(
  Layer.provide(Layer.setTracerEnabled(false)),
  Layer.provide(Logger.minimumLogLevel(LogLevel.Warning))
)

if (process.env["BENCH_TRACE"] !== undefined) trace()
await Effect.runPromise(
  Effect.scoped(
    Effect.zipRight(
      Layer.build(queue),
      Effect.zipRight(
        Effect.sync(() => process.stdout.write("ready\n")),
        Effect.never
      )
    )
  )
)
