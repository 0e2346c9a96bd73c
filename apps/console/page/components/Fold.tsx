import type { ComponentChildren } from "preact"
import { useState } from "preact/hooks"

/** What is shown once it is opened; `open` says only how it begins. */
export const Fold = (props: {
  readonly title: ComponentChildren
  readonly open?: boolean
  readonly class?: string
  readonly children: ComponentChildren
}) => {
  const [open, setOpen] = useState(props.open ?? false)
  return (
    <details class={props.class} open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{props.title}</summary>
      {open && <div class="stack inner">{props.children}</div>}
    </details>
  )
}
