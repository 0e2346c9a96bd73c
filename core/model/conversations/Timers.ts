import { second } from "../Codecs.ts"
import { type ConversationState, textOf } from "./Conversation.ts"
import { addTurn, close, type Draft, finishCycle, hurryClosing, over, sayLine, send } from "./Draft.ts"
import { resume, settleDigits, settlePartial } from "./Hearing.ts"
import { stalled } from "./Speaking.ts"
import { spokenFor } from "./Speech.ts"
import { endTool } from "./Tools.ts"

/** Something that happens unless the conversation moves on before. */
export interface Deadline {
  /** Epoch milliseconds. */
  readonly at: number
  readonly meet: (draft: Draft) => void
}

/** The line must connect, or come back after it broke, within this. */
const connectWithin = 20 * second
const reconnectWithin = 30 * second
/** A model shows a sign of life this often. With the filler before it the callee never waits 10 s in silence. */
const modelWithin = 8 * second
const fillWithin = 4 * second
const fillToolWithin = 700
const fillAgainWithin = 8 * second
const toolWithin = 60 * second
const digitsWithin = 2 * second
const partialWithin = 3 * second
/** Whether a sound interrupts is known after this: words come with it, or it stops. */
const wordsWithin = 1.5 * second
const noiseWithin = 5 * second
const announcementWithin = 30 * second
const wrapUpBefore = 30 * second

/** What the model is told when the time of the call runs out. */
export const wrapUp = "The call may last a few seconds more: come to its end now."

const fill = (draft: Draft): void => {
  const { state } = draft
  const { filler } = state.settings.lines
  state.filled = true
  const text = filler[state.fillers % Math.max(1, filler.length)]
  if (text === undefined) return
  state.fillers += 1
  send(draft, `${text} `, { kind: "reply", fresh: true, preemptible: true })
}

const nudge = (draft: Draft): void => {
  const { state } = draft
  const lines = state.settings.lines.nudge
  const text = lines[state.nudges % Math.max(1, lines.length)] ?? ""
  state.nudges += 1
  state.nudged = true
  state.silence = null
  sayLine(draft, text, "nudge")
}

const giveUpTool = (draft: Draft, id: string): void =>
  endTool(
    draft,
    id,
    JSON.stringify({ ok: false, error: "the tool did not answer in time; what it did is unknown" })
  )

const ofLength = (state: ConversationState, connected_at: number): ReadonlyArray<Deadline> => {
  const { lines, max_call_length } = state.settings
  const length = max_call_length * second
  const ends = {
    at: connected_at + length,
    meet: (draft: Draft) => close(draft, "max_call_length", lines.closing)
  }
  if (state.warned) return [ends]
  const warns: Deadline = {
    at: connected_at + length - Math.min(wrapUpBefore, length / 4),
    meet: (draft) => {
      draft.state.warned = true
      addTurn(draft, {
        role: "note",
        text: wrapUp,
        started_at: draft.now,
        ended_at: draft.now
      })
    }
  }
  return [warns, ends]
}

const ofSilence = (state: ConversationState): ReadonlyArray<Deadline> => {
  const { silence, waiting_since } = state
  if (silence === null || waiting_since === null) return []
  const { idle_timeout_end, idle_timeout_warning, lines } = state.settings
  const giveUp = (draft: Draft) => close(draft, "idle_timeout", lines.closing)
  const ceiling: Deadline = {
    at: waiting_since + 2 * (idle_timeout_warning + idle_timeout_end) * second,
    meet: giveUp
  }
  if (silence.suspended_at !== null) return [ceiling]
  const ends = state.nudged || idle_timeout_warning >= idle_timeout_end
  return ends
    ? [ceiling, { at: silence.since + idle_timeout_end * second, meet: giveUp }]
    : [ceiling, { at: silence.since + idle_timeout_warning * second, meet: nudge }]
}

const ofCycle = (state: ConversationState): ReadonlyArray<Deadline> => {
  const { callee, cycle, generation, settings } = state
  if (cycle === null) return []
  if (cycle.interrupted_at !== null) {
    const wait = callee.speaking ? noiseWithin : wordsWithin
    const isUnderstood = callee.partial !== "" || callee.digits !== ""
    return isUnderstood ? [] : [{ at: cycle.interrupted_at + wait, meet: resume }]
  }
  const text = textOf(cycle.segments)
  if (!cycle.complete || generation !== null) return []
  const spoken = spokenFor(text)
  return settings.line.reportsPlayout
    ? [{ at: cycle.last_sent_at + 2 * spoken + 10 * second, meet: (draft) => finishCycle(draft, false) }]
    : [{ at: cycle.began_at + spoken, meet: (draft) => finishCycle(draft, false) }]
}

/** While the model thinks or tools run, the callee is told so now and then. */
const ofWork = (state: ConversationState): ReadonlyArray<Deadline> => {
  const { cycle, generation, tools } = state
  const running = Object.values(tools).filter(({ result }) => result === null)
  const limits: Array<Deadline> = running.map(({ id, started_at }) => ({
    at: started_at + toolWithin,
    meet: (draft) => giveUpTool(draft, id)
  }))
  if (generation !== null) {
    const { heard_at, id } = generation
    limits.push({ at: heard_at + modelWithin, meet: (draft) => stalled(draft, id) })
  }
  const began =
    running[0]?.started_at ?? (generation?.first_token_at === null ? generation.requested_at : null)
  const isBusy = cycle !== null && (cycle.interrupted_at !== null || cycle.complete)
  if (began === null || began === undefined || isBusy || state.callee.partial !== "") return limits
  const spoken = cycle === null ? 0 : cycle.last_sent_at + spokenFor(cycle.segments.at(-1)?.text ?? "")
  const pause = state.filled ? fillAgainWithin : running.length > 0 ? fillToolWithin : fillWithin
  return [...limits, { at: Math.max(began, spoken) + pause, meet: fill }]
}

const ofCallee = ({ callee }: ConversationState): ReadonlyArray<Deadline> => {
  const found: Array<Deadline> = []
  if (callee.digit_at !== null && callee.digits !== "") {
    found.push({ at: callee.digit_at + digitsWithin, meet: settleDigits })
  }
  if (callee.partial !== "" && callee.partial_at !== null) {
    found.push({ at: callee.partial_at + partialWithin, meet: settlePartial })
  }
  return found
}

/** All that happens by itself from here on. Never empty before the end. */
const deadlines = (state: ConversationState): ReadonlyArray<Deadline> => {
  const { closing, connected_at, dropped_at, voicemail } = state
  const lost = (draft: Draft) => over(draft, "carrier_error")
  if (closing !== null) return [{ at: closing.until, meet: hurryClosing }, ...ofCycle(state)]
  if (connected_at === null) return [{ at: state.started_at + connectWithin, meet: lost }]
  if (dropped_at !== null) return [{ at: dropped_at + reconnectWithin, meet: lost }]
  const announced: ReadonlyArray<Deadline> =
    voicemail === null || voicemail.ready
      ? []
      : [
          {
            at: voicemail.detected_at + announcementWithin,
            meet: ({ state }) => void (state.voicemail = { ...voicemail, ready: true })
          }
        ]
  return [
    ...ofLength(state, connected_at),
    ...ofSilence(state),
    ...ofCycle(state),
    ...ofWork(state),
    ...ofCallee(state),
    ...announced
  ]
}

/** What happens first by itself. Of two at one time the one that is named first. */
export const nextDeadline = (state: ConversationState): Deadline =>
  deadlines(state).reduce((first, next) => (next.at < first.at ? next : first))
