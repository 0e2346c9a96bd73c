import type { ComponentChildren } from "preact"
import { useId, useRef } from "preact/hooks"
import type { Action } from "../data/Action.ts"
import { Failure } from "./States.tsx"

/** A button of an act that no other undoes: it asks once, and tells in the same place why the act failed. */
export const ConfirmButton = (props: {
  readonly label: string
  readonly question: ComponentChildren
  readonly act: Action<[]>
  readonly disabled?: boolean
  /** What it acts on, for screen readers, where a list has many buttons of one label. */
  readonly of?: string
  /** Whether it takes something away, as most such acts do. */
  readonly destroys?: boolean
}) => {
  const { destroys = true } = props
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const confirm = async () => {
    if (await props.act.run()) dialog.current?.close()
  }
  return (
    <>
      <button
        type="button"
        class={destroys ? "button danger" : "button"}
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
            {destroys ? "Keep it" : "Not now"}
          </button>
          <button
            type="button"
            class={destroys ? "button danger" : "button primary"}
            disabled={props.act.busy}
            onClick={confirm}
          >
            {props.label}
          </button>
        </div>
      </dialog>
    </>
  )
}
