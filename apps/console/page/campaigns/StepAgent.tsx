import { useSignal } from "@preact/signals"
import { Form } from "../components/Form.tsx"
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
        <Form action={saving} submit="Save and go on" busy="Saving…" failure="It was not saved.">
          <BasicFields
            values={values.value}
            choices={choices}
            onChange={(part) => (values.value = { ...values.value, ...part })}
          />
        </Form>
      )}
    </WithChoices>
  )
}
