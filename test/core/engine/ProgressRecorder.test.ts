import { Effect, Layer, Option } from "effect"
import { assert, describe, it } from "@effect/vitest"
import * as MemoryRepository from "../../../adapters/memory/Repository.ts"
import { makeProgressRecorder } from "../../../core/engine/ProgressRecorder.ts"
import type { CallProgress, Progress } from "../../../core/model/calls/CarrierProgress.ts"
import { Ids } from "../../../core/ports/Ids.ts"
import { RecordingLinks } from "../../../core/ports/RecordingLinks.ts"
import { Repository } from "../../../core/ports/Repository.ts"
import {
  makeAttempt,
  makeCall,
  makeEntry,
  makeWebhook,
  page,
  ws
} from "../../contracts/repository/Fixtures.ts"

const links = Layer.succeed(RecordingLinks, {
  make: (_, now) => ({ url: "https://example.com", expires_at: now }),
  judge: () => "forged"
})
const store = Layer.mergeAll(MemoryRepository.layer, Ids.layer, links)

const ended: Progress = {
  _tag: "Ended",
  at: 10,
  outcome: "answered",
  sub_status: null,
  duration_seconds: 30,
  error_code: null,
  error_message: null,
  recorded: true
}
const recorded = (carrier_recording_id: string): Progress => ({
  _tag: "RecordingReady",
  at: 11,
  recording: {
    carrier_recording_id,
    track: "mixed",
    channels: 2,
    format: "wav",
    duration_seconds: 30,
    size_bytes: null,
    url: "https://example.com/audio",
    started_at: 1
  }
})

const told = (n: number, progress: Progress): CallProgress => ({
  workspace_id: ws,
  key: makeAttempt(n).id,
  progress
})

/** A live call at its second attempt: the recording of its first is not known yet. */
const placed = Effect.gen(function* () {
  const { attempts, calls, credits, webhooks } = yield* Repository
  const second = makeAttempt(2, { status: "in_progress", started_at: 5, answered_at: 6 })
  yield* webhooks.insert(makeWebhook(1, { event_types: [] }))
  yield* credits.append(ws, [makeEntry(1, 100)])
  const live = { phase: "live", status: "in_progress", attempt_id: second.id, attempt_count: 2 } as const
  yield* calls.insert(makeCall(1, live))
  yield* attempts.insert(makeAttempt(1, { status: "completed", outcome: "answered", answered_at: 1 }), second)
})

/** What is told of attempts that are not there: enough of it that all are read together. */
const unknown = Array.from({ length: 10 }, (_, n) => told(90 + n, ended))

describe("what a carrier tells of two attempts of one call at one time", () => {
  for (const [how, others] of [
    ["read one by one", []],
    ["read together", unknown]
  ] as const) {
    it.scoped(`is stored in that order, each step on the one before, where they are ${how}`, () =>
      Effect.gen(function* () {
        yield* placed
        const { calls, deliveries, recordings } = yield* Repository
        const { record } = yield* makeProgressRecorder
        const news = [told(2, ended), told(1, recorded("RE1")), told(1, recorded("RE1"))]
        assert.deepStrictEqual([...(yield* record([...others, ...news]))], [ws])
        const call = Option.getOrThrow(yield* calls.get(ws, "call_000001"))
        assert.deepInclude(call, { phase: "done", status: "completed", due_at: null })
        const kept = yield* recordings.ofSession(ws, makeAttempt(1).session_id, page)
        assert.deepStrictEqual(
          kept.data.map(({ carrier_recording_id }) => carrier_recording_id),
          ["RE1"]
        )
        const { data } = yield* deliveries.list(ws, { webhook_id: "whk_000001" }, page)
        const types = data.map(({ event_type }) => event_type).toSorted()
        assert.deepStrictEqual(types, ["call_completed", "recording_completed"])
        yield* record(news)
        const again = yield* deliveries.list(ws, { webhook_id: "whk_000001" }, page)
        assert.strictEqual(again.total, types.length)
      }).pipe(Effect.provide(store))
    )
  }
})
