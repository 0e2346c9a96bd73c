import { useSignal } from "@preact/signals"
import { Form } from "../components/Form.tsx"
import { useAction } from "../data/Action.ts"
import { navigate } from "../router/Location.ts"
import { BasicFields, type BasicValues, isWhole, WithChoices } from "./Basics.tsx"
import type { StepProps } from "./Setup.tsx"
import { stepAddress } from "./Steps.tsx"

export const StepAgent = ({ campaign, onChanged }: StepProps) => {
  const values = useSignal<BasicValues>({
    name: campaign.name,
    channel: campaign.channel,
    agent_id: campaign.agent_id,
    from_phone_number_id: campaign.from_phone_number_id,
    template: campaign.template
  })
  const saving = useAction(async (api) => {
    const { channel: _, template, ...others } = values.value
    onChanged(await api.campaigns.update(campaign.id, { ...others, ...(template !== null && { template }) }))
    navigate(stepAddress(campaign.id, "recipients"))
  })
  return (
    <WithChoices>
      {(choices) => (
        <Form
          action={saving}
          submit="Save and go on"
          busy="Saving…"
          failure="It was not saved."
          disabled={!isWhole(values.value)}
        >
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
