import type { PhoneNumber } from "outdial/client"
import { useEffect, useRef, useState } from "preact/hooks"
import { Failure } from "../components/States.tsx"
import { useAction } from "../data/Action.ts"

/** A number's label, and the field that changes it. */
export const Label = (props: {
  readonly number: PhoneNumber
  readonly isEdited: boolean
  readonly onEdit: (isEdited: boolean) => void
  readonly onSaved: () => void
}) => {
  const { id, label, number } = props.number
  const [typed, setTyped] = useState("")
  const field = useRef<HTMLInputElement>(null)
  const saving = useAction(async (api) => {
    await api.phoneNumbers.update(id, { label: typed.trim() === "" ? null : typed.trim() })
    props.onSaved()
    props.onEdit(false)
  })
  useEffect(() => {
    if (props.isEdited) field.current?.focus()
  }, [props.isEdited])

  if (!props.isEdited) {
    return (
      <span class="editable">
        {label ?? <span class="none">–</span>}
        <button
          type="button"
          class="button plain"
          onClick={() => {
            setTyped(label ?? "")
            props.onEdit(true)
          }}
        >
          Change<span class="visually-hidden"> the label of {number}</span>
        </button>
      </span>
    )
  }
  return (
    <form
      class="editable"
      onSubmit={(event) => {
        event.preventDefault()
        void saving.run()
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") props.onEdit(false)
      }}
    >
      <input
        ref={field}
        aria-label={`Label of ${number}`}
        value={typed}
        autocomplete="off"
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
      <button class="button" type="submit" disabled={saving.busy}>
        Save
      </button>
      <button class="button plain" type="button" onClick={() => props.onEdit(false)}>
        Leave it
      </button>
      {saving.error !== null && <Failure error={saving.error} />}
    </form>
  )
}
