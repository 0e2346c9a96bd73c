import { useSignal } from "@preact/signals"
import type { Webhook } from "outdial/client"
import { ConfirmButton } from "../components/Confirm.tsx"
import { ChecksField, TextField } from "../components/Fields.tsx"
import { Fold } from "../components/Fold.tsx"
import { Form } from "../components/Form.tsx"
import { notify } from "../components/Notice.tsx"
import { Once } from "../components/Once.tsx"
import { Page } from "../components/Page.tsx"
import { Failure, Shown } from "../components/States.tsx"
import { Facts, Time } from "../components/Values.tsx"
import { useAction } from "../data/Action.ts"
import { useResource } from "../data/Resource.ts"
import { navigate, to } from "../router/Location.ts"
import { Deliveries } from "./Deliveries.tsx"
import { kinds, kindsHint, kindsOf } from "./Kinds.ts"
import { WebhookState } from "./WebhookList.tsx"

const Change = (props: { readonly webhook: Webhook; readonly onChanged: () => void }) => {
  const { webhook } = props
  const url = useSignal(webhook.url)
  const event_types = useSignal(webhook.event_types)
  const saving = useAction(async (api) => {
    await api.webhooks.update(webhook.id, { url: url.value.trim(), event_types: event_types.value })
    notify("The webhook is changed.")
    props.onChanged()
  })
  return (
    <Form action={saving} class="stack form" submit="Save the change" failure="It was not changed.">
      <TextField label="Address" required value={url.value} onChange={(value) => (url.value = value)} />
      <ChecksField
        label="Events"
        hint={kindsHint}
        options={kinds}
        value={event_types.value}
        onChange={(value) => (event_types.value = value)}
      />
    </Form>
  )
}

/** An endpoint: what is sent to it, what came of that, and what one may do with it. */
export const WebhookPage = ({ params }: { readonly params: { readonly webhook_id?: string } }) => {
  const id = params.webhook_id!
  const found = useResource((api, options) => api.webhooks.get(id, options), [id])
  const secret = useSignal<string | null>(null)
  const testing = useAction(async (api) => {
    const { id: delivery_id } = await api.webhooks.test(id)
    navigate(to(`/webhooks/${id}/deliveries/${delivery_id}`))
  })
  const rotating = useAction(async (api) => {
    secret.value = (await api.webhooks.rotate(id)).secret
  })
  const disabling = useAction(async (api) => {
    await api.webhooks.update(id, { status: "disabled" })
    found.reload()
  })
  const enabling = useAction(async (api) => {
    await api.webhooks.update(id, { status: "active" })
    notify("Events are sent to it from now on.")
    found.reload()
  })
  const removing = useAction(async (api) => {
    await api.webhooks.remove(id)
    notify("The webhook is removed.")
    navigate(to("/webhooks"))
  })
  const webhook = found.data
  const error = testing.error ?? enabling.error
  return (
    <Page
      title={webhook === null ? "Webhook" : webhook.url}
      aside={webhook === null ? null : <WebhookState webhook={webhook} />}
      actions={
        webhook === null ? undefined : (
          <>
            <ConfirmButton
              label="Remove"
              question="Remove this webhook, with all that is known of its deliveries?"
              act={removing}
            />
            {webhook.status === "active" ? (
              <>
                <ConfirmButton
                  label="Disable"
                  question="Disable this webhook? What is on its way to it is not sent; it can be sent again later."
                  act={disabling}
                />
                <button
                  type="button"
                  class="button primary"
                  disabled={testing.busy}
                  onClick={() => void testing.run()}
                >
                  Send a test event
                </button>
              </>
            ) : (
              <button
                type="button"
                class="button primary"
                disabled={enabling.busy}
                onClick={() => void enabling.run()}
              >
                Enable
              </button>
            )}
          </>
        )
      }
    >
      {error !== null && <Failure error={error} />}
      <Shown resource={found} what="the webhook">
        {(webhook) => (
          <div class="stack">
            {secret.value !== null && (
              <Once
                label="The new secret; the old one signs beside it for 24 hours."
                value={secret.value}
                onDone={() => (secret.value = null)}
              />
            )}
            <Facts
              facts={[
                ["Events", kindsOf(webhook.event_types)],
                ["Added", <Time at={webhook.created_at} full />],
                ["Changed", <Time at={webhook.updated_at} full />]
              ]}
            />
            <Fold title="Change the address, the events or the secret">
              <Change key={webhook.updated_at} webhook={webhook} onChanged={found.reload} />
              <div>
                <ConfirmButton
                  label="Rotate the secret"
                  destroys={false}
                  question="Make a new secret? It is shown once. Events are signed with both for 24 hours."
                  act={rotating}
                />
              </div>
            </Fold>
            <Deliveries webhook={webhook} />
          </div>
        )}
      </Shown>
    </Page>
  )
}
