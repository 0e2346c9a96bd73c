import { second } from "../Codecs.ts"
import { type ConversationState, lengthOf } from "./Conversation.ts"
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

const giveUp = (draft: Draft): void => close(draft, "idle_timeout", draft.state.settings.lines.closing)
const timeIsUp = (draft: Draft): void => close(draft, "max_call_length", draft.state.settings.lines.closing)
const lost = (draft: Draft): void => over(draft, "carrier_error")
const finish = (draft: Draft): void => finishCycle(draft, false)

const warn = (draft: Draft): void => {
  const { now, state } = draft
  state.warned = true
  addTurn(draft, { role: "note", text: wrapUp, started_at: now, ended_at: now })
}

const announced = ({ state }: Draft): void => {
  if (state.voicemail !== null) state.voicemail = { ...state.voicemail, ready: true }
}

const stall = (draft: Draft): void => {
  const { generation } = draft.state
  if (generation !== null) stalled(draft, generation.id)
}

const giveUpTool = (draft: Draft, id: string): void =>
  endTool(
    draft,
    id,
    JSON.stringify({ ok: false, error: "the tool did not answer in time; what it did is unknown" })
  )

/** What happens first by itself, of all that is named; of two at one time the one that was named first. */
class Soonest implements Deadline {
  at = Infinity
  meet: Deadline["meet"] = () => undefined

  name(at: number, meet: Deadline["meet"]): void {
    if (at >= this.at) return
    this.at = at
    this.meet = meet
  }
}

const ofLength = (soonest: Soonest, { settings, warned }: ConversationState, connected_at: number): void => {
  const length = settings.max_call_length * second
  if (!warned) soonest.name(connected_at + length - Math.min(wrapUpBefore, length / 4), warn)
  soonest.name(connected_at + length, timeIsUp)
}

const ofSilence = (
  soonest: Soonest,
  { nudged, settings, silence, waiting_since }: ConversationState
): void => {
  if (silence === null || waiting_since === null) return
  const { idle_timeout_end, idle_timeout_warning } = settings
  soonest.name(waiting_since + 2 * (idle_timeout_warning + idle_timeout_end) * second, giveUp)
  if (silence.suspended_at !== null) return
  if (nudged || idle_timeout_warning >= idle_timeout_end) {
    soonest.name(silence.since + idle_timeout_end * second, giveUp)
  } else soonest.name(silence.since + idle_timeout_warning * second, nudge)
}

const ofCycle = (soonest: Soonest, { callee, cycle, generation, settings }: ConversationState): void => {
  if (cycle === null) return
  if (cycle.interrupted_at !== null) {
    const wait = callee.speaking ? noiseWithin : wordsWithin
    const isUnderstood = callee.partial !== "" || callee.digits !== ""
    if (!isUnderstood) soonest.name(cycle.interrupted_at + wait, resume)
    return
  }
  if (!cycle.complete || generation !== null) return
  const spoken = spokenFor(lengthOf(cycle.segments))
  const at = settings.line.reportsPlayout
    ? cycle.last_sent_at + 2 * spoken + 10 * second
    : cycle.began_at + spoken
  soonest.name(at, finish)
}

/** While the model thinks or tools run, the callee is told so now and then. */
const ofWork = (soonest: Soonest, state: ConversationState): void => {
  const { cycle, generation, tools } = state
  let began: number | null = null
  for (const { id, result, started_at } of Object.values(tools)) {
    if (result !== null) continue
    soonest.name(started_at + toolWithin, (draft) => giveUpTool(draft, id))
    began ??= started_at
  }
  const isTool = began !== null
  if (generation !== null) {
    soonest.name(generation.heard_at + modelWithin, stall)
    if (generation.first_token_at === null) began ??= generation.requested_at
  }
  const isBusy = cycle !== null && (cycle.interrupted_at !== null || cycle.complete)
  if (began === null || isBusy || state.callee.partial !== "") return
  const spoken = cycle === null ? 0 : cycle.last_sent_at + spokenFor(cycle.segments.at(-1)?.text.length ?? 0)
  const pause = state.filled ? fillAgainWithin : isTool ? fillToolWithin : fillWithin
  soonest.name(Math.max(began, spoken) + pause, fill)
}

const ofCallee = (soonest: Soonest, { callee }: ConversationState): void => {
  if (callee.digit_at !== null && callee.digits !== "") {
    soonest.name(callee.digit_at + digitsWithin, settleDigits)
  }
  if (callee.partial !== "" && callee.partial_at !== null) {
    soonest.name(callee.partial_at + partialWithin, settlePartial)
  }
}

/** What happens first by itself from here on. There is something before the end. */
export const nextDeadline = (state: ConversationState): Deadline => {
  const { closing, connected_at, dropped_at, voicemail } = state
  const soonest = new Soonest()
  if (closing !== null) {
    soonest.name(closing.until, hurryClosing)
    ofCycle(soonest, state)
  } else if (connected_at === null) soonest.name(state.started_at + connectWithin, lost)
  else if (dropped_at !== null) soonest.name(dropped_at + reconnectWithin, lost)
  else {
    ofLength(soonest, state, connected_at)
    ofSilence(soonest, state)
    ofCycle(soonest, state)
    ofWork(soonest, state)
    ofCallee(soonest, state)
    if (voicemail !== null && !voicemail.ready) {
      soonest.name(voicemail.detected_at + announcementWithin, announced)
    }
  }
  return soonest
}
