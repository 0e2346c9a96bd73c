import type { Delivery } from "outdial/client"
import { notify } from "../components/Notice.tsx"
import { Page, Section } from "../components/Page.tsx"
import { Failure, Shown } from "../components/States.tsx"
import { type Fact, Facts, Raw, Time } from "../components/Values.tsx"
import { useAction } from "../data/Action.ts"
import { count, words } from "../data/Format.ts"
import { useLive } from "../data/Live.ts"
import { useResource } from "../data/Resource.ts"
import { to } from "../router/Location.ts"
import { Bodies } from "./Bodies.tsx"
import { DeliveryState } from "./DeliveryColumns.tsx"

const factsOf = (delivery: Delivery): ReadonlyArray<Fact> => [
  ["Tries", count(delivery.attempts)],
  ["Answered", delivery.response_status],
  ["Error", delivery.last_error],
  ["Next try", delivery.next_attempt_at === null ? null : <Time at={delivery.next_attempt_at} full />],
  ["Delivered", delivery.delivered_at === null ? null : <Time at={delivery.delivered_at} full />],
  ["Made", <Time at={delivery.created_at} full />],
  [
    "Call",
    delivery.call_id === null ? null : <a href={to(`/calls/${delivery.call_id}`)}>{delivery.call_id}</a>
  ],
  ["Event", <code>{delivery.event_id}</code>]
]

/** One event on its way to one endpoint, with what was sent and answered. */
export const DeliveryPage = (props: {
  readonly params: { readonly webhook_id?: string; readonly delivery_id?: string }
}) => {
  const webhook_id = props.params.webhook_id!
  const delivery_id = props.params.delivery_id!
  const found = useResource(
    async (api, options) => {
      const [delivery, webhook] = await Promise.all([
        api.webhooks.delivery(webhook_id, delivery_id, options),
        api.webhooks.get(webhook_id, options)
      ])
      return { delivery, webhook }
    },
    [webhook_id, delivery_id]
  )
  useLive(found.reload, (event) => event.type === "delivery" && event.record.id === delivery_id)
  const redelivering = useAction(async (api) => {
    await api.webhooks.redeliver(webhook_id, delivery_id)
    notify("The event is on its way again.")
    found.reload()
  })
  const delivery = found.data?.delivery ?? null
  return (
    <Page
      title={delivery === null ? "Delivery" : words(delivery.event_type)}
      aside={delivery === null ? null : <DeliveryState delivery={delivery} />}
      actions={
        delivery === null || delivery.status === "pending" ? undefined : (
          <button
            type="button"
            class="button primary"
            disabled={redelivering.busy}
            onClick={() => void redelivering.run()}
          >
            Send it again
          </button>
        )
      }
    >
      {redelivering.error !== null && <Failure error={redelivering.error} what="It was not sent." />}
      <Shown resource={found} what="the delivery">
        {({ delivery, webhook }) => (
          <>
            <p class="hint lead">
              To <a href={to(`/webhooks/${webhook.id}`)}>{webhook.url}</a>
            </p>
            <Facts facts={factsOf(delivery)} />
            <Section title="Request and answer">
              <Bodies delivery={delivery} />
            </Section>
            <Raw title="The delivery's record" value={delivery} />
          </>
        )}
      </Shown>
    </Page>
  )
}
