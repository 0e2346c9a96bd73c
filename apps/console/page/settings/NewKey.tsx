import { useSignal } from "@preact/signals"
import { ChecksField, MomentField, TextField } from "../components/Fields.tsx"
import { Form } from "../components/Form.tsx"
import { Once } from "../components/Once.tsx"
import { useAction } from "../data/Action.ts"
import { navigate, to } from "../router/Location.ts"
import { type Scope, scopes } from "./Scopes.ts"
import { SettingsPage } from "./SettingsPage.tsx"

export const NewKey = () => {
  const name = useSignal("")
  const chosen = useSignal<ReadonlyArray<Scope>>(["sessions:read", "sessions:write"])
  const expires = useSignal("")
  const made = useSignal<string | null>(null)
  const creating = useAction(async (api) => {
    const { key } = await api.apiKeys.create({
      name: name.value,
      scopes: chosen.value,
      expires_at: expires.value === "" ? null : new Date(expires.value).toISOString()
    })
    made.value = key
  })
  return (
    <SettingsPage title="New API key">
      {made.value !== null ? (
        <div class="form">
          <Once
            label={`The key ${name.value}.`}
            value={made.value}
            onDone={() => navigate(to("/settings/keys"), { replace: true })}
          />
        </div>
      ) : (
        <Form
          action={creating}
          submit="Make the key"
          failure="No key was made."
          disabled={chosen.value.length === 0}
        >
          <TextField
            label="Name"
            required
            hint="What it is for, such as the program that uses it."
            value={name.value}
            onChange={(value) => (name.value = value)}
          />
          <ChecksField
            label="What it may do"
            hint="No more than the key that you are signed in with."
            options={scopes.map(([scope, label]) => [scope, `${label} (${scope})`] as const)}
            value={chosen.value}
            onChange={(value) => (chosen.value = value)}
          />
          <MomentField
            label="Expires"
            hint="Empty: it does not expire."
            value={expires.value}
            onChange={(value) => (expires.value = value)}
          />
        </Form>
      )}
    </SettingsPage>
  )
}
