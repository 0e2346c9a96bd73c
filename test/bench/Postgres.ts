import { Context, Deferred, Duration, Effect, Either, Layer } from "effect"
import * as Secrets from "../../adapters/crypto/Secrets.ts"
import * as AgentSimulator from "../../adapters/memory/AgentSimulator.ts"
import * as NumberInventory from "../../adapters/memory/NumberInventory.ts"
import * as RateLimits from "../../adapters/memory/RateLimits.ts"
import * as RecordingStore from "../../adapters/memory/RecordingStore.ts"
import * as ScenarioGenerator from "../../adapters/memory/ScenarioGenerator.ts"
import * as TemplateRegistry from "../../adapters/memory/TemplateRegistry.ts"
import * as SignedLinks from "../../adapters/recordings/SignedLinks.ts"
import * as Simulated from "../../adapters/simulated/SimulatedCarrier.ts"
import * as SimulatedSender from "../../adapters/simulated/SimulatedSender.ts"
import * as TableReader from "../../adapters/tables/TableReader.ts"
import * as UseCases from "../../apps/wiring/UseCases.ts"
import { Agents } from "../../core/agents/Agents.ts"
import { Calls } from "../../core/calls/Calls.ts"
import { fromJson } from "../../core/calls/PlaceCall.ts"
import { Ids } from "../../core/Ids.ts"
import { PhoneNumbers } from "../../core/numbers/PhoneNumbers.ts"
import { Dispatcher } from "../../core/ports/Dispatcher.ts"
import { Repository } from "../../core/ports/Repository.ts"
import { WebhookSink } from "../../core/ports/WebhookSink.ts"
import { RunLimits } from "../../core/suites/RunLimits.ts"
import { Webhooks } from "../../core/webhooks/Webhooks.ts"
import { Credits } from "../../core/workspaces/Credits.ts"
import { Prices } from "../../core/workspaces/Prices.ts"
import { Workspaces } from "../../core/workspaces/Workspaces.ts"
import { binaries, freshDatabase, makeServer, onUrl } from "../adapters/sql/PostgresServer.ts"
import { body } from "./Platform.ts"
import * as Report from "./Report.ts"

const count = 10_000

class Received extends Context.Tag("outdial/bench/PostgresReceived")<
  Received,
  { readonly all: Effect.Effect<void> }
>() {}

/** A receiver that acknowledges at once, and tells when it has three events of each call. */
const receiver = Layer.effectContext(
  Effect.gen(function* () {
    const reached = yield* Deferred.make<void>()
    let received = 0
    const acknowledged = { _tag: "Acknowledged", status: 204 } as const
    const deliver = () =>
      Effect.sync(() => {
        received += 1
        if (received === 3 * count) Deferred.unsafeDone(reached, Effect.void)
        return acknowledged
      })
    return Context.make(WebhookSink, { deliver, vet: () => Effect.void }).pipe(
      Context.add(Received, { all: Deferred.await(reached) })
    )
  })
)

const others = Layer.mergeAll(
  Simulated.layer({ speed: Infinity }),
  SimulatedSender.layer({ speed: Infinity }),
  RecordingStore.layer(),
  SignedLinks.layer(),
  receiver,
  TableReader.layer,
  ScenarioGenerator.layer,
  AgentSimulator.layer,
  NumberInventory.layer,
  TemplateRegistry.layer,
  Secrets.layer
)

const untraced = Layer.setTracerEnabled(false)

/** The whole platform, with a carrier and a receiver that take no time. */
const running = (url: string) =>
  UseCases.layer.pipe(Layer.provideMerge(Layer.merge(onUrl(url), others)), Layer.provide(untraced))

/** The use cases without the loop: what is placed stays queued. */
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
        others
      )
    ),
    Layer.provide(untraced)
  )

const prepareWorkspace = (n: number) =>
  Effect.gen(function* () {
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

/** Places the calls in turn in so many workspaces; answers these and the seconds that the calls took. */
const place = (url: string, workspaces: number) =>
  Effect.gen(function* () {
    const prepared = yield* Effect.forEach(
      Array.from({ length: workspaces }, (_, n) => n),
      prepareWorkspace
    )
    const calls = yield* Calls
    const start = performance.now()
    yield* Effect.forEach(
      Array.from({ length: count }, (_, n) => prepared[n % workspaces]!),
      ({ id, request }) => calls.place(id, request),
      { concurrency: 256, discard: true }
    )
    return { ids: prepared.map(({ id }) => id), seconds: (performance.now() - start) / 1_000 }
  }).pipe(Effect.provide(resting(url)), Effect.orDie)

const drive = (url: string, ids: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const start = performance.now()
    yield* (yield* Received).all
    const seconds = (performance.now() - start) / 1_000
    const { calls } = yield* Repository
    const totals = yield* Effect.forEach(ids, (id) =>
      calls.list(id, { status: "completed" }, { limit: 1, offset: 0 })
    )
    const completed = totals.reduce((sum, { total }) => sum + total, 0)
    if (completed !== count) return yield* Effect.dieMessage(`${completed} of ${count} calls completed`)
    return seconds
  }).pipe(Effect.provide(running(url)), Effect.orDie)

/** Calls placed and driven to their end on PostgreSQL, in one workspace and in several at once. */
export const run = Effect.gen(function* () {
  Report.heading(`${count.toLocaleString("en-US")} calls on PostgreSQL, three webhook events each`)
  if (binaries === undefined) return Report.line("PostgreSQL", "not installed")
  const postgres = yield* makeServer({ durable: true })
  for (const workspaces of [1, 8]) {
    const { url } = yield* freshDatabase(postgres)
    const { ids, seconds } = yield* place(url, workspaces)
    const of = workspaces === 1 ? "one workspace" : `${workspaces} workspaces`
    Report.line(`placed, ${of}`, Report.perSecond(count, seconds))
    const driven = yield* drive(url, ids)
    Report.line(`driven to their end, ${of}`, Report.perSecond(count, driven))
  }
}).pipe(Effect.scoped)
