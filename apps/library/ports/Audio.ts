import { Effect, Layer, Option, Stream } from "effect"
import type { Recording } from "../../../core/model/recordings/Recording.ts"
import { type Audio, RecordingStore } from "../../../core/ports/RecordingStore.ts"
import { StoreUnavailable } from "../../../core/ports/Repository.ts"
import { type Answer, lift, type OnError } from "./Lift.ts"

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
  /** Audio that is here already, or null. The ids are as somebody's link has them: any text. */
  readonly find: (workspace_id: string, recording_id: string, signal: AbortSignal) => Answer<AudioFile | null>
  /**
   * Fetches a recording's audio to where it is found from then on; null when nobody has it. The record has the
   * `carrier_recording_id` that its carrier told.
   */
  readonly bring: (recording: Recording, signal: AbortSignal) => Answer<AudioFile | null>
  /** Removes the audio, from a carrier that keeps it too; that there is none is no error. */
  readonly remove: (recording: Recording, signal: AbortSignal) => Answer<void>
}

export const layer = (store: AudioStore, onError: OnError): Layer.Layer<RecordingStore> => {
  const unavailable = (by: string) => (thrown: unknown) => {
    onError(thrown, `audio.${by}`)
    return new StoreUnavailable({ cause: thrown })
  }
  const run = <A>(by: string, ask: (signal: AbortSignal) => Answer<A>): Effect.Effect<A> =>
    Effect.orDie(lift(ask, unavailable(by)))
  const audioOf = ({ bytes, size_bytes }: AudioFile): Audio => ({
    size_bytes,
    bytes: (from, until) =>
      Stream.suspend(() =>
        Stream.orDie(Stream.fromAsyncIterable(bytes(from, Math.min(until, size_bytes)), unavailable("bytes")))
      )
  })
  const maybe = (file: AudioFile | null) => Option.map(Option.fromNullable(file), audioOf)
  return Layer.succeed(RecordingStore, {
    find: (workspace_id, recording_id) =>
      Effect.map(
        run("find", (signal) => store.find(workspace_id, recording_id, signal)),
        maybe
      ),
    bring: (recording) =>
      Effect.map(
        run("bring", (signal) => store.bring(recording, signal)),
        maybe
      ),
    remove: (recording) => run("remove", (signal) => store.remove(recording, signal))
  })
}
