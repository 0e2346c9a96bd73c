import type { CallAttempt, CallEvents } from "outdial/client"
import { useState } from "preact/hooks"
import { Status, Time } from "../components/Values.tsx"
import { count, duration, plural, words } from "../data/Format.ts"
import { Talk } from "./Talk.tsx"

type Transition = CallEvents["data"][number]

const causes: Readonly<Record<Transition["cause"], string>> = {
  placed: "Placed",
  outside_window: "Outside its calling window",
  dialled: "Dialled",
  not_received: "The carrier did not receive it; dialled once more",
  ringing: "Ringing",
  answered: "Answered",
  sent: "Sent",
  cancel_requested: "Cancelling was asked for",
  attempt_ended: "Attempt ended",
  refused: "Refused",
  cancelled: "Cancelled"
}

const Step = ({ transition }: { readonly transition: Transition }) => {
  const { at, cause, outcome, scheduled_for, sub_status } = transition
  return (
    <li class="moment">
      <Time at={at} />
      <span>
        {causes[cause]} {outcome !== null && <Status value={outcome} />}
        {sub_status !== null && <span class="second"> {words(sub_status)}</span>}
        {scheduled_for !== null && (
          <span class="second">
            {" "}
            Next attempt <Time at={scheduled_for} />
          </span>
        )}
      </span>
    </li>
  )
}

/** One attempt: how it ended, and what was said in it. All but the last are read once they are opened. */
const Attempt = (props: { readonly attempt: CallAttempt; readonly isLast: boolean }) => {
  const { attempt } = props
  const [open, setOpen] = useState(props.isLast)
  return (
    <li class="attempt card">
      <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <strong>Attempt {count(attempt.attempt_number)}</strong>{" "}
          <Status value={attempt.result.outcome ?? attempt.status} />{" "}
          <span class="second">
            {attempt.answered_at === null ? "" : `talked ${duration(attempt.duration_seconds)}, `}
            {plural(attempt.credits, "credit")}
            {attempt.error_message === null ? "" : `, ${attempt.error_message}`}
          </span>
        </summary>
        {open && <Talk attempt={attempt} />}
      </details>
    </li>
  )
}

/** What became of a call, oldest first: each attempt stands where it ended, or at the end while it goes on. */
export const Timeline = (props: {
  readonly attempts: ReadonlyArray<CallAttempt>
  readonly transitions: ReadonlyArray<Transition>
}) => {
  const { attempts, transitions } = props
  const ended = new Set(
    transitions.flatMap(({ attempt_number, cause }) => (cause === "attempt_ended" ? [attempt_number] : []))
  )
  const shown = (attempt: CallAttempt) => (
    <Attempt key={attempt.id} attempt={attempt} isLast={attempt === attempts.at(-1)} />
  )
  return (
    <ol class="timeline">
      {transitions.map((transition, i) => {
        const attempt = attempts.find(({ attempt_number }) => attempt_number === transition.attempt_number)
        return [
          transition.cause === "attempt_ended" && attempt !== undefined && shown(attempt),
          <Step key={`${i}`} transition={transition} />
        ]
      })}
      {attempts.filter(({ attempt_number }) => !ended.has(attempt_number)).map(shown)}
    </ol>
  )
}
