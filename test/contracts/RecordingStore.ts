import { Chunk, Effect, type Layer, Option, Stream } from "effect"
import { assert, describe, it } from "@effect/vitest"
import { assertNone } from "@effect/vitest/utils"
import { deleted, type Recording } from "../../core/model/recordings/Recording.ts"
import { type Audio, type RecordingSource, RecordingStore } from "../../core/ports/RecordingStore.ts"
import { makeRecording, other, ws } from "./repository/Fixtures.ts"

/** Audio of 200,000 bytes in pieces of different lengths, for what the carrier calls RE…; none for anything else. */
export const bytesOf = ({ carrier_recording_id }: Recording): Uint8Array => {
  const bytes = new Uint8Array(200_000)
  for (let i = 0; i < bytes.length; i++) bytes[i] = (i * i + carrier_recording_id.charCodeAt(7)) % 251
  return bytes
}

export const source: RecordingSource = (recording) => {
  if (!recording.carrier_recording_id.startsWith("RE")) return null
  const bytes = bytesOf(recording)
  return Stream.make(bytes.subarray(0, 44), bytes.subarray(44, 100_001), bytes.subarray(100_001))
}

export const read = (audio: Audio, from = 0, until = audio.size_bytes) =>
  Effect.map(Stream.runCollect(audio.bytes(from, until)), (pieces) =>
    Buffer.concat(Chunk.toReadonlyArray(pieces))
  )

/** What every RecordingStore that keeps audio itself does. `make` gives it the source and an empty place. */
export const recordingStoreContract = (
  name: string,
  make: (source: RecordingSource) => Layer.Layer<RecordingStore>
): void => {
  const layer = make(source)
  const recording = makeRecording(1, { url: null })

  describe(`${name}`, () => {
    it.effect("has nothing until it is brought, and then all of it, whatever part is read", () =>
      Effect.gen(function* () {
        const store = yield* RecordingStore
        assertNone(yield* store.find(ws, recording.id))
        const brought = Option.getOrThrow(yield* store.bring(recording))
        const found = Option.getOrThrow(yield* store.find(ws, recording.id))
        for (const audio of [brought, found]) {
          assert.strictEqual(audio.size_bytes, 200_000)
          const all = Buffer.from(bytesOf(recording))
          assert.isTrue((yield* read(audio)).equals(all))
          for (const [from, until] of [
            [0, 1],
            [0, 0],
            [43, 45],
            [65_535, 131_073],
            [199_999, 200_000]
          ] as const) {
            assert.isTrue((yield* read(audio, from, until)).equals(all.subarray(from, until)))
          }
        }
      }).pipe(Effect.provide(layer))
    )

    it.effect("keeps each workspace's recordings apart", () =>
      Effect.gen(function* () {
        const store = yield* RecordingStore
        const foreign = { ...recording, customer_id: other, carrier_recording_id: "RE000009" }
        yield* store.bring(recording)
        assertNone(yield* store.find(other, recording.id))
        yield* store.bring(foreign)
        const ours = Option.getOrThrow(yield* store.find(ws, recording.id))
        const theirs = Option.getOrThrow(yield* store.find(other, recording.id))
        assert.isTrue((yield* read(ours)).equals(Buffer.from(bytesOf(recording))))
        assert.isTrue((yield* read(theirs)).equals(Buffer.from(bytesOf(foreign))))
        yield* store.remove(foreign)
        assertNone(yield* store.find(other, recording.id))
        assert.isTrue(Option.isSome(yield* store.find(ws, recording.id)))
      }).pipe(Effect.provide(layer))
    )

    it.effect("brings a recording whole to every reader, however many ask for it at one time", () =>
      Effect.gen(function* () {
        const store = yield* RecordingStore
        const all = yield* Effect.all(
          Array.from({ length: 20 }, () => store.bring(recording)),
          { concurrency: "unbounded" }
        )
        for (const audio of all) {
          assert.isTrue((yield* read(Option.getOrThrow(audio))).equals(Buffer.from(bytesOf(recording))))
        }
      }).pipe(Effect.provide(layer))
    )

    it.effect("has none of what its source has none of", () =>
      Effect.gen(function* () {
        const store = yield* RecordingStore
        const unknown = { ...recording, carrier_recording_id: "of another account" }
        assertNone(yield* store.bring(unknown))
        assertNone(yield* store.find(ws, unknown.id))
      }).pipe(Effect.provide(layer))
    )

    it.effect("removes what is there, and takes it well that nothing is", () =>
      Effect.gen(function* () {
        const store = yield* RecordingStore
        yield* store.remove(recording)
        yield* store.bring(recording)
        yield* store.remove(recording)
        assertNone(yield* store.find(ws, recording.id))
        yield* store.remove(deleted(recording))
        yield* store.bring(recording)
        assert.isTrue(Option.isSome(yield* store.find(ws, recording.id)))
      }).pipe(Effect.provide(layer))
    )

    it.effect("finds nothing under names that lead elsewhere", () =>
      Effect.gen(function* () {
        const store = yield* RecordingStore
        yield* store.bring(recording)
        for (const id of [
          "",
          ".",
          "..",
          "../ws_a/rec_000001",
          "rec_000001.wav",
          "a/b",
          "a\\b",
          "a\0b",
          "é"
        ]) {
          assertNone(yield* store.find(ws, id))
          assertNone(yield* store.find(id, recording.id))
        }
      }).pipe(Effect.provide(layer))
    )
  })
}
