import { useState } from "preact/hooks"

/** A secret that the server shows this one time. */
export const Once = (props: {
  readonly label: string
  readonly value: string
  readonly onDone: () => void
}) => {
  const [copied, setCopied] = useState(false)
  const copy = () =>
    navigator.clipboard.writeText(props.value).then(
      () => setCopied(true),
      () => setCopied(false)
    )
  return (
    <section class="once stack" aria-label={props.label}>
      <p>
        <strong>{props.label}</strong> Copy it now: it is not shown again.
      </p>
      <code tabIndex={0}>{props.value}</code>
      <div class="actions">
        {navigator.clipboard !== undefined && (
          <button type="button" class="button" onClick={() => void copy()}>
            {copied ? "Copied" : "Copy"}
          </button>
        )}
        <button type="button" class="button" onClick={props.onDone}>
          I have kept it
        </button>
      </div>
    </section>
  )
}
