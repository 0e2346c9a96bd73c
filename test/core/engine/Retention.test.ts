import { Effect, Layer, Logger, Option, TestClock } from "effect"
import { assert, describe, it } from "@effect/vitest"
import * as MemoryRecordings from "../../../adapters/memory/RecordingStore.ts"
import * as MemoryRepository from "../../../adapters/memory/Repository.ts"
import * as Housekeeping from "../../../core/engine/Housekeeping.ts"
import * as Retention from "../../../core/engine/Retention.ts"
import { day, hour, minute } from "../../../core/model/Codecs.ts"
import { RecordingStore } from "../../../core/ports/RecordingStore.ts"
import { Repository, StoreUnavailable } from "../../../core/ports/Repository.ts"
import { source } from "../../contracts/RecordingStore.ts"
import {
  makeAttempt,
  makeCall,
  makeDelivery,
  makeEvent,
  makeRecipient,
  makeRecording,
  makeSession,
  makeState,
  makeWorkspace,
  other,
  start,
  ws
} from "../../contracts/repository/Fixtures.ts"

const layer = Layer.merge(MemoryRepository.layer, MemoryRecordings.layer(source))

/** Stores a recording with its audio. */
const keep = Effect.fnUntraced(function* (n: number, created_at: number, customer_id = ws) {
  const recording = makeRecording(n, { url: null, created_at, customer_id })
  yield* (yield* Repository).recordings.insert(recording)
  yield* (yield* RecordingStore).bring(recording)
  return recording
})

const stateOf = Effect.fnUntraced(function* ({ customer_id, id }: { customer_id: string; id: string }) {
  const row = yield* (yield* Repository).recordings.get(customer_id, id)
  const audio = yield* (yield* RecordingStore).find(customer_id, id)
  return [Option.getOrThrow(row).status, Option.isSome(audio)] as const
})

const there = ["completed", true] as const
const gone = ["deleted", false] as const

describe("retention", () => {
  it.scoped("deletes the recordings of all workspaces when their days are over, and not before", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const first = yield* keep(1, start)
      const foreign = yield* keep(2, start + hour, other)
      const later = yield* keep(3, start + 5 * day)
      yield* Layer.build(Retention.layer(30))
      yield* TestClock.adjust(30 * day - 1)
      assert.deepStrictEqual(yield* stateOf(first), there)
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(yield* stateOf(first), gone)
      assert.deepStrictEqual(yield* stateOf(foreign), there)
      yield* TestClock.adjust(hour)
      assert.deepStrictEqual(yield* stateOf(foreign), gone)
      assert.deepStrictEqual(yield* stateOf(later), there)
      const made = yield* keep(4, start + 30 * day)
      yield* TestClock.adjust(5 * day)
      assert.deepStrictEqual(yield* stateOf(later), gone)
      assert.deepStrictEqual(yield* stateOf(made), there)
      yield* TestClock.adjust(30 * day)
      assert.deepStrictEqual(yield* stateOf(made), gone)
    }).pipe(Effect.provide(layer))
  )

  it.scoped("erases what was said in conversations when their days are over, and not before", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const { sessions } = yield* Repository
      const talked = makeSession(1, { status: "over", ended_at: start })
      const foreign = makeSession(2, { status: "over", ended_at: start + hour, customer_id: other })
      const open = makeSession(3)
      const all = [talked, foreign, open]
      for (const { customer_id, session_id } of all) {
        yield* sessions.append(customer_id, session_id, { number: 1, body: "[]" })
      }
      yield* Effect.forEach(all, sessions.insert)
      const slices = Effect.forEach(all, ({ customer_id, session_id }) =>
        Effect.map(sessions.slices(customer_id, session_id, 0, 9), ({ length }) => length)
      )
      yield* Layer.build(Retention.layer(30))
      yield* TestClock.adjust(30 * day - 1)
      assert.deepStrictEqual(yield* slices, [1, 1, 1])
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(yield* slices, [0, 1, 1])
      yield* TestClock.adjust(60 * day)
      assert.deepStrictEqual(yield* slices, [0, 0, 1])
    }).pipe(Effect.provide(layer))
  )

  it.scoped("clears what an earlier life has left, however much it is", () =>
    Effect.gen(function* () {
      const old = yield* Effect.forEach(
        Array.from({ length: 250 }, (_, i) => i),
        (i) => keep(i + 1, start + (i % 3))
      )
      yield* TestClock.setTime(start + 3 * day)
      yield* Layer.build(Retention.layer(1))
      yield* TestClock.adjust(1)
      for (const each of old) assert.deepStrictEqual(yield* stateOf(each), gone)
    }).pipe(Effect.provide(layer))
  )

  it.scoped("goes on past one that cannot be deleted, and tries that again a minute later", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start + 2 * day)
      const stuck = yield* keep(1, start)
      const next = yield* keep(2, start + 1)
      let broken = true
      const inner = yield* RecordingStore
      const store = Layer.succeed(RecordingStore, {
        ...inner,
        remove: (recording) =>
          broken && recording.id === stuck.id
            ? Effect.die(new StoreUnavailable({ cause: "the disk" }))
            : inner.remove(recording)
      })
      yield* Layer.build(Layer.provide(Retention.layer(1), store))
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(yield* stateOf(stuck), there)
      assert.deepStrictEqual(yield* stateOf(next), gone)
      broken = false
      yield* TestClock.adjust(minute)
      assert.deepStrictEqual(yield* stateOf(stuck), gone)
    }).pipe(Effect.provide(Layer.merge(layer, Logger.remove(Logger.defaultLogger))))
  )

  it.scoped("waits for a store that is away", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start + 2 * day)
      const old = yield* keep(1, start)
      const repository = yield* Repository
      let away = true
      const flaky = Layer.succeed(Repository, {
        ...repository,
        recordings: {
          ...repository.recordings,
          kept: (until, after, limit) =>
            away
              ? Effect.die(new StoreUnavailable({ cause: "the store" }))
              : repository.recordings.kept(until, after, limit)
        }
      })
      yield* Layer.build(Layer.provide(Retention.layer(1), flaky))
      yield* TestClock.adjust(5 * minute)
      assert.deepStrictEqual(yield* stateOf(old), there)
      away = false
      yield* TestClock.adjust(minute)
      assert.deepStrictEqual(yield* stateOf(old), gone)
    }).pipe(Effect.provide(Layer.merge(layer, Logger.remove(Logger.defaultLogger))))
  )
})

describe("what a workspace keeps for so many days", () => {
  const days = { recording_retention_days: 3, transcript_retention_days: 5, call_retention_days: 9 }

  it.scoped("goes within an hour of its time, and what another workspace has stays", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const { workspaces, ...repository } = yield* Repository
      yield* workspaces.insert(makeWorkspace(days))
      yield* workspaces.insert(makeWorkspace({ ...days, id: other, recording_retention_days: null }))
      const recording = yield* keep(1, start)
      const foreign = yield* keep(2, start, other)
      const talk = makeSession(1, { status: "over", ended_at: start })
      yield* repository.sessions.insert(talk)
      yield* repository.sessions.append(ws, talk.session_id, { number: 1, body: "[]" })
      const slices = repository.sessions.slices(ws, talk.session_id, 0, 9)
      yield* Layer.build(Housekeeping.layer)
      yield* TestClock.adjust(3 * day - hour)
      assert.deepStrictEqual(yield* stateOf(recording), there)
      yield* TestClock.adjust(hour)
      assert.deepStrictEqual(yield* stateOf(recording), gone)
      assert.deepStrictEqual(yield* stateOf(foreign), there)
      yield* TestClock.adjust(2 * day - hour)
      assert.lengthOf(yield* slices, 1)
      yield* TestClock.adjust(hour)
      assert.lengthOf(yield* slices, 0)
      assert.deepStrictEqual(yield* stateOf(foreign), there)
    }).pipe(Effect.provide(layer))
  )

  it.scoped("takes what is personal of a call, with its recipient, its recordings and its deliveries", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const { attempts, calls, campaigns, deliveries, recipients, workspaces } = yield* Repository
      yield* workspaces.insert(makeWorkspace({ ...days, recording_retention_days: null }))
      yield* campaigns.insert(makeState(1))
      const of = { campaign_id: "camp_000001", recipient_id: "rcpt_000001" }
      const done = { phase: "done", status: "completed", outcome: "answered", completed_at: start } as const
      const over = makeCall(1, { ...of, ...done, callee_name: "Ada", credits: 3, idempotency_key: null })
      const open = makeCall(2, { ...of, recipient_id: "rcpt_000002", idempotency_key: null })
      const earlier = makeCall(3, { ...done, ...of, recipient_id: "rcpt_000002", idempotency_key: null })
      for (const call of [over, open, earlier]) yield* calls.insert(call)
      yield* recipients.insert([
        makeRecipient(1, { status: "completed", call_id: over.call_id }),
        makeRecipient(2, { status: "in_progress", call_id: open.call_id })
      ])
      yield* attempts.insert(makeAttempt(1, { call_id: over.call_id, session_id: "sess_1" }))
      const recording = yield* keep(1, start)
      yield* deliveries.append([
        {
          event: makeEvent(1, { created_at: start }),
          deliveries: [makeDelivery(1, { created_at: start, status: "delivered", next_attempt_at: null })]
        }
      ])
      const callOf = (id: string) => Effect.map(calls.get(ws, id), Option.getOrThrow)
      const numbers = Effect.forEach(["rcpt_000001", "rcpt_000002"], (id) =>
        Effect.map(
          recipients.get(ws, of.campaign_id, id),
          (found) => Option.getOrThrow(found).phone_number !== ""
        )
      )
      yield* Layer.build(Housekeeping.layer)
      yield* TestClock.adjust(9 * day - hour)
      assert.deepStrictEqual(yield* callOf(over.call_id), over)
      yield* TestClock.adjust(hour)
      const { callee_name, credits, outcome, to_number } = yield* callOf(over.call_id)
      assert.deepStrictEqual([to_number, callee_name, outcome, credits], ["", null, "answered", 3])
      assert.deepStrictEqual(yield* stateOf(recording), gone)
      assert.strictEqual((yield* callOf(earlier.call_id)).to_number, "")
      assert.deepStrictEqual(yield* callOf(open.call_id), open)
      assert.deepStrictEqual(yield* numbers, [false, true])
      assert.isTrue(Option.isNone(yield* deliveries.bodies(ws, makeDelivery(1).id)))
    }).pipe(Effect.provide(layer))
  )
})
