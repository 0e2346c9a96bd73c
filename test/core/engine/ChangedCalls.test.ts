import { Effect, Layer, TestClock } from "effect"
import { assert, describe, it } from "@effect/vitest"
import * as MemoryRepository from "../../../adapters/memory/Repository.ts"
import { CarrierLedger } from "../../../adapters/simulated/CarrierLedger.ts"
import { WebhookInbox } from "../../../adapters/simulated/WebhookInbox.ts"
import type { Call } from "../../../core/model/calls/Call.ts"
import { Repository } from "../../../core/ports/Repository.ts"
import { Calls } from "../../../core/usecases/Calls.ts"
import { Campaigns } from "../../../core/usecases/Campaigns.ts"
import { Credits } from "../../../core/usecases/Credits.ts"
import * as Platform from "../../Platform.ts"

/** A store in which someone else is faster with every third update of calls: with the last of those that come together. */
const contended = Layer.effect(
  Repository,
  Effect.map(Repository, (repository) => {
    let updates = 0
    return Repository.of({
      ...repository,
      calls: {
        ...repository.calls,
        update: (...all) => {
          if (updates++ % 3 !== 0) return repository.calls.update(...all)
          const [first, ...others] = all.slice(0, -1)
          return Effect.as(
            first === undefined ? Effect.void : repository.calls.update(first, ...others),
            false
          )
        }
      }
    })
  })
).pipe(Layer.provide(MemoryRepository.layer))

const count = 40

/** What a receiver was told of each call, in the order in which it was told. */
const told = Effect.gen(function* () {
  const entries = yield* (yield* WebhookInbox).entries
  const byCall = new Map<string, Array<string>>()
  for (const { message } of entries) {
    const { call_id, event_type } = JSON.parse(message.body) as Record<string, string>
    if (call_id) byCall.set(call_id, [...(byCall.get(call_id) ?? []), event_type!])
  }
  return byCall
})

const ended = Effect.fnUntraced(function* (workspace_id: string) {
  const page = { limit: 100, offset: 0 }
  const { data } = yield* (yield* Calls).list(workspace_id, { status: "completed" }, page)
  return data
})

const prices = (calls: ReadonlyArray<Call>) => calls.reduce((total, { credits }) => total + credits, 0)

/** Each call was dialled once, told of once, and paid for once. */
const assertOnce = Effect.fnUntraced(function* (workspace_id: string) {
  const calls = yield* ended(workspace_id)
  assert.strictEqual(calls.length, count)
  const { dials, repeated } = yield* (yield* CarrierLedger).counts
  assert.deepStrictEqual({ dials, repeated }, { dials: count, repeated: 0 })
  for (const { attempt_count } of calls) assert.strictEqual(attempt_count, 1)
  const events = yield* told
  for (const { call_id } of calls) {
    assert.deepStrictEqual(events.get(call_id), ["call_started", "call_completed", "recording_completed"])
  }
  assert.strictEqual(yield* (yield* Credits).balance(workspace_id), 1_000 - prices(calls))
})

describe("calls that someone else changes while steps of them are stored", () => {
  it.scoped("are dialled and told of once, as calls of their own", () =>
    Effect.gen(function* () {
      const tenant = yield* Platform.tenant()
      yield* Effect.forEach(Platform.callees(count, "0123"), (to_number) =>
        Platform.place(tenant, "0123", { to_number })
      )
      yield* TestClock.adjust("5 minutes")
      yield* assertOnce(tenant.workspace.id)
    }).pipe(Effect.provide(Platform.layerOf({ store: contended })))
  )

  it.scoped("are dialled and told of once, as calls of a campaign", () =>
    Effect.gen(function* () {
      const tenant = yield* Platform.tenant()
      const { id } = yield* Platform.campaign(tenant, Platform.callees(count, "0123"))
      const campaigns = yield* Campaigns
      yield* campaigns.start(tenant.workspace.id, id)
      yield* TestClock.adjust("5 minutes")
      yield* assertOnce(tenant.workspace.id)
      const { counters } = yield* campaigns.get(tenant.workspace.id, id)
      assert.deepInclude(counters, { completed: count, pending: 0, in_progress: 0, attempts: count })
    }).pipe(Effect.provide(Platform.layerOf({ store: contended })))
  )
})
