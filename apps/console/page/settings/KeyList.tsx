import { useSignal } from "@preact/signals"
import type { ApiKey } from "outdial/client"
import { ConfirmButton } from "../components/Confirm.tsx"
import { Listed } from "../components/Listed.tsx"
import { notify } from "../components/Notice.tsx"
import { Empty } from "../components/States.tsx"
import type { Column } from "../components/Table.tsx"
import { Badge, Time } from "../components/Values.tsx"
import { useAction } from "../data/Action.ts"
import { useList } from "../data/List.ts"
import { to } from "../router/Location.ts"
import { keyId } from "../session/Session.ts"
import { ChangeKey } from "./ChangeKey.tsx"
import { scopes as allScopes } from "./Scopes.ts"
import { SettingsPage } from "./SettingsPage.tsx"

const isExpired = ({ expires_at }: ApiKey) => expires_at !== null && Date.parse(expires_at) <= Date.now()

const KeyState = ({ apiKey }: { readonly apiKey: ApiKey }) =>
  apiKey.revoked_at !== null ? (
    <Badge tone="bad">Revoked</Badge>
  ) : isExpired(apiKey) ? (
    <Badge tone="warn">Expired</Badge>
  ) : apiKey.id === keyId.value ? (
    <Badge tone="busy">Signed in with it</Badge>
  ) : (
    <Badge tone="good">Good</Badge>
  )

const Revoke = (props: { readonly apiKey: ApiKey; readonly onRevoked: () => void }) => {
  const { apiKey } = props
  const revoking = useAction(async (api) => {
    await api.apiKeys.revoke(apiKey.id)
    notify("The key is revoked.")
    props.onRevoked()
  })
  return (
    <ConfirmButton
      label="Revoke"
      question={
        apiKey.id === keyId.value
          ? `Revoke ${apiKey.name}? It is the key that you are signed in with: this ends your session too.`
          : `Revoke ${apiKey.name}? What uses it is refused from then on, for good.`
      }
      act={revoking}
    />
  )
}

export const KeyList = () => {
  const keys = useList((api, slice, options) => api.apiKeys.list(slice, options))
  const changed = useSignal<ApiKey | null>(null)
  const create = (
    <a class="button primary" href={to("/settings/keys/new")}>
      New API key
    </a>
  )
  const columns: ReadonlyArray<Column<ApiKey>> = [
    {
      label: "Name",
      cell: ({ id, name }) => (
        <>
          {name}
          <span class="second numeric">od_live_{id}_…</span>
        </>
      )
    },
    { label: "State", cell: (apiKey) => <KeyState apiKey={apiKey} /> },
    {
      label: "Scopes",
      kind: "wide",
      cell: ({ scopes }) =>
        scopes.length === allScopes.length ? "All" : <span class="second">{scopes.join(", ")}</span>
    },
    {
      label: "Last used",
      cell: ({ last_used_at }) => (last_used_at === null ? "Never" : <Time at={last_used_at} />)
    },
    {
      label: "Expires",
      cell: ({ expires_at }) => (expires_at === null ? "Never" : <Time at={expires_at} />)
    },
    {
      label: "Acts",
      kind: "acts",
      cell: (apiKey) =>
        apiKey.revoked_at === null && (
          <>
            <button type="button" class="button" onClick={() => (changed.value = apiKey)}>
              Change<span class="visually-hidden"> {apiKey.name}</span>
            </button>
            <Revoke apiKey={apiKey} onRevoked={keys.reload} />
          </>
        )
    }
  ]
  return (
    <SettingsPage title="API keys" actions={create}>
      <div class="stack">
        {changed.value !== null && (
          <ChangeKey
            key={changed.value.id}
            apiKey={changed.value}
            onChanged={() => {
              changed.value = null
              keys.reload()
            }}
            onLeft={() => (changed.value = null)}
          />
        )}
        <Listed
          resource={keys}
          what="keys"
          caption="API keys of the workspace"
          columns={columns}
          id={({ id }) => id}
          empty={<Empty title="No keys yet" action={create} />}
        />
      </div>
    </SettingsPage>
  )
}
