import type { Delivery } from "outdial/client"
import type { Column } from "../components/Table.tsx"
import { Badge, Status, Time } from "../components/Values.tsx"
import { count, words } from "../data/Format.ts"
import { to } from "../router/Location.ts"

/** Where a delivery stands: one that has failed and is tried again is said to. */
export const DeliveryState = ({ delivery }: { readonly delivery: Delivery }) =>
  delivery.status === "pending" && delivery.attempts > 0 ? (
    <Badge tone="warn">Failing</Badge>
  ) : (
    <Status value={delivery.status} />
  )

export const columns: ReadonlyArray<Column<Delivery>> = [
  { label: "Event", cell: ({ event_type }) => words(event_type) },
  { label: "State", cell: (delivery) => <DeliveryState delivery={delivery} /> },
  {
    label: "Answer",
    cell: ({ last_error, response_status, status }) =>
      status === "delivered" ? response_status : (last_error ?? response_status ?? "–")
  },
  { label: "Tries", kind: "number", cell: ({ attempts }) => count(attempts) },
  { label: "Next try", cell: ({ next_attempt_at }) => <Time at={next_attempt_at} /> },
  { label: "Made", cell: ({ created_at }) => <Time at={created_at} /> }
]

export const addressOf = ({ id, webhook_id }: Delivery): string =>
  to(`/webhooks/${webhook_id}/deliveries/${id}`)
