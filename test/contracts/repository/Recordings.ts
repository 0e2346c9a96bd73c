import { assert, describe } from "@effect/vitest"
import { assertNone, assertSome } from "@effect/vitest/utils"
import { Effect } from "effect"
import { deleted } from "../../../core/model/recordings/Recording.ts"
import type { KeptRecording } from "../../../core/ports/RecordingRows.ts"
import type { Check } from "./Check.ts"
import { makeRecording, other, page, start, ws } from "./Fixtures.ts"

export const recordingRows = (check: Check) => {
  describe("recordings and their audio", () => {
    check("come back as they were stored, to their workspace alone", ({ recordings }) =>
      Effect.gen(function* () {
        const recording = makeRecording(1)
        yield* recordings.insert(recording)
        assertSome(yield* recordings.get(ws, recording.id), recording)
        assertNone(yield* recordings.get(other, recording.id))
        assertNone(yield* recordings.get(ws, "rec_000009"))
      })
    )

    check("are stored once per session and carrier's id, listed by session", ({ recordings }) =>
      Effect.gen(function* () {
        const [first, second] = [makeRecording(1), makeRecording(2, { size_bytes: null, url: null })]
        assert.deepStrictEqual(yield* recordings.insert(first), [true])
        const together = [
          { ...first, id: "rec_000003" },
          second,
          { ...second, id: "rec_000004" },
          { ...first, id: "rec_000005", session_id: "sess_2" }
        ] as const
        assert.deepStrictEqual(yield* recordings.insert(...together), [false, true, false, true])
        const listed = { data: [second, first], total: 2 }
        assert.deepStrictEqual(yield* recordings.ofSession(ws, "sess_1", page), listed)
        assert.deepStrictEqual(yield* recordings.ofSession(ws, "sess_1", { limit: 1, offset: 1 }), {
          data: [first],
          total: 2
        })
        assertSome(yield* recordings.get(ws, "rec_000005"), together[3])
        assert.deepStrictEqual(yield* recordings.ofSession(other, "sess_1", page), { data: [], total: 0 })
      })
    )

    check("are erased once, and only by their workspace; the record stays", ({ recordings }) =>
      Effect.gen(function* () {
        const recording = makeRecording(1)
        yield* recordings.insert(recording)
        assert.isFalse(yield* recordings.erase(other, recording.id))
        assert.isFalse(yield* recordings.erase(ws, "rec_000009"))
        assertSome(yield* recordings.get(ws, recording.id), recording)
        assert.isTrue(yield* recordings.erase(ws, recording.id))
        assert.isFalse(yield* recordings.erase(ws, recording.id))
        assertSome(yield* recordings.get(ws, recording.id), deleted(recording))
        assert.deepStrictEqual(yield* recordings.ofSession(ws, "sess_1", page), {
          data: [deleted(recording)],
          total: 1
        })
        assert.deepStrictEqual(yield* recordings.insert({ ...recording, id: "rec_000002" }), [false])
      })
    )

    check(
      "are found by age in all workspaces, slice by slice, as long as they have audio",
      ({ recordings }) =>
        Effect.gen(function* () {
          const at = (n: number, customer_id: string, created_at: number) =>
            makeRecording(n, { customer_id, created_at })
          const first = at(4, other, start)
          const second = at(2, ws, start + 1)
          const twin = at(3, ws, start + 1)
          const last = at(1, ws, start + 5)
          const without = [
            makeRecording(5, { status: "failed", created_at: start }),
            makeRecording(6, { status: "deleted", created_at: start })
          ]
          for (const each of [last, twin, ...without, second, first]) yield* recordings.insert(each)
          const all = [first, second, twin, last]
          assert.deepStrictEqual(yield* recordings.kept(start + 5, null, 9), all)
          assert.deepStrictEqual(yield* recordings.kept(Number.MAX_SAFE_INTEGER, null, 2), all.slice(0, 2))
          assert.deepStrictEqual(yield* recordings.kept(start + 4, null, 9), all.slice(0, 3))
          assert.deepStrictEqual(yield* recordings.kept(start - 1, null, 9), [])
          const own = [second, twin, last]
          assert.deepStrictEqual(yield* recordings.keptOf(ws, start + 5, null, 9), own)
          assert.deepStrictEqual(yield* recordings.keptOf(ws, start + 4, null, 1), [second])
          assert.deepStrictEqual(yield* recordings.keptOf(ws, start + 5, second, 9), own.slice(1))
          assert.deepStrictEqual(yield* recordings.keptOf(other, start + 5, null, 9), [first])
          let after: KeptRecording | null = null
          for (const each of all) {
            const [next] = yield* recordings.kept(start + 5, after, 1)
            assert.deepStrictEqual(next, each)
            after = each
          }
          assert.deepStrictEqual(yield* recordings.kept(start + 5, after, 1), [])
          yield* recordings.erase(ws, second.id)
          assert.deepStrictEqual(yield* recordings.kept(start + 5, null, 9), [first, twin, last])
        })
    )

    check("have one secret for their links, the first that was offered", ({ recordings }) =>
      Effect.gen(function* () {
        const offered = Array.from({ length: 20 }, (_, i) => `secret ${i}`)
        const taken = yield* Effect.forEach(offered, recordings.secret, { concurrency: "unbounded" })
        assert.strictEqual(new Set(taken).size, 1)
        assert.include(offered, taken[0])
        assert.strictEqual(yield* recordings.secret("late"), taken[0])
      })
    )

    check("are erased with the unit that they are erased in, or not at all", ({ recordings, transaction }) =>
      Effect.gen(function* () {
        const recording = makeRecording(1)
        yield* recordings.insert(recording)
        const undone = Effect.zipRight(recordings.erase(ws, recording.id), Effect.fail("no"))
        yield* Effect.flip(transaction(ws, undone))
        assertSome(yield* recordings.get(ws, recording.id), recording)
        assert.deepStrictEqual(yield* recordings.kept(Number.MAX_SAFE_INTEGER, null, 9), [recording])
      })
    )
  })
}
