import type { Agent, PhoneNumber } from "outdial/client"
import type { ComponentChildren } from "preact"
import { ChoiceField, TextField } from "../components/Fields.tsx"
import { Empty, Shown } from "../components/States.tsx"
import { useResource } from "../data/Resource.ts"
import { to } from "../router/Location.ts"

export interface BasicValues {
  readonly name: string
  readonly agent_id: string
  readonly from_phone_number_id: string
}

export interface Choices {
  readonly agents: ReadonlyArray<Agent>
  readonly numbers: ReadonlyArray<PhoneNumber>
}

const numberName = ({ label, number }: PhoneNumber) => (label === null ? number : `${number}, ${label}`)

/** Who calls: the campaign's name, its agent, and the number that it calls from. */
export const BasicFields = (props: {
  readonly values: BasicValues
  readonly choices: Choices
  readonly onChange: (part: Partial<BasicValues>) => void
}) => {
  const { choices, onChange, values } = props
  return (
    <>
      <TextField
        label="Name of the campaign"
        required
        value={values.name}
        onChange={(name) => onChange({ name })}
      />
      <ChoiceField
        label="Agent"
        hint="Published agents that make calls."
        options={choices.agents.map(({ id, name }) => [id, name])}
        value={values.agent_id}
        onChange={(agent_id) => onChange({ agent_id })}
      />
      <ChoiceField
        label="Call from"
        options={choices.numbers.map((number) => [number.id, numberName(number)])}
        value={values.from_phone_number_id}
        onChange={(from_phone_number_id) => onChange({ from_phone_number_id })}
      />
    </>
  )
}

/** Shows a form once its choices are read; and what is missing where there are none. */
export const WithChoices = ({ children }: { readonly children: (choices: Choices) => ComponentChildren }) => {
  const choices = useResource(async (api, options): Promise<Choices> => {
    const [agents, numbers] = await Promise.all([
      api.agents.list({ published: true, limit: 100 }, options),
      api.phoneNumbers.list({ limit: 100 }, options)
    ])
    return { agents: agents.data.filter(({ channel }) => channel === "voice"), numbers: numbers.data }
  })
  return (
    <Shown resource={choices} what="agents and numbers">
      {(found) =>
        found.agents.length === 0 ? (
          <Empty title="No agent is published" action={<a href={to("/agents")}>To the agents</a>}>
            A campaign needs a published agent that makes calls.
          </Empty>
        ) : found.numbers.length === 0 ? (
          <Empty title="There is no number to call from">Add a phone number of the workspace first.</Empty>
        ) : (
          children(found)
        )
      }
    </Shown>
  )
}
