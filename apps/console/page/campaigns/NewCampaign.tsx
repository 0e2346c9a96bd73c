import { Page } from "../components/Page.tsx"
import { Failure } from "../components/States.tsx"
import { useAction } from "../data/Action.ts"
import { navigate, place, to } from "../router/Location.ts"
import { BasicFields, type BasicValues, WithChoices } from "./Basics.tsx"
import { stepAddress, Steps } from "./Steps.tsx"

/** The first step. What is chosen is in the address until the campaign is stored as a draft. */
export const NewCampaign = () => {
  const { path, query } = place.value
  const creating = useAction(async (api, values: BasicValues) => {
    const campaign = await api.campaigns.create(values)
    navigate(stepAddress(campaign.id, "recipients"))
  })
  return (
    <Page title="New campaign">
      <Steps campaign_id={null} shown="agent" />
      <WithChoices>
        {(choices) => {
          const chosen = (all: ReadonlyArray<{ readonly id: string }>, name: string) =>
            all.find(({ id }) => id === query.get(name))?.id ?? all[0]!.id
          const values: BasicValues = {
            name: query.get("name") ?? "",
            agent_id: chosen(choices.agents, "agent_id"),
            from_phone_number_id: chosen(choices.numbers, "from_phone_number_id")
          }
          return (
            <form
              class="card stack form"
              onSubmit={(event) => {
                event.preventDefault()
                void creating.run(values)
              }}
            >
              <BasicFields
                values={values}
                choices={choices}
                onChange={(part) =>
                  navigate(to(path, { ...Object.fromEntries(query), ...part }), { replace: true })
                }
              />
              {creating.error !== null && (
                <Failure error={creating.error} what="The campaign was not made." />
              )}
              <div class="actions">
                <button class="button primary" type="submit" disabled={creating.busy}>
                  {creating.busy ? "Saving…" : "Save and add recipients"}
                </button>
                <a class="button plain" href={to("/campaigns")}>
                  Back to campaigns
                </a>
              </div>
            </form>
          )
        }}
      </WithChoices>
    </Page>
  )
}
