import type { ConversationState, Settings } from "./Conversation.ts"
import { begin, type ConversationEvent, step } from "./ConversationMachine.ts"

/** An event of a conversation at its time, in epoch milliseconds. */
export interface Entry {
  readonly at: number
  readonly event: ConversationEvent
}

/** The journal of a conversation is kept in slices of text. What a model says makes most of it and is written short. */
export const sliceOf = (entries: ReadonlyArray<Entry>): string =>
  JSON.stringify(
    entries.map(({ at, event }) =>
      event._tag === "Delta" ? [at, event.generation, event.text] : [at, event]
    )
  )

type Written =
  | readonly [at: number, event: ConversationEvent]
  | readonly [at: number, generation: number, text: string]

/** The events of a slice that this platform has written. */
export const entriesOf = (slice: string): ReadonlyArray<Entry> =>
  (JSON.parse(slice) as ReadonlyArray<Written>).map((written) =>
    written.length === 3
      ? { at: written[0], event: { _tag: "Delta", generation: written[1], text: written[2] } }
      : { at: written[0], event: written[1] }
  )

/** Where a conversation stands after these events. */
export const play = (before: ConversationState, entries: Iterable<Entry>): ConversationState => {
  let state = before
  for (const { at, event } of entries) state = step(state, event, at).state
  return state
}

/** Where a conversation stands after its journal. The same journal gives the same state. */
export const replay = (settings: Settings, started_at: number, entries: Iterable<Entry>): ConversationState =>
  play(begin(settings, started_at), entries)
