import { Duration, Effect, Either, Layer } from "effect"
import * as RateLimits from "../../../adapters/memory/RateLimits.ts"
import * as UseCases from "../../../apps/wiring/UseCases.ts"
import { Agents } from "../../../core/agents/Agents.ts"
import { Calls } from "../../../core/calls/Calls.ts"
import { fromJson } from "../../../core/calls/PlaceCall.ts"
import { Ids } from "../../../core/Ids.ts"
import { PhoneNumbers } from "../../../core/numbers/PhoneNumbers.ts"
import { Dispatcher } from "../../../core/ports/Dispatcher.ts"
import { WebhookSink } from "../../../core/ports/WebhookSink.ts"
import { RunLimits } from "../../../core/suites/RunLimits.ts"
import { Webhooks } from "../../../core/webhooks/Webhooks.ts"
import { Credits } from "../../../core/workspaces/Credits.ts"
import { Prices } from "../../../core/workspaces/Prices.ts"
import { Workspaces } from "../../../core/workspaces/Workspaces.ts"
import { onUrl } from "../../adapters/sql/PostgresServer.ts"
import { body } from "../Platform.ts"
import { others } from "./Others.ts"

const nobody = Layer.succeed(WebhookSink, {
  deliver: () => Effect.dieMessage("nothing is delivered yet"),
  vet: () => Effect.void
})

/** The use cases without the loops: what is placed stays queued. */
const resting = (url: string) =>
  UseCases.useCases.pipe(
    Layer.provide(
      Layer.mergeAll(
        Prices.layer({ minute: 1, message: 1, scenario: 1, turn: 1 }),
        Ids.layer,
        RunLimits.layer({ concurrency: 50, deadline: Duration.hours(1) }),
        RateLimits.layer({ limit: 10, window: Duration.minutes(1) }),
        Layer.succeed(Dispatcher, { wake: () => Effect.void }),
        onUrl(url),
        nobody,
        others
      )
    ),
    Layer.provide(Layer.setTracerEnabled(false))
  )

const workspace = Effect.fnUntraced(function* (n: number) {
  const { id } = yield* (yield* Workspaces).create({
    name: `Bench ${n}`,
    max_concurrency: 1_000,
    calls_per_second: 100_000
  })
  const agents = yield* Agents
  const agent = yield* agents.create(id, {
    name: "Agent",
    channel: "voice",
    prompt: "Call {{name}} about order {{order}}",
    first_message: "Hello {{name}}",
    voice: "default",
    language: "en-US",
    idle_timeout_warning: 10,
    idle_timeout_end: 30,
    max_call_length: 600
  })
  yield* agents.update(id, agent.id, { published: true })
  yield* (yield* PhoneNumbers).add(id, { number: "+14155550100", label: null })
  yield* (yield* Credits).topUp(id, 1_000_000_000, null)
  yield* (yield* Webhooks).create(id, { url: "https://example.com/hook", event_types: [] })
  return { id, request: Either.getOrThrow(fromJson(body(agent.id, null))) }
})

/** Places so many calls in so many workspaces, one after the other in turn; none is dialled. */
export const seed = (url: string, count: number, workspaces: number) =>
  Effect.gen(function* () {
    const prepared = yield* Effect.forEach(
      Array.from({ length: workspaces }, (_, n) => n),
      workspace
    )
    const calls = yield* Calls
    yield* Effect.forEach(
      Array.from({ length: count }, (_, n) => prepared[n % workspaces]!),
      ({ id, request }) => calls.place(id, request),
      { concurrency: 256, discard: true }
    )
  }).pipe(Effect.provide(resting(url)), Effect.orDie)
