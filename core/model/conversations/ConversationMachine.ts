import { type ConversationState, runningTools, type Settings, type Used } from "./Conversation.ts"
import {
  cancelGeneration,
  close,
  complete,
  type ConversationCommand,
  type Draft,
  draftOf,
  finishCycle,
  generate,
  isHeard,
  isSilent,
  over,
  sayLine
} from "./Draft.ts"
import { calleeSaid, calleeSpeaking, digit, interrupted } from "./Hearing.ts"
import { agentSpeaking, delta, failed, generated, played } from "./Speaking.ts"
import type { LineEvent } from "./Speech.ts"
import { nextDeadline } from "./Timers.ts"
import { askTools, endTool } from "./Tools.ts"

/** What a model, its tools and the carrier's detection tell, beside the line. */
export type ConversationEvent =
  | LineEvent
  | { readonly _tag: "Delta"; readonly generation: number; readonly text: string }
  /** The generation ends with tools to be carried out. */
  | {
      readonly _tag: "ToolsAsked"
      readonly generation: number
      readonly calls: ReadonlyArray<{ readonly name: string; readonly arguments: string }>
    }
  | { readonly _tag: "Generated"; readonly generation: number }
  | { readonly _tag: "GenerationFailed"; readonly generation: number; readonly message: string }
  | ({ readonly _tag: "TokensUsed" } & Used)
  | { readonly _tag: "ToolEnded"; readonly id: string; readonly result: string }
  | { readonly _tag: "AnsweredBy"; readonly who: "human" | "machine" }
  /** A voicemail's announcement is over. */
  | { readonly _tag: "MessageEnded" }
  /** The platform ends the call. */
  | { readonly _tag: "HangUp" }
  | { readonly _tag: "TimerFired" }

export interface Step {
  readonly state: ConversationState
  readonly commands: ReadonlyArray<ConversationCommand>
  /** When to come back with `TimerFired`, epoch milliseconds; null when the conversation is over. */
  readonly timer: number | null
}

/** A conversation that waits for its line. */
export const begin = (settings: Settings, now: number): ConversationState => ({
  settings,
  started_at: now,
  connected_at: null,
  turns: [],
  tools: {},
  cycle: null,
  generation: null,
  generations: 0,
  callee: { speaking: false, began_at: null, partial: "", partial_at: null, digits: "", digit_at: null },
  silence: null,
  waiting_since: null,
  nudged: false,
  unanswered: false,
  toolsOfTurn: 0,
  filled: false,
  warned: false,
  nudges: 0,
  fillers: 0,
  used: { input_tokens: 0, output_tokens: 0 },
  voicemail: null,
  closing: null,
  dropped_at: null,
  over: null
})

const connected = (draft: Draft): void => {
  const { now, state } = draft
  if (state.closing !== null) return
  if (state.connected_at === null) {
    state.connected_at = now
    if (state.settings.first_message === "") state.unanswered = true
    else sayLine(draft, state.settings.first_message, "reply")
    return
  }
  // A second connection: the first is gone, whether or not that was told.
  dropped(draft)
  state.dropped_at = null
  // The callee was not silent: it could not be heard.
  state.waiting_since = null
  state.nudged = false
  sayLine(draft, state.settings.lines.resumed, "reply")
}

const dropped = (draft: Draft): void => {
  const { now, state } = draft
  if (state.dropped_at !== null) return
  state.dropped_at = now
  const { cycle, generation } = state
  const isCut =
    generation !== null ||
    (cycle !== null && !isHeard(cycle, state.settings.line.reportsPlayout, now) && cycle.kind === "reply")
  cancelGeneration(draft)
  finishCycle(draft, true)
  state.unanswered ||= isCut
  state.callee = { ...state.callee, speaking: false, began_at: null, partial: "", partial_at: null }
}

const closed = (draft: Draft, reason: "hangup" | "ended" | "dropped"): void => {
  const { closing } = draft.state
  if (closing !== null) return over(draft, closing.reason)
  if (reason === "dropped") return dropped(draft)
  over(draft, reason === "hangup" ? "user_hangup" : "agent_hangup")
}

const answeredBy = (draft: Draft, who: "human" | "machine"): void => {
  const { now, state } = draft
  if (who === "human" || state.voicemail !== null || state.closing !== null) return
  const { settings } = state
  state.voicemail = { detected_at: now, ready: !settings.line.reportsMessageEnd }
  if (settings.voicemail.action === "continue") return
  cancelGeneration(draft)
  finishCycle(draft, true)
  state.unanswered = false
  if (settings.voicemail.action === "hang_up") close(draft, "voicemail", "")
}

const messageEnded = (draft: Draft): void => {
  const { state } = draft
  if (state.voicemail !== null) state.voicemail = { ...state.voicemail, ready: true }
}

const tokensUsed = ({ state }: Draft, { input_tokens, output_tokens }: Used): void => {
  state.used = {
    input_tokens: state.used.input_tokens + input_tokens,
    output_tokens: state.used.output_tokens + output_tokens
  }
}

const apply = (draft: Draft, event: ConversationEvent): void => {
  switch (event._tag) {
    case "Connected":
      return connected(draft)
    case "CalleeSpeaking":
      return calleeSpeaking(draft, event.on)
    case "CalleeSaid":
      return calleeSaid(draft, event)
    case "AgentSpeaking":
      return agentSpeaking(draft, event.on)
    case "Played":
      return played(draft, event.text)
    case "Interrupted":
      return interrupted(draft)
    case "Digit":
      return digit(draft, event.digit)
    case "LineError":
      return event.fatal ? over(draft, "carrier_error", event.code) : undefined
    case "Closed":
      return closed(draft, event.reason)
    case "Delta":
      return delta(draft, event.generation, event.text)
    case "ToolsAsked":
      return askTools(draft, event.generation, event.calls)
    case "Generated":
      return generated(draft, event.generation)
    case "GenerationFailed":
      return failed(draft, event.generation)
    case "TokensUsed":
      return tokensUsed(draft, event)
    case "ToolEnded":
      return endTool(draft, event.id, event.result)
    case "AnsweredBy":
      return answeredBy(draft, event.who)
    case "MessageEnded":
      return messageEnded(draft)
    case "HangUp":
      return close(draft, "agent_hangup", "")
    case "TimerFired":
      return
  }
}

/** What follows from how things stand: the next answer, a message to leave, the count of a silence. */
const settle = (draft: Draft): void => {
  const { now, state } = draft
  if (state.over !== null) return
  const { settings, voicemail } = state
  if (voicemail?.ready === true && settings.voicemail.action === "leave_message" && state.closing === null) {
    close(draft, "voicemail", settings.voicemail.message)
  }
  // Words of a callee have come in between: nothing more is added to a turn that only waited for its tools.
  const isDone =
    state.unanswered &&
    state.cycle !== null &&
    state.cycle.interrupted_at === null &&
    state.generation === null &&
    runningTools(state) === 0
  if (isDone) complete(draft)
  const isReady =
    state.unanswered &&
    state.connected_at !== null &&
    state.dropped_at === null &&
    state.closing === null &&
    state.cycle === null &&
    state.generation === null &&
    state.callee.partial === "" &&
    state.callee.digits === "" &&
    (voicemail === null || settings.voicemail.action === "continue")
  if (isReady) generate(draft, false)
  if (!isSilent(state)) {
    state.silence = null
    return
  }
  state.silence ??= { since: now, suspended_at: state.callee.speaking ? now : null }
  state.waiting_since ??= now
}

/** Deadlines that one step may meet: each moves its own on, so that they come to an end. */
const mostDeadlines = 32

/**
 * Takes one step. Deadlines that are over by `now` are met first, in their order, then the event counts. A
 * conversation that is over stays as it is.
 */
export const step = (before: ConversationState, event: ConversationEvent, now: number): Step => {
  if (before.over !== null) return { state: before, commands: [], timer: null }
  const draft = draftOf(before, now)
  apply(draft, event)
  settle(draft)
  let timer: number | null = null
  for (let met = 0; met < mostDeadlines && draft.state.over === null; met++) {
    const next = nextDeadline(draft.state)
    timer = next.at
    if (next.at > now) break
    next.meet(draft)
    settle(draft)
    if (met === mostDeadlines - 1 && draft.state.over === null) timer = nextDeadline(draft.state).at
  }
  const { commands, state } = draft
  return { state, commands, timer: state.over === null ? timer : null }
}
