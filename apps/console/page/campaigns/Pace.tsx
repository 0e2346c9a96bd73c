import { useSignal } from "@preact/signals"
import type { Campaign } from "outdial/client"
import { CapField } from "../components/Fields.tsx"
import { Form } from "../components/Form.tsx"
import { Section } from "../components/Page.tsx"
import { useAction } from "../data/Action.ts"

export const paceHints = {
  max_concurrency: "Empty: as many as the workspace may have.",
  calls_per_minute: "Empty: as many as the workspace may start."
}

/** How fast it calls, which may be changed while it runs. */
export const Pace = (props: {
  readonly campaign: Campaign
  readonly onChanged: (campaign: Campaign) => void
}) => {
  const { calls_per_minute, id, max_concurrency } = props.campaign
  const concurrency = useSignal(max_concurrency)
  const perMinute = useSignal(calls_per_minute)
  const isChanged = concurrency.value !== max_concurrency || perMinute.value !== calls_per_minute
  const saving = useAction(async (api) => {
    props.onChanged(
      await api.campaigns.update(id, {
        max_concurrency: concurrency.value,
        calls_per_minute: perMinute.value
      })
    )
  })
  return (
    <Section title="Pace">
      <Form
        action={saving}
        submit={isChanged ? "Change the pace" : "Pace as set"}
        busy="Changing…"
        failure="The pace was not changed."
        disabled={!isChanged}
        isPrimary={false}
      >
        <div class="pair">
          <CapField
            label="Calls at one time"
            most={100_000}
            hint={paceHints.max_concurrency}
            value={concurrency.value}
            onChange={(value) => (concurrency.value = value)}
          />
          <CapField
            label="Calls a minute"
            most={60_000}
            hint={paceHints.calls_per_minute}
            value={perMinute.value}
            onChange={(value) => (perMinute.value = value)}
          />
        </div>
      </Form>
    </Section>
  )
}
