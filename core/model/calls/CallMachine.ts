import type { Channel } from "../agents/Channel.ts"
import { day, minute, second } from "../Codecs.ts"
import { release } from "../workspaces/Ledger.ts"
import type { Attempt } from "./Attempt.ts"
import { type Call, configOf, type SubStatus } from "./Call.ts"
import { maxCallLength } from "./CallConfig.ts"
import { close, costOf, end, ended } from "./CallEnd.ts"
import { joined, move, type State, step, type Step, touch } from "./CallStep.ts"
import type { Progress, RecordingReady } from "./CarrierProgress.ts"
import type { PlaceCall } from "./PlaceCall.ts"
import { noted, type Told } from "./Transition.ts"

/** A carrier that has said nothing for this long after a dial is asked. */
export const ringTimeout = 2 * minute
/** What a call may last beyond its longest length before it counts as lost. */
export const grace = minute
/** How long a dial without an answer is left alone, so that a late request of ours cannot overtake the look-up. */
export const settleTime = 20 * second
/** How long the receipt of a message is awaited. One that comes later changes nothing. */
export const receiptTimeout = 10 * minute

/** What the first transition of each call tells. */
const asPlaced: Told = {
  attempt_count: 0,
  outcome: null,
  scheduled_for: null,
  status: "queued",
  sub_status: null
}

/** A call as it is when its request is accepted. */
export const place = (
  request: PlaceCall,
  given: {
    readonly call_id: string
    readonly workspace_id: string
    readonly channel: Channel
    readonly from_number: string
    readonly from_phone_number_id: string
    readonly price_per_minute: number
    /** Put aside for its first attempt already; none, unless told. */
    readonly credits_held?: number
    /** When it is due, if that is later than now. */
    readonly scheduled_for?: number | null
    /** Whom it calls, in which campaign; null for a single call. */
    readonly campaign_id: string | null
    readonly recipient_id: string | null
  },
  now: number
): Call => {
  const { credits_held = 0, scheduled_for = null } = given
  return {
    call_id: given.call_id,
    customer_id: given.workspace_id,
    channel: given.channel,
    agent_id: request.agent_id,
    status: "queued",
    outcome: null,
    sub_status: null,
    error: null,
    to_number: request.to_number,
    callee_name: request.callee_name,
    from_number: given.from_number,
    from_phone_number_id: given.from_phone_number_id,
    custom_variables: request.custom_variables,
    call_config: request.call_config,
    smart_formatter: request.smart_formatter,
    metadata: request.metadata,
    scheduled_for,
    attempt_count: 0,
    session_id: null,
    agent_version: null,
    duration_seconds: 0,
    credits: 0,
    created_at: now,
    updated_at: now,
    completed_at: null,
    idempotency_key: request.idempotency_key,
    campaign_id: given.campaign_id,
    recipient_id: given.recipient_id,
    attempt_id: null,
    redial: false,
    cancel_requested: false,
    price_per_minute: given.price_per_minute,
    credits_held,
    phase: "waiting",
    due_at: scheduled_for ?? now,
    transitions: noted(null, asPlaced, "placed", now),
    version: 1
  }
}

/** Puts a waiting call off until its calling window opens. */
export const wait = (call: Call, until: number, now: number): Call =>
  move(call, now, "outside_window", { due_at: until, scheduled_for: until })

/**
 * Commits to a dial: from here on the carrier may know the attempt. A call that is to be redialled keeps its
 * attempt, and so its key at the carrier; every other gets a new one.
 */
export const intend = (
  { attempt, call }: State,
  ids: { readonly attempt_id: string; readonly session_id: string; readonly agent_version: number | null },
  held: number,
  now: number
): Step => {
  const dialling: Attempt =
    call.redial && attempt !== null
      ? { ...attempt, status: "in_progress", started_at: now, updated_at: now }
      : {
          id: ids.attempt_id,
          customer_id: call.customer_id,
          call_id: call.call_id,
          campaign_id: call.campaign_id,
          recipient_id: call.recipient_id,
          session_id: ids.session_id,
          channel: call.channel,
          attempt_number: call.attempt_count + 1,
          dial_number: null,
          status: "in_progress",
          scheduled_for: call.due_at ?? now,
          started_at: now,
          answered_at: null,
          completed_at: null,
          carrier_call_id: null,
          error_code: null,
          error_message: null,
          from_number: call.from_number,
          outcome: null,
          sub_status: null,
          duration_seconds: 0,
          credits: 0,
          agent_version: ids.agent_version,
          created_at: now,
          updated_at: now
        }
  return step(
    {
      call: move(call, now, "dialled", {
        phase: "live",
        due_at: now + ringTimeout,
        outcome: null,
        sub_status: null,
        error: null,
        scheduled_for: null,
        attempt_count: dialling.attempt_number,
        attempt_id: dialling.id,
        session_id: dialling.session_id,
        agent_version: dialling.agent_version,
        redial: false,
        credits_held: call.credits_held + held
      }),
      attempt: dialling
    },
    { movements: held === 0 ? [] : [{ kind: "hold", amount: -held }] }
  )
}

/**
 * The carrier says that the dial never reached it: the same attempt is due again at `retry_at`. A carrier that
 * has told of the attempt before cannot be believed: what became of it is unknown then.
 */
export const neverReceived = (state: State, retry_at: number, now: number): Step | null => {
  const { attempt, call } = state
  if (call.phase !== "live" || attempt === null || attempt.status !== "in_progress") return null
  const told = attempt.carrier_call_id !== null || call.status === "ringing" || call.status === "in_progress"
  if (told) return giveUp(state, now)
  if (call.cancel_requested) return end({ call, attempt }, ended("cancelled", "cancelled", now), 0, now)
  return step({
    call: move(call, now, "not_received", {
      phase: "waiting",
      status: attempt.attempt_number === 1 ? "queued" : "retry_scheduled",
      due_at: retry_at,
      redial: true
    }),
    attempt: { ...attempt, status: "scheduled", updated_at: now }
  })
}

/** A waiting call that may not be dialled at all ends here. `attempt` is the one that was to be redialled, if any. */
export const refuse = ({ attempt, call }: State, sub_status: SubStatus, now: number): Step => {
  const cancelled = sub_status === "cancelled"
  const closed = close(
    call,
    { outcome: cancelled ? "cancelled" : "failed", sub_status, cause: cancelled ? "cancelled" : "refused" },
    null,
    now
  )
  return step(
    {
      call: closed,
      attempt:
        call.redial && attempt !== null
          ? { ...attempt, status: "cancelled", completed_at: now, updated_at: now }
          : attempt
    },
    { events: [{ type: "call_completed", call: closed }], movements: release(call.credits_held) }
  )
}

/** Asks for the end of a call: one that waits ends now, one that is live once its carrier has hung up. */
export const cancel = (state: State, now: number): Step | null =>
  state.call.phase === "done"
    ? null
    : state.call.phase === "waiting"
      ? refuse(state, "cancelled", now)
      : step({
          ...state,
          call: move(state.call, now, "cancel_requested", { cancel_requested: true, due_at: now })
        })

/** Whether the attempt is a message that its provider has taken. */
export const isTaken = ({ attempt, call }: State): boolean =>
  attempt?.channel === "msg" && (attempt.carrier_call_id !== null || call.status === "in_progress")

/**
 * What became of the attempt is unknown: it is closed for good and never dialled again. Of a message that its
 * provider has taken that much is known: it was sent.
 */
export const giveUp = ({ attempt, call }: State, now: number): Step | null => {
  if (call.phase !== "live" || attempt === null) return null
  const told = isTaken({ attempt, call }) ? ended("sent", null, now) : ended("unknown", "in_doubt", now)
  return end({ call, attempt }, told, 0, now)
}

/** When a live call must have ended, whatever its carrier says. */
export const deadline = ({ attempt, call }: State): number =>
  call.channel === "msg"
    ? (attempt?.started_at ?? call.updated_at) + receiptTimeout
    : (attempt?.answered_at ?? attempt?.started_at ?? call.updated_at) +
      maxCallLength(configOf(call)) * second +
      grace

/** No recording of a call that is over is looked for any more. */
export const recordingFound = (call: Call): Call =>
  call.phase === "done" && call.due_at !== null ? { ...call, due_at: null } : call

/** How long after its end a recording is looked for at a carrier that does not answer. */
const recordingTimeout = day

/** Looks for the recording of a call that is over again at `at`, or not any more when it was looked for long enough. */
export const lookForRecording = (call: Call, at: number): Call => ({
  ...call,
  due_at: at < (call.completed_at ?? 0) + recordingTimeout ? at : null
})

/** Looks at a live call again at `at`. */
export const lookAgain = ({ attempt, call }: State, at: number, now: number): Step =>
  step({ attempt, call: touch(call, now, { due_at: at }) })

/** What was recorded was answered, then at the latest: its start is told of first, where no answer was heard of. */
const recorded = (
  state: State,
  attempt_id: string,
  { recording }: RecordingReady,
  balance: number,
  now: number
): Step => {
  const answered = record(state, attempt_id, { _tag: "Answered", at: recording.started_at }, balance, now)
  const { attempt, call } = answered ?? state
  const found = step({ attempt, call: recordingFound(call) }, { recordings: [recording] })
  return answered === null ? found : joined(answered, found)
}

/**
 * Takes what the carrier tells of an attempt, late, twice and out of order as it may be. Answers null when
 * nothing changes. `balance` is what the workspace could still pay beyond the hold; it is asked for only where
 * the hold does not cover the talk.
 */
export const record = (
  state: State,
  attempt_id: string,
  progress: Progress,
  balance: number,
  now: number
): Step | null => {
  if (progress._tag === "RecordingReady") return recorded(state, attempt_id, progress, balance, now)
  const { attempt, call } = state
  if (call.phase !== "live" || attempt === null || attempt.id !== attempt_id) return null
  if (attempt.status !== "in_progress") return null
  switch (progress._tag) {
    case "Ringing":
      return call.status === "ringing" || call.status === "in_progress"
        ? null
        : step({ attempt, call: move(call, now, "ringing", { status: "ringing" }) })
    case "Answered": {
      const talking: Attempt = { ...attempt, answered_at: progress.at, updated_at: now }
      if (call.status === "in_progress") {
        // Told of twice, it was when it is first said to have been: so the order does not matter.
        const isEarlier = attempt.answered_at !== null && progress.at < attempt.answered_at
        return isEarlier ? step({ call, attempt: talking }) : null
      }
      const answered = move(call, now, "answered", {
        status: "in_progress",
        due_at: call.cancel_requested ? call.due_at : deadline({ call, attempt: talking })
      })
      return step(
        { call: answered, attempt: talking },
        { events: [{ type: "call_started", call: answered }] }
      )
    }
    case "Sent":
      return call.status === "in_progress"
        ? null
        : step({
            attempt,
            call: move(call, now, "sent", { status: "in_progress", due_at: deadline(state) })
          })
    case "Ended":
      return end({ call, attempt }, progress, balance, now)
  }
}

/** What an end costs beyond the hold: whether the balance matters to `record`. */
export const exceedsHold = (call: Call, progress: Progress): boolean =>
  progress._tag === "Ended" && costOf(call, progress) > call.credits_held
