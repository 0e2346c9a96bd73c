import type { Delivery, DeliveryWithBodies } from "outdial/client"
import { Shown } from "../components/States.tsx"
import { laidOut } from "../data/Json.ts"
import { useResource } from "../data/Resource.ts"

/** What was sent to an endpoint, and what it answered the last try. */
export const Bodies = ({ delivery }: { readonly delivery: DeliveryWithBodies }) => {
  const { request_body, response_body, response_status } = delivery
  return (
    <div class="bodies">
      <div>
        <h3>Sent</h3>
        <pre tabIndex={0}>{laidOut(request_body)}</pre>
      </div>
      <div>
        <h3>Answered{response_status === null ? "" : ` ${response_status}`}</h3>
        {response_body === null ? (
          <p class="hint">{response_status === null ? "There was no answer." : "The answer had no body."}</p>
        ) : (
          <pre tabIndex={0}>{laidOut(response_body)}</pre>
        )}
      </div>
    </div>
  )
}

/** The same, read first, and again once the delivery has moved on. */
export const ReadBodies = ({ delivery }: { readonly delivery: Delivery }) => {
  const { id, updated_at, webhook_id } = delivery
  const found = useResource(
    (api, options) => api.webhooks.delivery(webhook_id, id, options),
    [id, updated_at]
  )
  return (
    <Shown resource={found} what="the bodies">
      {(delivery) => <Bodies delivery={delivery} />}
    </Shown>
  )
}
