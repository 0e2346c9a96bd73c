import { script, type Script, type Step } from "../../adapters/simulated/Behaviour.ts"
import type { Dial } from "../../adapters/simulated/LedgerEntry.ts"
import { sizeOf } from "../../adapters/simulated/Wav.ts"
import type { Outcome, SubStatus } from "../../core/model/calls/Call.ts"
import type { Progress } from "../../core/model/calls/CarrierProgress.ts"
import { second } from "../../core/model/Codecs.ts"
import type { Fate } from "./Callee.ts"

const recordingDelay = 2

/** The simulated carrier's numbers whose course a fate has. */
const digits = {
  busy: "0001",
  invalid: "0007",
  stay_silent: "0006",
  vanish: "0008",
  leave_in_doubt: "0009"
} as const

const step = (dial: Dial, seconds: number, of: (at: number) => Progress): Step => ({
  after_ms: seconds * second,
  progress: of(dial.at + seconds * second)
})

const ended =
  (
    outcome: Outcome,
    sub_status: SubStatus | null,
    duration_seconds = 0,
    error_code: string | null = null,
    error_message: string | null = null
  ) =>
  (at: number): Progress => ({
    _tag: "Ended",
    at,
    outcome,
    sub_status,
    duration_seconds,
    error_code,
    error_message
  })

const ringing = (at: number): Progress => ({ _tag: "Ringing", at })

const talk = (dial: Dial, fate: Extract<Fate, { readonly seconds: number }>): ReadonlyArray<Step> => {
  const cut = fate.seconds > dial.max_call_length
  const seconds = cut ? dial.max_call_length : fate.seconds
  const end = fate.rings + seconds
  const hungUp = fate.hung_up_by === "agent" ? "agent_hangup" : "user_hangup"
  const outcome = fate.does === "answer" ? "answered" : "voicemail"
  const recording = (at: number): Progress => ({
    _tag: "RecordingReady",
    at,
    recording: {
      carrier_recording_id: `simrec_${dial.key}`,
      track: "mixed",
      channels: 1,
      format: "wav",
      duration_seconds: seconds,
      size_bytes: sizeOf(1, seconds),
      url: null,
      started_at: dial.at + fate.rings * second
    }
  })
  return [
    step(dial, 1, ringing),
    step(dial, fate.rings, (at) => ({ _tag: "Answered", at })),
    step(dial, end, ended(outcome, cut ? "max_call_length" : hungUp, seconds)),
    ...(fate.recorded ? [step(dial, end + recordingDelay, recording)] : [])
  ]
}

/** The course that a dial takes by its fate. */
export const courseOf = (dial: Dial, fate: Fate): Script => {
  switch (fate.does) {
    case "answer":
    case "voicemail":
      return { _tag: "Accepted", steps: talk(dial, fate) }
    case "ring_out":
      return {
        _tag: "Accepted",
        steps: [step(dial, 1, ringing), step(dial, fate.rings, ended("no_answer", null))]
      }
    case "reject":
      return {
        _tag: "Accepted",
        steps: [step(dial, 1, ringing), step(dial, fate.rings, ended("rejected", null))]
      }
    case "fail":
      return {
        _tag: "Accepted",
        steps: [step(dial, 1, ended("failed", "carrier_error", 0, fate.code, fate.message))]
      }
    default:
      return script({ ...dial, to_number: `+1415555${digits[fate.does]}` }, 0, 1)
  }
}
