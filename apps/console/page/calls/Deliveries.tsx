import type { Delivery } from "outdial/client"
import { Fold } from "../components/Fold.tsx"
import { Section } from "../components/Page.tsx"
import { Shown } from "../components/States.tsx"
import { Time } from "../components/Values.tsx"
import { useLive } from "../data/Live.ts"
import { useResource } from "../data/Resource.ts"
import { to } from "../router/Location.ts"
import { ReadBodies } from "../webhooks/Bodies.tsx"
import { addressOf, DeliveryState } from "../webhooks/DeliveryColumns.tsx"

const Row = ({ delivery, url }: { readonly delivery: Delivery; readonly url: string }) => {
  const { attempts, created_at, event_type, last_error, response_status } = delivery
  const notes = [
    url,
    response_status === null ? null : `answered ${response_status}`,
    attempts > 1 ? `${attempts} tries` : null,
    response_status === null ? last_error : null
  ]
  return (
    <li>
      <Fold
        title={
          <>
            <code>{event_type}</code> <DeliveryState delivery={delivery} /> <Time at={created_at} />{" "}
            <span class="second">{notes.filter((note) => note !== null).join(", ")}</span>
          </>
        }
      >
        <ReadBodies delivery={delivery} />
        <a href={addressOf(delivery)}>The delivery, to send it again</a>
      </Fold>
    </li>
  )
}

/** The events of a call that were sent to endpoints, with what was sent and answered. */
export const Deliveries = ({ call_id }: { readonly call_id: string }) => {
  const found = useResource(
    async (api, options) => {
      const endpoints = await api.webhooks.list({ limit: 100 }, options)
      const lists = await Promise.all(
        endpoints.data.map(async ({ id, url }) => {
          const { data } = await api.webhooks.deliveries(id, { call_id, limit: 100 }, options)
          return data.map((delivery) => ({ delivery, url }))
        })
      )
      return { endpoints: endpoints.data.length, rows: lists.flat() }
    },
    [call_id]
  )
  useLive(found.reload, (event) => event.type === "delivery" && event.record.call_id === call_id)
  return (
    <Section title="Webhook deliveries">
      <Shown resource={found} what="deliveries">
        {({ endpoints, rows }) =>
          rows.length === 0 ? (
            <p class="hint">
              {endpoints === 0 ? (
                <>
                  The workspace has no webhooks. <a href={to("/webhooks/new")}>Add one</a>
                </>
              ) : (
                "Nothing of this call was sent to a webhook, or it is no longer kept."
              )}
            </p>
          ) : (
            <ul class="deliveries">
              {rows.map((row) => (
                <Row key={row.delivery.id} {...row} />
              ))}
            </ul>
          )
        }
      </Shown>
    </Section>
  )
}
