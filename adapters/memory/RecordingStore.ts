import { Chunk, Effect, Layer, Option, Stream } from "effect"
import { type Audio, type RecordingSource, RecordingStore } from "../../core/ports/RecordingStore.ts"

const keyOf = (workspace_id: string, recording_id: string) => JSON.stringify([workspace_id, recording_id])

const audioOf = (bytes: Uint8Array): Audio => ({
  size_bytes: bytes.length,
  bytes: (from, until) => Stream.suspend(() => Stream.make(bytes.subarray(from, until)))
})

/** Audio in memory, from a source or from none. */
export const layer = (source: RecordingSource = () => null): Layer.Layer<RecordingStore> =>
  Layer.sync(RecordingStore, () => {
    const kept = new Map<string, Uint8Array>()
    const find = (workspace_id: string, recording_id: string) =>
      Effect.sync(() => Option.map(Option.fromNullable(kept.get(keyOf(workspace_id, recording_id))), audioOf))
    return RecordingStore.of({
      find,
      bring: Effect.fn("RecordingStore.bring")(function* (recording) {
        const audio = source(recording)
        if (audio === null) return Option.none()
        const key = keyOf(recording.customer_id, recording.id)
        if (!kept.has(key)) {
          const pieces = yield* Stream.runCollect(audio)
          kept.set(key, Buffer.concat(Chunk.toReadonlyArray(pieces)))
        }
        return yield* find(recording.customer_id, recording.id)
      }),
      remove: (recording) => Effect.sync(() => void kept.delete(keyOf(recording.customer_id, recording.id)))
    })
  })
