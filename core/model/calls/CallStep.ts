import type { EventType } from "../webhooks/Webhook.ts"
import type { Movement } from "../workspaces/Ledger.ts"
import type { Attempt } from "./Attempt.ts"
import type { Call } from "./Call.ts"
import type { CarrierRecording } from "./CarrierProgress.ts"
import { noted, type TransitionCause } from "./Transition.ts"

/** A call with the attempt under way, or the last one. */
export interface State {
  readonly call: Call
  readonly attempt: Attempt | null
}

/** The next state and what must be stored in the same transaction. */
export interface Step extends State {
  readonly events: ReadonlyArray<{ readonly type: EventType; readonly call: Call }>
  readonly movements: ReadonlyArray<Movement>
  readonly recordings: ReadonlyArray<CarrierRecording>
}

/** A step to a state, with nothing else to store unless `rest` says so. */
export const step = ({ attempt, call }: State, rest: Partial<Step> = {}): Step => ({
  events: [],
  movements: [],
  recordings: [],
  ...rest,
  attempt,
  call
})

/** One step after another, as one. */
export const joined = (first: Step, second: Step): Step =>
  first.events.length === 0 && first.movements.length === 0 && first.recordings.length === 0
    ? second
    : {
        ...second,
        events: [...first.events, ...second.events],
        movements: [...first.movements, ...second.movements],
        recordings: [...first.recordings, ...second.recordings]
      }

export const touch = (call: Call, now: number, change: Partial<Call>): Call => ({
  ...call,
  ...change,
  updated_at: now
})

type Changing = { -readonly [K in keyof Call]: Call[K] }

/** A change that the call's history tells of. */
export const move = (call: Call, now: number, cause: TransitionCause, change: Partial<Call>): Call => {
  const moved: Changing = { ...call, ...change, updated_at: now }
  moved.transitions = noted(call.transitions, moved, cause, now)
  return moved
}
