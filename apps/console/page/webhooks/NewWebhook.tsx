import { useSignal } from "@preact/signals"
import type { WebhookWithSecret } from "outdial/client"
import { ChecksField, TextField } from "../components/Fields.tsx"
import { Form } from "../components/Form.tsx"
import { Once } from "../components/Once.tsx"
import { Page } from "../components/Page.tsx"
import { useAction } from "../data/Action.ts"
import { navigate, to } from "../router/Location.ts"
import { type EventType, kinds, kindsHint } from "./Kinds.ts"

export const NewWebhook = () => {
  const url = useSignal("")
  const event_types = useSignal<ReadonlyArray<EventType>>([])
  const made = useSignal<WebhookWithSecret | null>(null)
  const creating = useAction(async (api) => {
    made.value = await api.webhooks.create({ url: url.value.trim(), event_types: event_types.value })
  })
  if (made.value !== null) {
    const { id, secret } = made.value
    return (
      <Page title="New webhook">
        <div class="stack form">
          <p>Events are sent to {made.value.url} from now on.</p>
          <Once
            label="The secret that signs the events."
            value={secret}
            onDone={() => navigate(to(`/webhooks/${id}`), { replace: true })}
          />
        </div>
      </Page>
    )
  }
  return (
    <Page title="New webhook">
      <Form action={creating} submit="Add the webhook" failure="It was not added.">
        <TextField
          label="Address"
          required
          hint="A public https or http address, which is sent each event as a POST."
          value={url.value}
          onChange={(value) => (url.value = value)}
        />
        <ChecksField
          label="Events"
          hint={kindsHint}
          options={kinds}
          value={event_types.value}
          onChange={(value) => (event_types.value = value)}
        />
      </Form>
    </Page>
  )
}
