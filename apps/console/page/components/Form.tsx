import type { ComponentChildren } from "preact"
import type { Action } from "../data/Action.ts"
import { Failure } from "./States.tsx"

/** Fields, and the button that sends them in, above which is said why that failed. */
export const Form = (props: {
  readonly action: Action<[]>
  /** What the button says; `busy` is what it says while the action is under way. */
  readonly submit: string
  readonly busy?: string
  /** What did not happen, said before the reason. */
  readonly failure: string
  readonly disabled?: boolean
  readonly isPrimary?: boolean
  readonly class?: string
  /** What else there is to do, beside the button. */
  readonly actions?: ComponentChildren
  readonly below?: ComponentChildren
  readonly children?: ComponentChildren
}) => {
  const { busy, error, run } = props.action
  return (
    <form
      class={props.class ?? "card stack form"}
      onSubmit={(event) => {
        event.preventDefault()
        void run()
      }}
    >
      {props.children}
      {error !== null && <Failure error={error} what={props.failure} />}
      <div class="actions">
        <button
          class={props.isPrimary === false ? "button" : "button primary"}
          type="submit"
          disabled={busy || props.disabled === true}
        >
          {busy ? (props.busy ?? props.submit) : props.submit}
        </button>
        {props.actions}
      </div>
      {props.below}
    </form>
  )
}
