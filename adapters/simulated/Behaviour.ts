import type { Outcome, SubStatus } from "../../core/model/calls/Call.ts"
import type { Progress } from "../../core/model/calls/CarrierProgress.ts"
import type { Dial } from "./LedgerEntry.ts"
import { sizeOf } from "./Wav.ts"

/** Something that the carrier tells, `after_ms` milliseconds after the dial. */
export interface Step {
  readonly after_ms: number
  readonly progress: Progress
}

/** What becomes of a dial, from beginning to end. */
export type Script =
  | { readonly _tag: "Accepted"; readonly steps: ReadonlyArray<Step> }
  | {
      readonly _tag: "Refused"
      readonly outcome: Outcome
      readonly sub_status: SubStatus
      readonly code: string
      readonly message: string
      /** What a look-up tells; the carrier never tells it by itself. */
      readonly steps: ReadonlyArray<Step>
    }
  /** The dial goes unanswered for `after_ms`, and a look-up cannot tell what became of it. */
  | { readonly _tag: "InDoubt"; readonly after_ms: number; readonly steps: readonly [] }

/** Progress whose time is still to be told, and the simulated seconds from the dial to it. */
type Cue = readonly [seconds: number, progress: Timeless]
type Timeless = Progress extends infer P ? (P extends Progress ? Omit<P, "at"> : never) : never

const recordingDelay = 2
const nudge = 2

const millisOf = (seconds: number, speed: number): number => Math.round((seconds * 1_000) / speed)

/** An integer from `min` to `max`, the same for the same key and salt. */
export const between = (min: number, max: number, key: string, salt: number): number => {
  let hash = 0x811c9dc5 ^ salt
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b)
  return min + (((hash ^ (hash >>> 13)) >>> 0) % (max - min + 1))
}

const ended = (
  outcome: Outcome,
  sub_status: SubStatus | null,
  duration_seconds = 0,
  error_code: string | null = null,
  error_message: string | null = null
): Timeless => ({ _tag: "Ended", outcome, sub_status, duration_seconds, error_code, error_message })

const recordingReady = (dial: Dial, duration_seconds: number, started_at: number): Timeless => ({
  _tag: "RecordingReady",
  recording: {
    carrier_recording_id: `simrec_${dial.key}`,
    track: "mixed",
    channels: 1,
    format: "wav",
    duration_seconds,
    size_bytes: sizeOf(1, duration_seconds),
    url: null,
    started_at
  }
})

/** Rings, is answered, and talks until it ends by itself or reaches its greatest length. */
const answered = (
  dial: Dial,
  speed: number,
  talk: number,
  outcome: Outcome,
  sub_status: SubStatus,
  recorded: boolean
): ReadonlyArray<Cue> => {
  const pickUp = between(3, 6, dial.key, 1)
  const capped = talk > dial.max_call_length
  const seconds = capped ? dial.max_call_length : talk
  const end = pickUp + seconds
  const cues: Array<Cue> = [
    [1, { _tag: "Ringing" }],
    [pickUp, { _tag: "Answered" }],
    [end, ended(outcome, capped ? "max_call_length" : sub_status, seconds)]
  ]
  if (recorded) {
    cues.push([end + recordingDelay, recordingReady(dial, seconds, dial.at + millisOf(pickUp, speed))])
  }
  return cues
}

/** What is told of a call that ended by its conversation: how, the session of that tells. */
const heldEnd = (duration_seconds: number): Timeless => ({
  _tag: "Ended",
  outcome: "answered",
  sub_status: "user_hangup",
  duration_seconds,
  error_code: null,
  error_message: null,
  held: true
})

/** Beyond its greatest length a call is ended by the carrier, should its conversation not have come to an end. */
const overtime = 30

/** Rings, is answered, and lasts until the conversation that is held on it ends it. */
const talking = (dial: Dial, speed: number, recorded: boolean): ReadonlyArray<Cue> => {
  const pickUp = between(3, 6, dial.key, 1)
  const seconds = dial.max_call_length + overtime
  const end = pickUp + seconds
  return [
    [1, { _tag: "Ringing" }],
    [pickUp, { _tag: "Answered" }],
    [end, heldEnd(seconds)],
    ...(recorded
      ? [[end + recordingDelay, recordingReady(dial, seconds, dial.at + millisOf(pickUp, speed))] as const]
      : [])
  ]
}

/** Neither side speaks: greeting, silence, nudge, silence again. A nudge that would come after the end never comes. */
const silence = (dial: Dial): number =>
  dial.greeting_seconds +
  (dial.idle_timeout_warning < dial.idle_timeout_end ? dial.idle_timeout_warning + nudge : 0) +
  dial.idle_timeout_end

const cuesOf = (dial: Dial, busy: boolean, speed: number): ReadonlyArray<Cue> => {
  const talks = dial.talks === true
  const talk = () =>
    talks
      ? talking(dial, speed, true)
      : answered(dial, speed, between(18, 22, dial.key, 2), "answered", "user_hangup", true)
  switch (dial.to_number.slice(-4)) {
    case "0001":
      return [[1, ended("busy", null)]]
    case "0002":
      return [
        [1, { _tag: "Ringing" }],
        [30, ended("no_answer", null)]
      ]
    case "0003":
      return [
        [1, ended("failed", "carrier_error", 0, "carrier_error", "The carrier could not complete the call")]
      ]
    case "0004":
      return talks
        ? talking(dial, speed, false)
        : answered(dial, speed, 8, "voicemail", "agent_hangup", false)
    case "0005":
      return [
        [1, { _tag: "Ringing" }],
        [between(2, 6, dial.key, 1), ended("rejected", null)]
      ]
    case "0006":
      return talks
        ? talking(dial, speed, false)
        : answered(dial, speed, silence(dial), "answered", "idle_timeout", false)
    case "0008":
      return []
    case "0010":
      return busy ? [[1, ended("busy", null)]] : talk()
    default:
      return talk()
  }
}

const stepAt = (dial: Dial, after_ms: number, progress: Timeless): Step => ({
  after_ms,
  // `at` comes first: added to what is spread, V8 makes a hidden class for each object.
  progress: { at: dial.at + after_ms, ...progress }
})

const paced = (dial: Dial, speed: number, cues: ReadonlyArray<Cue>): ReadonlyArray<Step> =>
  cues.map(([seconds, progress]) => stepAt(dial, millisOf(seconds, speed), progress))

/** Whether the number called is busy at a call's first dial alone. */
export const busyOnce = (dial: Dial): boolean => dial.to_number.endsWith("0010")

/**
 * The course of a call, chosen by the last four digits of the number called. The same dial always has the same
 * course. `earlier` is how often the call has dialled the number before; `speed` divides the waiting (Infinity:
 * no waiting at all), but not the seconds of talk that are told.
 */
export const script = (dial: Dial, earlier: number, speed: number): Script => {
  switch (dial.to_number.slice(-4)) {
    case "0007": {
      const message = "The number called is not valid"
      const steps = paced(dial, speed, [[0, ended("failed", "invalid_number", 0, "invalid_number", message)]])
      return {
        _tag: "Refused",
        outcome: "failed",
        sub_status: "invalid_number",
        code: "invalid_number",
        message,
        steps
      }
    }
    case "0009":
      return { _tag: "InDoubt", after_ms: millisOf(10, speed), steps: [] }
    default:
      return { _tag: "Accepted", steps: paced(dial, speed, cuesOf(dial, earlier === 0, speed)) }
  }
}

/**
 * The course of a call that is hung up at `at`, by the platform or at the end of its conversation (`talked`): what was told by then, and how it ends. One that has ended by
 * then keeps its course, and so does one of which the carrier tells nothing.
 */
export const hungUp = (
  dial: Dial,
  steps: ReadonlyArray<Step>,
  at: number,
  speed: number,
  talked = false
): ReadonlyArray<Step> => {
  const told = steps.filter(({ progress }) => progress.at <= at)
  if (steps.length === 0 || told.some(({ progress }) => progress._tag === "Ended")) return steps
  const after_ms = at - dial.at
  const pickUp = told.find(({ progress }) => progress._tag === "Answered")
  if (pickUp === undefined) return [...told, stepAt(dial, after_ms, ended("cancelled", "cancelled"))]
  const seconds = Math.floor(((after_ms - pickUp.after_ms) * speed) / 1_000)
  const end = talked ? heldEnd(seconds) : ended("answered", "agent_hangup", seconds)
  const course = [...told, stepAt(dial, after_ms, end)]
  if (!steps.some(({ progress }) => progress._tag === "RecordingReady")) return course
  const ready = after_ms + millisOf(recordingDelay, speed)
  return [...course, stepAt(dial, ready, recordingReady(dial, seconds, pickUp.progress.at))]
}
