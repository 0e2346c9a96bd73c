import type { ConversationState, Settings } from "./Conversation.ts"
import { begin, type ConversationEvent, step } from "./ConversationMachine.ts"

/** An event of a conversation at its time, in epoch milliseconds. */
export interface Entry {
  readonly at: number
  readonly event: ConversationEvent
}

/**
 * The events of a slice as they are written. What a model says makes most of it and is written short. What a callee is
 * saying is written as far as it differs from the partial before it, in this slice or an earlier one: `kept` characters
 * of that stay. So a sentence that does not end is written once.
 */
type Written =
  | readonly [at: number, event: ConversationEvent]
  | readonly [at: number, generation: number, text: string]
  | readonly [at: number, kept: number, text: string, language: string | null]

const partialOf = ({ event }: Entry): string | null =>
  event._tag === "CalleeSaid" && !event.final ? event.text : null

/** The last partial of these, or `said`, the last one before them. The next slice is written and read by it. */
export const partialAfter = (entries: ReadonlyArray<Entry>, said: string): string => {
  const last = entries.findLast((entry) => partialOf(entry) !== null)
  return last === undefined ? said : partialOf(last)!
}

const sharedBy = (one: string, other: string): number => {
  const most = Math.min(one.length, other.length)
  let shared = 0
  while (shared < most && one.charCodeAt(shared) === other.charCodeAt(shared)) shared += 1
  return shared
}

/** The journal of a conversation is kept in slices of text. `said`: the last partial before these, if that is known. */
export const sliceOf = (entries: ReadonlyArray<Entry>, said = ""): string => {
  let before = said
  return JSON.stringify(
    entries.map(({ at, event }): Written => {
      if (event._tag === "Delta") return [at, event.generation, event.text]
      if (event._tag !== "CalleeSaid" || event.final) return [at, event]
      const kept = sharedBy(before, event.text)
      before = event.text
      return [at, kept, event.text.slice(kept), event.language]
    })
  )
}

/** The events of a slice that this platform has written. `said`: the last partial of the slices before it. */
export const entriesOf = (slice: string, said: string): ReadonlyArray<Entry> => {
  const entries: Array<Entry> = []
  let before = said
  for (const written of JSON.parse(slice) as ReadonlyArray<Written>) {
    const at = written[0]
    if (written.length === 3) {
      entries.push({ at, event: { _tag: "Delta", generation: written[1], text: written[2] } })
    } else if (written.length === 4) {
      before = before.slice(0, written[1]) + written[2]
      entries.push({ at, event: { _tag: "CalleeSaid", text: before, final: false, language: written[3] } })
    } else {
      const entry = { at, event: written[1] }
      before = partialOf(entry) ?? before
      entries.push(entry)
    }
  }
  return entries
}

/** Where a conversation stands after these events. */
export const play = (before: ConversationState, entries: Iterable<Entry>): ConversationState => {
  let state = before
  for (const { at, event } of entries) state = step(state, event, at).state
  return state
}

/** How far a journal has been read. */
export interface Reading {
  readonly state: ConversationState
  /** The last partial. */
  readonly said: string
  /** The time of the last event, or that at which the conversation began. */
  readonly last_at: number
}

/** The beginning of a journal. The same slices after it give the same state. */
export const unread = (settings: Settings, started_at: number): Reading => ({
  state: begin(settings, started_at),
  said: "",
  last_at: started_at
})

/** Reads the next slice. */
export const readOn = ({ last_at, said, state }: Reading, slice: string): Reading => {
  const entries = entriesOf(slice, said)
  return {
    state: play(state, entries),
    said: partialAfter(entries, said),
    last_at: entries.at(-1)?.at ?? last_at
  }
}
