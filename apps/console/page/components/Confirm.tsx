import type { ComponentChildren } from "preact"
import { useId, useRef } from "preact/hooks"
import type { Action } from "../data/Action.ts"
import { Failure } from "./States.tsx"

/** A button of an act that cannot be undone: it asks once, and tells in the same place why the act failed. */
export const ConfirmButton = (props: {
  readonly label: string
  readonly question: ComponentChildren
  readonly act: Action<[]>
  readonly disabled?: boolean
  /** What it acts on, for screen readers, where a list has many buttons of one label. */
  readonly of?: string
}) => {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const confirm = async () => {
    if (await props.act.run()) dialog.current?.close()
  }
  return (
    <>
      <button
        type="button"
        class="button danger"
        disabled={props.disabled}
        onClick={() => dialog.current?.showModal()}
      >
        {props.label}
        {props.of !== undefined && <span class="visually-hidden"> {props.of}</span>}
      </button>
      <dialog ref={dialog} aria-labelledby={id}>
        <p id={id}>{props.question}</p>
        {props.act.error !== null && <Failure error={props.act.error} />}
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
