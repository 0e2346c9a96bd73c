import type { Campaign } from "outdial/client"
import { CheckField, ChoiceField } from "../components/Fields.tsx"
import { Form } from "../components/Form.tsx"
import { Page } from "../components/Page.tsx"
import { useAction } from "../data/Action.ts"
import { zone } from "../data/Format.ts"
import { navigate, place, to } from "../router/Location.ts"
import { BasicFields, type BasicValues, type Choices, isWhole, WithChoices } from "./Basics.tsx"
import { chosenOf } from "./MessageFields.tsx"
import { stepAddress, Steps } from "./Steps.tsx"
import { usualHours } from "./Window.ts"

const channels = [
  ["voice", "Calls"],
  ["msg", "Messages"]
] as const

interface Values extends BasicValues {
  readonly recipient_timezone: Campaign["recipient_timezone"]
  readonly skip_public_holidays: boolean
}

const channelOf = (query: URLSearchParams): Campaign["channel"] =>
  query.get("channel") === "msg" ? "msg" : "voice"

/** What the address names, else the first of each kind. */
const valuesOf = (query: URLSearchParams, choices: Choices): Values => {
  const chosen = (all: ReadonlyArray<{ readonly id: string }>, name: string) =>
    (all.find(({ id }) => id === query.get(name)) ?? all[0])?.id ?? ""
  const channel = channelOf(query)
  return {
    name: query.get("name") ?? "",
    channel,
    agent_id: chosen(
      choices.agents.filter((agent) => agent.channel === channel),
      "agent_id"
    ),
    from_phone_number_id: chosen(choices.numbers, "from_phone_number_id"),
    template:
      channel === "voice"
        ? null
        : (chosenOf(query.get("template")) ?? { id: choices.templates[0]?.id ?? "" }),
    recipient_timezone: query.has("by_number") ? "by_number" : null,
    skip_public_holidays: query.has("no_holidays")
  }
}

const set = (value: boolean) => (value ? "yes" : null)

/** What is chosen is in the address until the campaign is stored as a draft. */
const Basics = ({ choices }: { readonly choices: Choices }) => {
  const { path, query } = place.value
  const values = valuesOf(query, choices)
  const change = (part: Readonly<Record<string, string | null>>) =>
    navigate(to(path, { ...Object.fromEntries(query), ...part }), { replace: true })
  const creating = useAction(async (api) => {
    const { skip_public_holidays } = values
    const campaign = await api.campaigns.create({
      ...values,
      ...(skip_public_holidays && { call_config: { call_time: { ...usualHours, timezone: zone } } })
    })
    navigate(stepAddress(campaign.id, "recipients"))
  })
  return (
    <Form
      action={creating}
      submit="Save and add recipients"
      busy="Saving…"
      failure="The campaign was not made."
      disabled={!isWhole(values)}
      actions={
        <a class="button plain" href={to("/campaigns")}>
          Back to campaigns
        </a>
      }
    >
      <ChoiceField
        label="What it does"
        options={channels}
        value={values.channel}
        onChange={(channel) => change({ channel, agent_id: null, template: null })}
      />
      <BasicFields
        values={values}
        choices={choices}
        onChange={({ template, ...part }) =>
          change({ ...part, ...(template != null && { template: JSON.stringify(template) }) })
        }
      />
      <fieldset>
        <legend>Recipients' own hours and holidays</legend>
        <CheckField
          label="Hours hold in each recipient's local time, by its number"
          value={values.recipient_timezone !== null}
          onChange={(value) => change({ by_number: set(value) })}
        />
        <CheckField
          label="Not on public holidays of the recipient's country"
          value={values.skip_public_holidays}
          onChange={(value) => change({ no_holidays: set(value) })}
        />
        <p class="hint">
          Neither can be changed once the campaign is made. A time zone in the list goes before that of the
          number. To skip holidays the campaign needs hours: they are {usualHours.call_start_time} to{" "}
          {usualHours.call_end_time} until you set others.
        </p>
      </fieldset>
    </Form>
  )
}

/** The first step. */
export const NewCampaign = () => (
  <Page title="New campaign">
    <Steps campaign_id={null} channel={channelOf(place.value.query)} shown="agent" />
    <WithChoices>{(choices) => <Basics choices={choices} />}</WithChoices>
  </Page>
)
