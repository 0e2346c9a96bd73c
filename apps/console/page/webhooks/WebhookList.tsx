import type { Webhook } from "outdial/client"
import { Listed } from "../components/Listed.tsx"
import { Page } from "../components/Page.tsx"
import { Empty } from "../components/States.tsx"
import type { Column } from "../components/Table.tsx"
import { Badge, Time } from "../components/Values.tsx"
import { useList } from "../data/List.ts"
import { to } from "../router/Location.ts"
import { kindsOf } from "./Kinds.ts"

/** Whether events are sent to it, and why not. */
export const WebhookState = ({
  webhook
}: {
  readonly webhook: Pick<Webhook, "status" | "disabled_reason">
}) =>
  webhook.status === "active" ? (
    <Badge tone="good">Active</Badge>
  ) : webhook.disabled_reason === "gone" ? (
    <Badge tone="bad">Disabled: the receiver answered 410</Badge>
  ) : (
    <Badge tone="quiet">Disabled</Badge>
  )

const columns: ReadonlyArray<Column<Webhook>> = [
  { label: "Address", cell: ({ url }) => url },
  { label: "State", cell: (webhook) => <WebhookState webhook={webhook} /> },
  { label: "Events", kind: "wide", cell: ({ event_types }) => kindsOf(event_types) },
  { label: "Added", cell: ({ created_at }) => <Time at={created_at} /> }
]

export const WebhookList = () => {
  const webhooks = useList((api, slice, options) => api.webhooks.list(slice, options))
  const create = (
    <a class="button primary" href={to("/webhooks/new")}>
      New webhook
    </a>
  )
  return (
    <Page title="Webhooks" actions={create}>
      <Listed
        resource={webhooks}
        what="webhooks"
        caption="Webhooks, newest first"
        columns={columns}
        id={({ id }) => id}
        href={({ id }) => to(`/webhooks/${id}`)}
        empty={
          <Empty title="No webhooks yet" action={create}>
            A webhook is an address of yours that is told what happens: that a call has ended, that a
            recording is ready.
          </Empty>
        }
      />
    </Page>
  )
}
