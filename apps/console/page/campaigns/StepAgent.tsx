import { useSignal } from "@preact/signals"
import { Failure } from "../components/States.tsx"
import { useAction } from "../data/Action.ts"
import { navigate } from "../router/Location.ts"
import { BasicFields, type BasicValues, WithChoices } from "./Basics.tsx"
import type { StepProps } from "./Setup.tsx"
import { stepAddress } from "./Steps.tsx"

export const StepAgent = ({ campaign, onChanged }: StepProps) => {
  const values = useSignal<BasicValues>({
    name: campaign.name,
    agent_id: campaign.agent_id,
    from_phone_number_id: campaign.from_phone_number_id
  })
  const saving = useAction(async (api) => {
    onChanged(await api.campaigns.update(campaign.id, values.value))
    navigate(stepAddress(campaign.id, "recipients"))
  })
  return (
    <WithChoices>
      {(choices) => (
        <form
          class="card stack form"
          onSubmit={(event) => {
            event.preventDefault()
            void saving.run()
          }}
        >
          <BasicFields
            values={values.value}
            choices={choices}
            onChange={(part) => (values.value = { ...values.value, ...part })}
          />
          {saving.error !== null && <Failure error={saving.error} what="It was not saved." />}
          <div class="actions">
            <button class="button primary" type="submit" disabled={saving.busy}>
              {saving.busy ? "Saving…" : "Save and go on"}
            </button>
          </div>
        </form>
      )}
    </WithChoices>
  )
}
