import { Effect, Layer, Option, Schema, Stream } from "effect"
import type { Recording } from "../../../core/model/recordings/Recording.ts"
import { type Audio, RecordingStore } from "../../../core/ports/RecordingStore.ts"
import { StoreUnavailable } from "../../../core/ports/Repository.ts"
import { type Answer, anything, asking, type OnError } from "./Lift.ts"

/** A WAV file of which any part can be read, any number of times. */
export interface AudioFile {
  readonly size_bytes: number
  /** The bytes from `from` until `until`, exclusive: a stream of Node or of the web will do. */
  readonly bytes: (from: number, until: number) => AsyncIterable<Uint8Array>
}

/**
 * Keeps the audio of recordings in a place of your own. Audio is brought when it is first asked for, never during a
 * call. Whatever is thrown counts as `StoreUnavailable`, which the REST interface answers with 503.
 */
export interface AudioStore {
  /** Audio that is here already, or null. The ids are as a link has them: any text. */
  readonly find: (workspace_id: string, recording_id: string, signal: AbortSignal) => Answer<AudioFile | null>
  /**
   * Fetches a recording's audio to where it is found from then on; null when there is none. The record has the
   * `carrier_recording_id` that its carrier told.
   */
  readonly bring: (recording: Recording, signal: AbortSignal) => Answer<AudioFile | null>
  /** Removes the audio, from a carrier that keeps it too; that there is none is no error. */
  readonly remove: (recording: Recording, signal: AbortSignal) => Answer<void>
}

const FileSchema: Schema.Schema<AudioFile | null> = Schema.NullOr(
  Schema.Struct({
    size_bytes: Schema.NonNegative,
    bytes: Schema.declare((value: unknown): value is AudioFile["bytes"] => typeof value === "function")
  })
)

const asked = asking([], (thrown) => new StoreUnavailable({ cause: thrown }))

export const layer = (store: AudioStore, onError: OnError): Layer.Layer<RecordingStore> => {
  const ask = asked(onError)
  const audioOf = (file: AudioFile): Audio => ({
    size_bytes: file.size_bytes,
    bytes: (from, until) =>
      Stream.suspend(() =>
        Stream.orDie(
          Stream.fromAsyncIterable(file.bytes(from, Math.min(until, file.size_bytes)), (thrown) => {
            onError(thrown, "audio.bytes")
            return new StoreUnavailable({ cause: thrown })
          })
        )
      )
  })
  const found = (by: string, run: (signal: AbortSignal) => Answer<AudioFile | null>) =>
    Effect.orDie(ask(by, FileSchema, run)).pipe(
      Effect.map((file) => Option.map(Option.fromNullable(file), audioOf))
    )
  return Layer.succeed(RecordingStore, {
    find: (workspace_id, recording_id) =>
      found("audio.find", (signal) => store.find(workspace_id, recording_id, signal)),
    bring: (recording) => found("audio.bring", (signal) => store.bring(recording, signal)),
    remove: (recording) =>
      Effect.orDie(ask("audio.remove", anything, (signal) => store.remove(recording, signal)))
  })
}
