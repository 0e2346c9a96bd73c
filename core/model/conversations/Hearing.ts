import { isOptOut } from "../messages/OptOut.ts"
import { isBackchannel } from "./Backchannel.ts"
import { lengthOf, runningTools, textOf } from "./Conversation.ts"
import {
  addTurn,
  cancelGeneration,
  complete,
  type Draft,
  finishCycle,
  heardIn,
  isHeard,
  send
} from "./Draft.ts"
import type { LineEvent } from "./Speech.ts"

/** The callee was understood: what counted the silence begins anew. */
const understood = (draft: Draft): void => {
  draft.state.waiting_since = null
  draft.state.nudged = false
  draft.state.silence = null
}

/** The callee's turn asks for an answer. */
const mustAnswer = (draft: Draft): void => {
  const { state } = draft
  state.unanswered = true
  state.toolsOfTurn = 0
  state.filled = false
}

/** The callee does interrupt: what was not heard is dropped. */
const commitInterruption = (draft: Draft): void => {
  cancelGeneration(draft)
  finishCycle(draft, true)
}

/** The callee did not mean to interrupt: the agent goes on where it was cut. */
export const resume = (draft: Draft): void => {
  const { state } = draft
  const { cycle, generation } = state
  if (cycle === null || cycle.interrupted_at === null) return
  const before = state.turns.length
  finishCycle(draft, true)
  const turn = state.turns[before]
  const heard = turn?.role === "agent" ? turn.heard : ""
  const rest = textOf(cycle.segments).slice(heard.length) + (generation?.held ?? "")
  if (generation !== null) state.generation = { ...generation, held: "" }
  if (rest !== "") send(draft, rest, { kind: "reply", fresh: true })
  if (generation === null && runningTools(state) === 0) complete(draft)
}

/** What was said enters the history, and is answered when it has to be. */
const heardCallee = (draft: Draft, text: string, language: string | null): void => {
  const { now, state } = draft
  const { callee, settings } = state
  const started_at = callee.began_at ?? now
  state.callee = { ...callee, partial: "", partial_at: null, began_at: callee.speaking ? now : null }
  if (text === "") return
  understood(draft)
  const { cycle } = state
  if (cycle !== null && isHeard(cycle, settings.line.reportsPlayout, now) && cycle.kind !== "closing") {
    finishCycle(draft, false)
  }
  const speaking = state.cycle
  const isAside = speaking !== null && isBackchannel(text, settings.backchannels)
  if (speaking !== null && speaking.interrupted_at !== null && !isAside) commitInterruption(draft)
  addTurn(draft, { role: "callee", text, digits: false, language, started_at, ended_at: now })
  if (isOptOut(text)) draft.commands.push({ _tag: "DoNotCall" })
  if (state.closing !== null) return
  if (isAside) return resume(draft)
  // While nothing of it is said, an answer to half of what was said is none.
  if (state.cycle === null || lengthOf(state.cycle.segments) === 0) cancelGeneration(draft)
  mustAnswer(draft)
}

export const calleeSaid = (
  draft: Draft,
  { final, language, text: raw }: Extract<LineEvent, { readonly _tag: "CalleeSaid" }>
): void => {
  const { now, state } = draft
  const text = raw.trim()
  if (final) return heardCallee(draft, text, language)
  if (text === "") return
  const began_at = state.callee.began_at ?? now
  state.callee = { ...state.callee, began_at, partial: text, partial_at: now }
  understood(draft)
  const { cycle } = state
  if (cycle?.interrupted_at == null || cycle.kind === "closing") return
  if (!isBackchannel(text, state.settings.backchannels)) commitInterruption(draft)
}

/** Words that the line never called final stand as they are. */
export const settlePartial = (draft: Draft): void => heardCallee(draft, draft.state.callee.partial, null)

export const calleeSpeaking = (draft: Draft, on: boolean): void => {
  const { now, state } = draft
  const { callee, silence } = state
  if (callee.speaking === on) return
  state.callee = { ...callee, speaking: on, began_at: on ? (callee.began_at ?? now) : callee.began_at }
  if (silence === null) return
  if (on) state.silence = { ...silence, suspended_at: now }
  else if (silence.suspended_at !== null) {
    state.silence = { since: silence.since + now - silence.suspended_at, suspended_at: null }
  }
}

export const interrupted = (draft: Draft): void => {
  const { now, state } = draft
  const { cycle } = state
  if (cycle === null || cycle.interrupted_at !== null) return
  if (cycle.kind === "closing") return finishCycle(draft, true)
  // What the model makes from here on is not sent: what was heard is known now.
  const heard = heardIn(cycle, state.settings.line.reportsPlayout, now)
  const played = state.settings.line.reportsPlayout ? cycle.played : heard
  state.cycle = { ...cycle, speaking: false, interrupted_at: now, played }
}

export const digit = (draft: Draft, pressed: string): void => {
  const { now, state } = draft
  if (!/^[0-9*#]$/.test(pressed)) return
  understood(draft)
  state.callee = { ...state.callee, digits: state.callee.digits + pressed, digit_at: now }
  if (pressed === "#" || state.callee.digits.length >= 64) settleDigits(draft)
}

/** A run of digits is complete. */
export const settleDigits = (draft: Draft): void => {
  const { now, state } = draft
  const { digit_at, digits } = state.callee
  state.callee = { ...state.callee, digits: "", digit_at: null }
  const started_at = digit_at ?? now
  const isCut = state.cycle !== null && state.cycle.interrupted_at !== null
  if (isCut) commitInterruption(draft)
  addTurn(draft, { role: "callee", text: digits, digits: true, language: null, started_at, ended_at: now })
  if (state.closing !== null) return
  if (state.cycle === null) cancelGeneration(draft)
  mustAnswer(draft)
}
