import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Context, Deferred, Duration, Effect, Either, Layer } from "effect"
import * as Secrets from "../../adapters/crypto/Secrets.ts"
import * as AgentSimulator from "../../adapters/memory/AgentSimulator.ts"
import * as NumberInventory from "../../adapters/memory/NumberInventory.ts"
import * as RateLimits from "../../adapters/memory/RateLimits.ts"
import * as ScenarioGenerator from "../../adapters/memory/ScenarioGenerator.ts"
import * as TableReader from "../../adapters/tables/TableReader.ts"
import * as RecordingStore from "../../adapters/memory/RecordingStore.ts"
import * as TemplateRegistry from "../../adapters/memory/TemplateRegistry.ts"
import * as SignedLinks from "../../adapters/recordings/SignedLinks.ts"
import * as Simulated from "../../adapters/simulated/SimulatedCarrier.ts"
import * as SimulatedSender from "../../adapters/simulated/SimulatedSender.ts"
import * as SqlRepository from "../../adapters/sql/Repository.ts"
import * as Sqlite from "../../adapters/sql/Sqlite.ts"
import * as UseCases from "../../apps/wiring/UseCases.ts"
import { Agents } from "../../core/agents/Agents.ts"
import { Calls } from "../../core/calls/Calls.ts"
import { fromJson } from "../../core/calls/PlaceCall.ts"
import { Ids } from "../../core/Ids.ts"
import { PhoneNumbers } from "../../core/numbers/PhoneNumbers.ts"
import { Dispatcher } from "../../core/ports/Dispatcher.ts"
import { WebhookSink } from "../../core/ports/WebhookSink.ts"
import { RunLimits } from "../../core/suites/RunLimits.ts"
import { Webhooks } from "../../core/webhooks/Webhooks.ts"
import { Credits } from "../../core/workspaces/Credits.ts"
import { Prices } from "../../core/workspaces/Prices.ts"
import { allScopes } from "../../core/workspaces/Principal.ts"
import { Workspaces } from "../../core/workspaces/Workspaces.ts"

export const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "outdial-bench-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

export const key = "od_live_bench_0123456789abcdef0123456789abcdef"

const store = (filename: string) => Layer.provide(SqlRepository.layer, Sqlite.layer({ filename }))

/** How many events have arrived; a receiver that acknowledges at once and keeps nothing. */
export class Received extends Context.Tag("outdial/bench/Received")<
  Received,
  { readonly awaitCount: (count: number) => Effect.Effect<void> }
>() {}

const receiver = Layer.effectContext(
  Effect.gen(function* () {
    const reached = yield* Deferred.make<void>()
    let received = 0
    let wanted = Infinity
    const acknowledged = { _tag: "Acknowledged", status: 204 } as const
    const sink = WebhookSink.of({
      deliver: () =>
        Effect.sync(() => {
          received += 1
          if (received === wanted) Deferred.unsafeDone(reached, Effect.void)
          return acknowledged
        }),
      vet: () => Effect.void
    })
    const awaitCount = (count: number) =>
      Effect.suspend(() => {
        wanted = count
        return received >= count ? Effect.void : Deferred.await(reached)
      })
    return Context.make(WebhookSink, sink).pipe(Context.add(Received, { awaitCount }))
  })
)

const others = Layer.mergeAll(
  Simulated.layer({ speed: Infinity }),
  SimulatedSender.layer({ speed: Infinity }),
  receiver,
  TableReader.layer,
  ScenarioGenerator.layer,
  AgentSimulator.layer,
  NumberInventory.layer,
  TemplateRegistry.layer,
  RecordingStore.layer(),
  SignedLinks.layer(),
  Secrets.layer
)

/** The whole platform on a file, with a carrier and a receiver that take no time. */
export const running = (filename: string) =>
  UseCases.layer.pipe(
    Layer.provideMerge(Layer.merge(store(filename), others)),
    Layer.provide(Layer.setTracerEnabled(false))
  )

/** The use cases without the loop: what is placed stays queued. */
const resting = (filename: string) =>
  UseCases.useCases.pipe(
    Layer.provide(
      Layer.mergeAll(
        Prices.layer({ minute: 1, message: 1, scenario: 1, turn: 1 }),
        Ids.layer,
        RunLimits.layer({ concurrency: 50, deadline: Duration.hours(1) }),
        RateLimits.layer({ limit: 10, window: Duration.minutes(1) }),
        Layer.succeed(Dispatcher, { wake: () => Effect.void }),
        store(filename),
        others
      )
    ),
    Layer.provide(Layer.setTracerEnabled(false))
  )

export interface Seed {
  readonly workspace_id: string
  readonly agent_id: string
}

/** Fills a new database: one workspace, one webhook, and `queued` calls. */
export const seed = (
  filename: string,
  queued: number,
  caps: { readonly max_concurrency: number; readonly calls_per_second: number }
) =>
  Effect.gen(function* () {
    const workspaces = yield* Workspaces
    const workspace = yield* workspaces.create({ name: "Bench", ...caps })
    yield* workspaces.createKey(workspace.id, { name: "bench", scopes: allScopes, key })
    const agents = yield* Agents
    const agent = yield* agents.create(workspace.id, {
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
    yield* agents.update(workspace.id, agent.id, { published: true })
    yield* (yield* PhoneNumbers).add(workspace.id, { number: "+14155550100", label: null })
    yield* (yield* Credits).topUp(workspace.id, 1_000_000_000, null)
    yield* (yield* Webhooks).create(workspace.id, { url: "https://example.com/hook", event_types: [] })
    const calls = yield* Calls
    const request = Either.getOrThrow(fromJson(body(agent.id, null)))
    yield* Effect.forEach(Array.from({ length: queued }), () => calls.place(workspace.id, request), {
      concurrency: 256,
      discard: true
    })
    return { workspace_id: workspace.id, agent_id: agent.id } satisfies Seed
  }).pipe(Effect.provide(resting(filename)), Effect.orDie)

/** The body of `POST /calls` that all benchmarks send. */
export const body = (agent_id: string, idempotency_key: string | null) =>
  JSON.stringify({
    agent_id,
    to_number: "+14155550123",
    callee_name: "Ada Lovelace",
    custom_variables: { name: "Ada", order: 1234 },
    metadata: { order: 1234, source: "bench" },
    ...(idempotency_key === null ? {} : { idempotency_key })
  })
