import type { ListDeliveriesQuery, Webhook } from "outdial/client"
import { type Filter, Filters } from "../components/Filters.tsx"
import { Listed } from "../components/Listed.tsx"
import { Section } from "../components/Page.tsx"
import { Empty } from "../components/States.tsx"
import { useList } from "../data/List.ts"
import { useLive } from "../data/Live.ts"
import { place } from "../router/Location.ts"
import { addressOf, columns } from "./DeliveryColumns.tsx"
import { Redelivery } from "./Redelivery.tsx"

const filters: ReadonlyArray<Filter> = [
  {
    name: "status",
    label: "State",
    options: [
      ["pending", "Pending or failing"],
      ["delivered", "Delivered"],
      ["dead", "Dead: given up"]
    ]
  },
  { name: "call_id", label: "Call", hint: "call_…" }
]

/** What was sent to an endpoint or is on its way, and the way to send it again. */
export const Deliveries = ({ webhook }: { readonly webhook: Webhook }) => {
  const { query } = place.value
  const deliveries = useList(
    (api, slice, options) =>
      api.webhooks.deliveries(
        webhook.id,
        {
          ...slice,
          status: (query.get("status") ?? undefined) as ListDeliveriesQuery["status"],
          call_id: query.get("call_id") ?? undefined
        },
        options
      ),
    [webhook.id]
  )
  useLive(deliveries.reload, (event) => event.type === "delivery" && event.record.webhook_id === webhook.id)
  return (
    <Section title="Deliveries" aside={<span class="hint">Kept for 30 days</span>}>
      <Filters filters={filters} />
      <Listed
        resource={deliveries}
        what="deliveries"
        caption="Deliveries, newest first"
        columns={columns}
        id={({ id }) => id}
        href={addressOf}
        empty={<Empty title="Nothing was sent to it yet" />}
      />
      {webhook.status === "active" && <Redelivery webhook_id={webhook.id} onSent={deliveries.reload} />}
    </Section>
  )
}
