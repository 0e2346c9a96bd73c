import type { Outcome, SubStatus } from "../../core/model/calls/Call.ts"
import type { Progress } from "../../core/model/calls/CarrierProgress.ts"
import { carrierWords } from "../shared/CarrierWords.ts"
import * as ErrorCodes from "./ErrorCodes.ts"

/** What is told of a call at one time. Times are epoch milliseconds. */
export interface Told {
  readonly status: string
  readonly answered_by: string | null
  /** Seconds of talk. */
  readonly duration_seconds: number
  /** Seconds; Infinity where it is not known. */
  readonly max_call_length: number
  readonly error_code: number | null
  /** Twilio's own words for the error. */
  readonly error_message: string | null
  readonly sip_code: number | null
  readonly at: number
  /** Its conversation was held here. */
  readonly held: boolean
  /** It is recorded. */
  readonly recorded: boolean
  /** When the call was dialled. */
  readonly dialled_at: number
}

const ends: Readonly<Record<string, { readonly outcome: Outcome; readonly sub_status: SubStatus | null }>> = {
  busy: { outcome: "busy", sub_status: null },
  "no-answer": { outcome: "no_answer", sub_status: null },
  canceled: { outcome: "cancelled", sub_status: "cancelled" },
  failed: { outcome: "failed", sub_status: "carrier_error" }
}

const over: ReadonlySet<string> = new Set(["completed", ...Object.keys(ends)])

/** Whether a call with this status has ended. */
export const isOver = (status: string): boolean => over.has(status)

export const isMachine = (answered_by: string | null) =>
  answered_by !== null && (answered_by.startsWith("machine") || answered_by === "fax")

const talked = ({
  answered_by,
  at,
  dialled_at,
  duration_seconds,
  held,
  max_call_length,
  recorded
}: Told): ReadonlyArray<Progress> => [
  { _tag: "Answered", at: Math.max(dialled_at, at - 1_000 * duration_seconds) },
  {
    _tag: "Ended",
    at,
    outcome: isMachine(answered_by) ? "voicemail" : "answered",
    sub_status: duration_seconds >= max_call_length ? "max_call_length" : null,
    duration_seconds,
    error_code: null,
    error_message: null,
    ...(held && { held }),
    ...(recorded && { recorded })
  }
]

const unanswered = (
  { at, error_code, error_message, sip_code, status }: Told,
  end: { readonly outcome: Outcome; readonly sub_status: SubStatus | null }
): Progress => {
  const hasFailed = status === "failed"
  const more = status === "canceled" ? null : ErrorCodes.ofEnd(error_code, sip_code)
  const known = hasFailed || more?.outcome === "rejected" ? more : null
  const code = error_code ?? sip_code
  return {
    _tag: "Ended",
    at,
    outcome: known?.outcome ?? end.outcome,
    sub_status: known === null ? end.sub_status : known.sub_status,
    duration_seconds: 0,
    error_code: hasFailed && code !== null ? String(code) : null,
    error_message: hasFailed ? (known?.message ?? null) : null,
    ...(hasFailed && code !== null && { carrier_message: carrierWords(error_message) })
  }
}

/**
 * What a call's status means for us, oldest first. The end tells of the answer too: the callback of the
 * answer may be late or lost. Twilio does not say which side hung up. Source: Twilio voice API, "Call status values".
 */
export const progressOf = (told: Told): ReadonlyArray<Progress> => {
  switch (told.status) {
    case "ringing":
      return [{ _tag: "Ringing", at: told.at }]
    case "in-progress":
    case "answered":
      return [{ _tag: "Answered", at: told.at }]
    case "completed":
      return talked(told)
    default: {
      const end = Object.hasOwn(ends, told.status) ? ends[told.status]! : null
      return end === null ? [] : [unanswered(told, end)]
    }
  }
}

/**
 * A time as Twilio writes it (RFC 2822, whole seconds) in epoch milliseconds, not before `earliest` and not in
 * the future; `now` when there is none.
 */
export const timeOf = (text: string | null | undefined, earliest: number, now: number): number => {
  const at = Date.parse(text ?? "")
  return Number.isNaN(at) ? now : Math.min(now, Math.max(earliest, at))
}

/** Whole seconds; 0 for what is none. */
export const secondsOf = (text: string | number | null | undefined): number => {
  const seconds = Number(text ?? 0)
  return Number.isFinite(seconds) && seconds > 0 ? Math.floor(seconds) : 0
}
