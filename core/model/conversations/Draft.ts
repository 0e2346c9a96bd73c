import {
  type Closing,
  type ConversationState,
  type Cycle,
  type EndReason,
  lengthOf,
  runningTools,
  textOf,
  type ToolCall,
  type Turn
} from "./Conversation.ts"
import { silent } from "./Speakable.ts"
import { heardOf, type LineCommand, spokenAfter, spokenFor } from "./Speech.ts"

/** What a step of the machine asks for. */
export type ConversationCommand =
  | LineCommand
  /** Asks the model for what comes next. Without tools when it has used too many. */
  | { readonly _tag: "Generate"; readonly generation: number; readonly tools: boolean }
  | { readonly _tag: "CancelGeneration"; readonly generation: number }
  | { readonly _tag: "RunTool"; readonly call: ToolCall }
  /** The callee asked not to be called again. */
  | { readonly _tag: "DoNotCall" }

type Mutable<A> = { -readonly [K in keyof A]: A[K] }

/** A step while it is being taken: what it was given is never changed, what it holds is its own. */
export interface Draft {
  readonly state: Mutable<ConversationState>
  readonly commands: Array<ConversationCommand>
  readonly now: number
}

export const draftOf = (state: ConversationState, now: number): Draft => ({
  state: { ...state },
  commands: [],
  now
})

/** Tools that one turn of the model may ask for. */
export const mostTools = 8

/** After a line was asked to end, it has this long to close. */
const closeWithin = 5_000
/** The longest that a closing line may take to be heard. */
const longestGoodbye = 20_000

export const addTurn = (draft: Draft, turn: Turn): void => {
  draft.state.turns = [...draft.state.turns, turn]
}

/** Whether all that was sent has been heard, as far as can be told. */
export const isHeard = (cycle: Cycle, reportsPlayout: boolean, now: number): boolean => {
  if (!reportsPlayout) return now >= cycle.began_at + spokenFor(lengthOf(cycle.segments))
  const text = textOf(cycle.segments)
  return !cycle.speaking && heardOf(text, cycle.played).trimEnd().length >= text.trimEnd().length
}

/** What was heard of a cycle up to now. Of one that is interrupted, `played` has it, whatever the line tells. */
export const heardIn = (
  { began_at, interrupted_at, played, segments }: Cycle,
  reportsPlayout: boolean,
  now: number
): string => {
  const text = textOf(segments)
  return reportsPlayout || interrupted_at !== null ? heardOf(text, played) : spokenAfter(text, now - began_at)
}

/** The agent's turn is over: what was heard of it enters the history. */
export const finishCycle = (draft: Draft, interrupted: boolean): void => {
  const { now, state } = draft
  const { cycle } = state
  if (cycle === null) return
  const heard = heardIn(cycle, state.settings.line.reportsPlayout, now)
  addTurn(draft, {
    role: "agent",
    segments: cycle.segments,
    heard,
    interrupted,
    requested_at: cycle.requested_at,
    first_token_at: cycle.first_token_at,
    first_sound_at: cycle.first_sound_at,
    started_at: cycle.began_at,
    ended_at: now
  })
  state.cycle = null
  if (cycle.kind === "nudge") state.nudged = true
  if (cycle.kind === "closing") sendEnd(draft)
}

const emptyCycle = (draft: Draft, kind: Cycle["kind"]): Cycle => ({
  segments: [],
  played: "",
  began_at: draft.now,
  requested_at: draft.state.generation?.requested_at ?? null,
  first_token_at: null,
  first_sound_at: null,
  complete: false,
  joined: 0,
  interruptible: kind !== "closing" && draft.state.settings.interruptible !== "none",
  speaking: false,
  last_sent_at: draft.now,
  interrupted_at: null,
  kind
})

/** Sends a text of the turn under way, which begins with it if there is none. `fresh` begins a segment. */
export const send = (
  draft: Draft,
  text: string,
  options: { readonly kind: Cycle["kind"]; readonly fresh: boolean; readonly preemptible?: boolean }
): void => {
  const { now, state } = draft
  const before = state.cycle ?? emptyCycle(draft, options.kind)
  const begins = lengthOf(before.segments) === 0
  const last = before.segments.at(-1)
  const segments =
    options.fresh || last === undefined
      ? [...before.segments, { text, tools: [] }]
      : [...before.segments.slice(0, -1), { ...last, text: last.text + text }]
  const kind = options.kind === "closing" ? "closing" : before.kind
  state.cycle = {
    ...before,
    segments,
    kind,
    began_at: begins ? now : before.began_at,
    interruptible: kind === "closing" ? false : before.interruptible,
    complete: false,
    joined: before.complete ? textOf(before.segments).length : before.joined,
    last_sent_at: now
  }
  if (text === "") return
  draft.commands.push({
    _tag: "Say",
    text,
    last: false,
    interruptible: state.cycle.interruptible,
    preemptible: options.preemptible ?? false
  })
}

/** Nothing more follows in this turn. A turn in which nothing was said is over at once. */
export const complete = (draft: Draft): void => {
  const { cycle } = draft.state
  if (cycle === null || cycle.complete) return
  if (lengthOf(cycle.segments) === 0) return finishCycle(draft, false)
  draft.state.cycle = { ...cycle, complete: true }
  draft.commands.push({
    _tag: "Say",
    text: "",
    last: true,
    interruptible: cycle.interruptible,
    preemptible: false
  })
}

/** A whole line of the agent's own. */
export const sayLine = (draft: Draft, text: string, kind: Cycle["kind"]): void => {
  if (text === "") return
  send(draft, text, { kind, fresh: true })
  complete(draft)
}

export const cancelGeneration = (draft: Draft): void => {
  const { generation } = draft.state
  if (generation === null) return
  draft.commands.push({ _tag: "CancelGeneration", generation: generation.id })
  draft.state.generation = null
}

export const generate = (draft: Draft, retried: boolean): void => {
  const { now, state } = draft
  state.generations += 1
  state.unanswered = false
  state.generation = {
    id: state.generations,
    requested_at: now,
    first_token_at: null,
    speakable: silent,
    spoke: false,
    retried,
    held: "",
    heard_at: now
  }
  draft.commands.push({
    _tag: "Generate",
    generation: state.generations,
    tools: state.toolsOfTurn < mostTools
  })
}

export const over = (draft: Draft, reason: EndReason, error_code: string | null = null): void => {
  cancelGeneration(draft)
  finishCycle(draft, true)
  draft.state.over = { reason, at: draft.now, error_code }
}

const sendEnd = (draft: Draft): void => {
  const { now, state } = draft
  const { closing } = state
  if (closing === null || closing.ended_at !== null) return
  state.closing = { ...closing, ended_at: now, until: now + closeWithin }
  draft.commands.push({ _tag: "End", token: closing.token })
}

/** Says goodbye by `line`, if there is one, lets it be heard, and ends the line. */
export const close = (draft: Draft, reason: EndReason, line: string, token: string = reason): void => {
  const { now, state } = draft
  if (state.closing !== null) return
  cancelGeneration(draft)
  state.unanswered = false
  state.closing = { reason, token, ended_at: null, until: now + longestGoodbye } satisfies Closing
  if (state.cycle?.interrupted_at !== null) finishCycle(draft, true)
  if (line !== "") return sayLine(draft, line, "closing")
  if (state.cycle === null) return sendEnd(draft)
  state.cycle = { ...state.cycle, kind: "closing" }
  complete(draft)
}

/** The time for goodbyes is over: the line is told to end, and then taken for ended. */
export const hurryClosing = (draft: Draft): void => {
  const { closing } = draft.state
  if (closing === null) return
  if (closing.ended_at !== null) return over(draft, closing.reason)
  sendEnd(draft)
}

/** Whether nothing is being said, thought or carried out. */
export const isSilent = (state: ConversationState): boolean =>
  state.connected_at !== null &&
  state.dropped_at === null &&
  state.closing === null &&
  state.cycle === null &&
  state.generation === null &&
  !state.unanswered &&
  state.callee.partial === "" &&
  state.callee.digits === "" &&
  (state.voicemail === null || state.settings.voicemail.action === "continue") &&
  runningTools(state) === 0
