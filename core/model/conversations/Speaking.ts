import { type Cycle, lengthOf, runningTools, textOf } from "./Conversation.ts"
import { cancelGeneration, close, complete, type Draft, finishCycle, generate, send } from "./Draft.ts"
import { rest, speak } from "./Speakable.ts"
import { heardOf } from "./Speech.ts"

/** Characters that one turn of the agent may have. */
export const longestTurn = 4_000

/** Whether what was played is of the last text that was complete: a line may pause between two of them. */
const isPlayed = ({ joined, played, segments }: Cycle): boolean =>
  played !== "" && heardOf(textOf(segments), played).length > joined

export const agentSpeaking = (draft: Draft, on: boolean): void => {
  const { now, state } = draft
  const { cycle } = state
  if (cycle === null) return
  state.cycle = {
    ...cycle,
    speaking: on,
    first_sound_at: on ? (cycle.first_sound_at ?? now) : cycle.first_sound_at
  }
  const isOver = !on && cycle.complete && cycle.interrupted_at === null
  if (isOver && (isPlayed(cycle) || !state.settings.line.reportsPlayout)) finishCycle(draft, false)
}

export const played = (draft: Draft, text: string): void => {
  const { now, state } = draft
  const { cycle } = state
  if (cycle === null || !state.settings.line.reportsPlayout) return
  state.cycle = {
    ...cycle,
    played: cycle.played + text,
    first_sound_at: cycle.first_sound_at ?? now
  }
}

/** Sends what can be said; while it is not known whether the callee interrupts, it is kept. */
export const utter = (draft: Draft, text: string): void => {
  const { now, state } = draft
  const { generation } = state
  if (generation === null || text === "") return
  state.generation = { ...generation, spoke: true }
  if (state.cycle !== null && state.cycle.interrupted_at !== null) {
    state.generation = { ...state.generation, held: generation.held + text }
    return
  }
  send(draft, text, { kind: "reply", fresh: !generation.spoke })
  const cycle = state.cycle!
  state.cycle = { ...cycle, first_token_at: cycle.first_token_at ?? generation.first_token_at ?? now }
}

export const delta = (draft: Draft, id: number, text: string): void => {
  const { now, state } = draft
  const { generation } = state
  if (generation?.id !== id || text === "") return
  const next = speak(generation.speakable, text)
  state.generation = {
    ...generation,
    speakable: next.state,
    first_token_at: generation.first_token_at ?? now,
    heard_at: now
  }
  utter(draft, next.text)
  if (state.cycle === null || lengthOf(state.cycle.segments) < longestTurn) return
  cancelGeneration(draft)
  complete(draft)
}

export const generated = (draft: Draft, id: number): void => {
  const { state } = draft
  if (state.generation?.id !== id) return
  utter(draft, rest(state.generation.speakable))
  const { cycle, generation } = state
  if (!generation.spoke && runningTools(state) === 0) return failed(draft, id)
  state.generation = null
  // Whether the rest is said is known when the interruption is.
  if (cycle !== null && cycle.interrupted_at !== null) {
    const text = generation.held
    if (text !== "") state.cycle = { ...cycle, segments: [...cycle.segments, { text, tools: [] }] }
    return
  }
  complete(draft)
}

/** A model that fails is asked once more; one that fails again ends the call with an apology. */
export const failed = (draft: Draft, id: number): void => {
  const { state } = draft
  const { generation } = state
  if (generation?.id !== id) return
  state.generation = null
  if (state.cycle !== null && state.cycle.interrupted_at !== null) return void (state.unanswered = true)
  if (generation.retried) return close(draft, "agent_error", state.settings.lines.apology)
  generate(draft, true)
}

/** A model that shows no sign of life is told to stop, and has failed. */
export const stalled = (draft: Draft, id: number): void => {
  const { generation } = draft.state
  if (generation?.id !== id) return
  draft.commands.push({ _tag: "CancelGeneration", generation: id })
  failed(draft, id)
}
