import { Form } from "../components/Form.tsx"
import { Page } from "../components/Page.tsx"
import { useAction } from "../data/Action.ts"
import { navigate, place, to } from "../router/Location.ts"
import { BasicFields, type BasicValues, type Choices, WithChoices } from "./Basics.tsx"
import { stepAddress, Steps } from "./Steps.tsx"

/** What is chosen is in the address until the campaign is stored as a draft. */
const Basics = ({ choices }: { readonly choices: Choices }) => {
  const { path, query } = place.value
  const chosen = (all: ReadonlyArray<{ readonly id: string }>, name: string) =>
    all.find(({ id }) => id === query.get(name))?.id ?? all[0]!.id
  const values: BasicValues = {
    name: query.get("name") ?? "",
    agent_id: chosen(choices.agents, "agent_id"),
    from_phone_number_id: chosen(choices.numbers, "from_phone_number_id")
  }
  const creating = useAction(async (api) => {
    const campaign = await api.campaigns.create(values)
    navigate(stepAddress(campaign.id, "recipients"))
  })
  return (
    <Form
      action={creating}
      submit="Save and add recipients"
      busy="Saving…"
      failure="The campaign was not made."
      actions={
        <a class="button plain" href={to("/campaigns")}>
          Back to campaigns
        </a>
      }
    >
      <BasicFields
        values={values}
        choices={choices}
        onChange={(part) => navigate(to(path, { ...Object.fromEntries(query), ...part }), { replace: true })}
      />
    </Form>
  )
}

/** The first step. */
export const NewCampaign = () => (
  <Page title="New campaign">
    <Steps campaign_id={null} shown="agent" />
    <WithChoices>{(choices) => <Basics choices={choices} />}</WithChoices>
  </Page>
)
