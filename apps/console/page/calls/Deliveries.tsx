import type { Delivery } from "outdial/client"
import { useState } from "preact/hooks"
import { Section } from "../components/Page.tsx"
import { Shown } from "../components/States.tsx"
import { Status, Time } from "../components/Values.tsx"
import { useLive } from "../data/Live.ts"
import { useResource } from "../data/Resource.ts"

/** How many of each endpoint's newest deliveries are looked through: no list of one call's is there. */
const looked = 100

const Bodies = ({ delivery }: { readonly delivery: Delivery }) => {
  const found = useResource((api, options) =>
    api.webhooks.delivery(delivery.webhook_id, delivery.id, options)
  )
  return (
    <Shown resource={found} what="the bodies">
      {({ request_body, response_body }) => (
        <>
          <p class="hint">Sent</p>
          <pre tabIndex={0}>{request_body}</pre>
          {response_body !== null && (
            <>
              <p class="hint">Answered</p>
              <pre tabIndex={0}>{response_body}</pre>
            </>
          )}
        </>
      )}
    </Shown>
  )
}

const Row = ({ delivery, url }: { readonly delivery: Delivery; readonly url: string }) => {
  const [open, setOpen] = useState(false)
  const { attempts, created_at, event_type, last_error, response_status, status } = delivery
  return (
    <li>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <code>{event_type}</code> <Status value={status} /> <Time at={created_at} />{" "}
          <span class="second">
            {url}
            {response_status === null ? "" : `, answered ${response_status}`}
            {attempts > 1 ? `, ${attempts} tries` : ""}
            {last_error === null ? "" : `, ${last_error}`}
          </span>
        </summary>
        {open && <Bodies delivery={delivery} />}
      </details>
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
          const { data } = await api.webhooks.deliveries(id, { limit: looked }, options)
          return data
            .filter((delivery) => delivery.call_id === call_id)
            .map((delivery) => ({ delivery, url }))
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
              {endpoints === 0
                ? "The workspace has no webhooks."
                : `There are none of this call among the newest ${looked} of each endpoint.`}
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
