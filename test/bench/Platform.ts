import { Context, Deferred, Effect, Either, Layer } from "effect"
import { join } from "node:path"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import * as Simulated from "../../adapters/simulated/SimulatedCarrier.ts"
import * as SimulatedSender from "../../adapters/simulated/SimulatedSender.ts"
import * as SqlRepository from "../../adapters/sql/Repository.ts"
import * as Sqlite from "../../adapters/sql/sqlite/Sqlite.ts"
import { inMemory } from "../../apps/platform/InMemory.ts"
import { platform } from "../../apps/platform/Platform.ts"
import { CarrierReports } from "../../core/engine/CarrierReports.ts"
import { fromJson } from "../../core/model/calls/PlaceCall.ts"
import { allScopes } from "../../core/model/workspaces/Principal.ts"
import { Dispatcher } from "../../core/ports/Dispatcher.ts"
import type { Repository } from "../../core/ports/Repository.ts"
import { WebhookSink } from "../../core/ports/WebhookSink.ts"
import { Agents } from "../../core/usecases/Agents.ts"
import { Calls } from "../../core/usecases/Calls.ts"
import { Credits } from "../../core/usecases/Credits.ts"
import { PhoneNumbers } from "../../core/usecases/PhoneNumbers.ts"
import { Webhooks } from "../../core/usecases/Webhooks.ts"
import { Workspaces } from "../../core/usecases/Workspaces.ts"

export const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "outdial-bench-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

export const key = "od_live_bench_0123456789abcdef0123456789abcdef"

/** A store in a file. */
export const onFile = (filename: string) => Layer.provide(SqlRepository.layer, Sqlite.layer({ filename }))

type Store = Layer.Layer<Repository, unknown>

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

const carrier = Simulated.layer({ speed: Infinity })

/** A carrier, a provider of messages and a receiver that take no time. */
export const timeless = {
  ...inMemory,
  carrier,
  sender: SimulatedSender.layer({ speed: Infinity }),
  sink: receiver
}

/** The whole platform, in which nothing but the platform itself takes time. */
export const running = <E>(store: Layer.Layer<Repository, E>) =>
  platform({ ...timeless, store }).pipe(
    // What the platform uses of these is looked into: a layer is built once.
    Layer.provideMerge(Layer.merge(carrier, receiver)),
    Layer.provide(CarrierReports.layer),
    Layer.provide(Layer.setTracerEnabled(false))
  )

/** The use cases without the loop: what is placed stays queued. */
export const resting = (store: Store) =>
  Layer.provide(
    platform({ ...timeless, store, dispatcher: Layer.succeed(Dispatcher, { wake: () => Effect.void }) }),
    Layer.setTracerEnabled(false)
  )

export interface Seed {
  readonly workspace_id: string
  readonly agent_id: string
}

interface Caps {
  readonly max_concurrency: number
  readonly calls_per_second: number
}

/** A workspace with all that a call needs, and one webhook. */
export const workspaceWith = Effect.fnUntraced(function* (caps: Caps) {
  const { id } = yield* (yield* Workspaces).create({ name: "Bench", ...caps })
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
  return { workspace_id: id, agent_id: agent.id } satisfies Seed
})

/** Places calls, in the workspaces in turn, none of which is dialled; answers the seconds that it took. */
const placed = Effect.fnUntraced(function* (seeds: ReadonlyArray<Seed>, count: number) {
  const calls = yield* Calls
  const requests = seeds.map(({ agent_id }) => Either.getOrThrow(fromJson(body(agent_id, null))))
  const start = performance.now()
  yield* Effect.forEach(
    Array.from({ length: count }, (_, n) => n % seeds.length),
    (turn) => calls.place(seeds[turn]!.workspace_id, requests[turn]!),
    { concurrency: 256, discard: true }
  )
  return (performance.now() - start) / 1_000
})

/** Fills a new store: workspaces, and calls in them that no process dials yet. */
export const seedMany = (store: Store, workspaces: number, queued: number, caps: Caps) =>
  Effect.gen(function* () {
    const seeds = yield* Effect.replicateEffect(workspaceWith(caps), workspaces)
    return { seeds, seconds: yield* placed(seeds, queued) }
  }).pipe(Effect.provide(resting(store)), Effect.orDie)

/** Fills a new store in a file: one workspace, whose key is `key`, with its calls. */
export const seed = (filename: string, queued: number, caps: Caps) =>
  Effect.gen(function* () {
    const seed = yield* workspaceWith(caps)
    yield* (yield* Workspaces).createKey(seed.workspace_id, { name: "bench", scopes: allScopes, key })
    yield* placed([seed], queued)
    return seed
  }).pipe(Effect.provide(resting(onFile(filename))), Effect.orDie)

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
