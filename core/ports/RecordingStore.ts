import { Context, type Effect, type Option, type Stream } from "effect"
import type { Recording } from "../model/recordings/Recording.ts"

/** A WAV file. */
export interface Audio {
  readonly size_bytes: number
  /** The bytes from `from` until `until`, exclusive; each stream reads them anew. */
  readonly bytes: (from: number, until: number) => Stream.Stream<Uint8Array>
}

/** Where a recording's audio comes from: a WAV file, or null when this carrier has none of it. */
export type RecordingSource = (recording: Recording) => Stream.Stream<Uint8Array> | null

/**
 * Keeps the audio of recordings. Audio comes here when it is first asked for, never during a call: the record says
 * all that is needed to fetch it, so that nothing is lost with a process, and audio that is never played costs nothing.
 * Any verb may die with StoreUnavailable.
 */
export class RecordingStore extends Context.Tag("outdial/RecordingStore")<
  RecordingStore,
  {
    /** Audio that is here already. Ids of any form are looked up, and of odd forms never found. */
    readonly find: (workspace_id: string, recording_id: string) => Effect.Effect<Option.Option<Audio>>
    /** Audio that is here from now on; none when there is none, or the carrier itself gives it out. */
    readonly bring: (recording: Recording) => Effect.Effect<Option.Option<Audio>>
    /** Removes the audio, from here and from a carrier that keeps it. That there is none is no error. */
    readonly remove: (recording: Recording) => Effect.Effect<void>
  }
>() {}
