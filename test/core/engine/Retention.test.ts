import { Effect, Layer, Logger, Option, TestClock } from "effect"
import { assert, describe, it } from "@effect/vitest"
import * as MemoryRecordings from "../../../adapters/memory/RecordingStore.ts"
import * as MemoryRepository from "../../../adapters/memory/Repository.ts"
import * as Retention from "../../../core/engine/Retention.ts"
import { day, hour, minute } from "../../../core/model/Codecs.ts"
import { RecordingStore } from "../../../core/ports/RecordingStore.ts"
import { Repository, StoreUnavailable } from "../../../core/ports/Repository.ts"
import { source } from "../../contracts/RecordingStore.ts"
import { makeRecording, makeSession, other, start, ws } from "../../contracts/repository/Fixtures.ts"

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
