import { Effect } from "effect"
import { deleted, type Recording } from "../model/recordings/Recording.ts"
import { RecordingStore } from "../ports/RecordingStore.ts"
import { Repository } from "../ports/Repository.ts"
import { makeNoting } from "./Noting.ts"

/**
 * Deletes a recording: its audio first, so that a process that dies in between leaves a record that is deleted
 * again, and never audio without a record. Once the record says so the audio goes a second time, since a
 * request meanwhile may have fetched it again. Answers the record that is left.
 */
export const makeErasing = Effect.gen(function* () {
  const { recordings } = yield* Repository
  const store = yield* RecordingStore
  const { noted } = yield* makeNoting

  return Effect.fnUntraced(function* (recording: Recording) {
    const left = deleted(recording)
    yield* store.remove(recording)
    yield* noted(recording.customer_id, recordings.erase(recording.customer_id, recording.id))
    yield* store.remove(left)
    return left
  })
})
