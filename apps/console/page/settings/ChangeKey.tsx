import { useSignal } from "@preact/signals"
import type { ApiKey } from "outdial/client"
import { useEffect, useRef } from "preact/hooks"
import { MomentField, TextField } from "../components/Fields.tsx"
import { Form } from "../components/Form.tsx"
import { notify } from "../components/Notice.tsx"
import { useAction } from "../data/Action.ts"
import { localTime } from "../data/Format.ts"

/** What of a key may be changed: its name, and when it expires. */
export const ChangeKey = (props: {
  readonly apiKey: ApiKey
  readonly onChanged: () => void
  readonly onLeft: () => void
}) => {
  const { expires_at, id, name: before } = props.apiKey
  const name = useSignal(before)
  const expiry = expires_at === null ? "" : localTime(new Date(expires_at))
  const expires = useSignal(expiry)
  const place = useRef<HTMLDivElement>(null)
  const saving = useAction(async (api) => {
    await api.apiKeys.update(id, {
      name: name.value,
      ...(expires.value !== expiry && {
        expires_at: expires.value === "" ? null : new Date(expires.value).toISOString()
      })
    })
    notify("The key is changed.")
    props.onChanged()
  })
  useEffect(() => place.current?.querySelector("input")?.focus(), [])
  return (
    <div ref={place}>
      <Form
        action={saving}
        submit="Save the key"
        busy="Saving…"
        failure="The key was not changed."
        actions={
          <button type="button" class="button plain" onClick={props.onLeft}>
            Leave it
          </button>
        }
      >
        <TextField
          label={`Name of ${before}`}
          required
          value={name.value}
          onChange={(value) => (name.value = value)}
        />
        <MomentField
          label="Expires"
          hint="Empty: it does not expire."
          value={expires.value}
          onChange={(value) => (expires.value = value)}
        />
      </Form>
    </div>
  )
}
