import { useSignal } from "@preact/signals"
import { useRef } from "preact/hooks"
import type { Action } from "../data/Action.ts"
import { Failure } from "./States.tsx"

/** A button of an act that cannot be undone: it asks once. */
export const ConfirmButton = (props: {
  readonly label: string
  readonly question: string
  readonly act: Action<[]>
}) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const failed = useSignal(false)
  const confirm = async () => {
    await props.act.run()
    failed.value = true
    dialog.current?.close()
  }
  return (
    <>
      <button type="button" class="button danger" onClick={() => dialog.current?.showModal()}>
        {props.label}
      </button>
      {failed.value && props.act.error !== null && <Failure error={props.act.error} />}
      <dialog ref={dialog} aria-labelledby="question">
        <p id="question">{props.question}</p>
        <div class="actions">
          <button type="button" class="button" onClick={() => dialog.current?.close()}>
            Keep it
          </button>
          <button type="button" class="button danger" disabled={props.act.busy} onClick={confirm}>
            {props.label}
          </button>
        </div>
      </dialog>
    </>
  )
}
