import { useSignal } from "@preact/signals"
import { ConfirmButton } from "../components/Confirm.tsx"
import { ChoiceField, MomentField } from "../components/Fields.tsx"
import { Fold } from "../components/Fold.tsx"
import { notify } from "../components/Notice.tsx"
import { useAction } from "../data/Action.ts"
import { fullTime, localTime, plural } from "../data/Format.ts"

const hour = 3_600_000

const statuses = [
  ["dead", "Dead: given up"],
  ["delivered", "Delivered"],
  ["both", "Both"]
] as const

/** Sends what was made since a time again: after an outage of the receiver. */
export const Redelivery = (props: { readonly webhook_id: string; readonly onSent: () => void }) => {
  const since = useSignal(localTime(new Date(Date.now() - hour)))
  const status = useSignal<"dead" | "delivered" | "both">("dead")
  const sending = useAction(async (api) => {
    const { redelivered } = await api.webhooks.redeliverSince(props.webhook_id, {
      since: new Date(since.value).toISOString(),
      ...(status.value !== "both" && { status: status.value })
    })
    notify(`${plural(redelivered, "event")} on the way again.`)
    props.onSent()
  })
  return (
    <Fold title="Send all since a time again" class="below">
      <div class="pair form">
        <MomentField label="Made since" value={since.value} onChange={(value) => (since.value = value)} />
        <ChoiceField
          label="Which"
          options={statuses}
          value={status.value}
          onChange={(value) => (status.value = value)}
        />
      </div>
      <p class="hint">
        They are sent in order, with a full set of tries. A receiver tells repeats by webhook-id.
      </p>
      <div>
        <ConfirmButton
          label="Send them again"
          destroys={false}
          question={since.value === "" ? "" : `Send again what was made since ${fullTime(since.value)}?`}
          disabled={since.value === ""}
          act={sending}
        />
      </div>
    </Fold>
  )
}
