import { useSignal } from "@preact/signals"
import type { Agent, PhoneNumber } from "outdial/client"
import { ChoiceField, TextField } from "../components/Fields.tsx"
import { Form } from "../components/Form.tsx"
import { Page } from "../components/Page.tsx"
import { Empty, Shown } from "../components/States.tsx"
import { VariableFields, type Variables } from "../components/VariableFields.tsx"
import { useAction } from "../data/Action.ts"
import { useResource } from "../data/Resource.ts"
import { navigate, place, to } from "../router/Location.ts"

const Fields = ({
  agents,
  numbers
}: {
  readonly agents: ReadonlyArray<Agent>
  readonly numbers: ReadonlyArray<PhoneNumber>
}) => {
  const form = useSignal({
    agent_id: place.value.query.get("agent_id") ?? agents[0]!.id,
    to_number: "",
    from_phone_number_id: numbers[0]!.id,
    callee_name: ""
  })
  const variables = useSignal<Variables>(new Map())
  const { value } = form
  const set = (part: Partial<typeof value>) => (form.value = { ...form.value, ...part })
  const agent = agents.find(({ id }) => id === value.agent_id) ?? agents[0]!
  const placing = useAction(async (api) => {
    const filled = agent.placeholders
      .map((name) => [name, variables.value.get(name)?.trim() ?? ""] as const)
      .filter(([, text]) => text !== "")
    const callee_name = value.callee_name.trim()
    const call = await api.calls.place({
      agent_id: agent.id,
      to_number: value.to_number.trim(),
      from_phone_number_id: value.from_phone_number_id,
      ...(callee_name !== "" && { callee_name }),
      custom_variables: Object.fromEntries(filled)
    })
    navigate(to(`/calls/${call.call_id}`))
  })
  return (
    <Form
      action={placing}
      submit="Place the call"
      busy="Placing…"
      failure="The call was not placed."
      actions={
        <a class="button plain" href={to("/calls")}>
          Back to calls
        </a>
      }
    >
      <ChoiceField
        label="Agent"
        options={agents.map(({ id, name }) => [id, name])}
        value={agent.id}
        onChange={(agent_id) => set({ agent_id })}
      />
      <TextField
        label="Number to call"
        hint="A plus, the country code and the number, without spaces."
        type="tel"
        required
        placeholder="+14155550123"
        pattern="\+[1-9]\d{1,14}"
        title="A plus, the country code and the number, digits alone"
        value={value.to_number}
        onChange={(to_number) => set({ to_number })}
      />
      <ChoiceField
        label="Call from"
        options={numbers.map(({ id, label, number }) => [
          id,
          label === null ? number : `${number}, ${label}`
        ])}
        value={value.from_phone_number_id}
        onChange={(from_phone_number_id) => set({ from_phone_number_id })}
      />
      <TextField
        label="Callee's name, if you keep one"
        maxLength={128}
        value={value.callee_name}
        onChange={(callee_name) => set({ callee_name })}
      />
      {agent.placeholders.length > 0 && (
        <fieldset>
          <legend>What the agent's prompt asks for</legend>
          <VariableFields
            names={agent.placeholders}
            values={variables.value}
            onChange={(values) => (variables.value = values)}
          />
        </fieldset>
      )}
    </Form>
  )
}

export const NewCall = () => {
  const choices = useResource(async (api, options) => {
    const [agents, numbers] = await Promise.all([
      api.agents.list({ published: true, limit: 100 }, options),
      api.phoneNumbers.list({ limit: 100 }, options)
    ])
    return { agents: agents.data.filter(({ channel }) => channel === "voice"), numbers: numbers.data }
  })
  return (
    <Page title="Place a call">
      <Shown resource={choices} what="agents and numbers">
        {({ agents, numbers }) =>
          agents.length === 0 ? (
            <Empty title="No agent is published" action={<a href={to("/agents")}>To the agents</a>}>
              A call needs a published agent of the voice channel.
            </Empty>
          ) : numbers.length === 0 ? (
            <Empty title="There is no number to call from">Add a phone number of the workspace first.</Empty>
          ) : (
            <Fields agents={agents} numbers={numbers} />
          )
        }
      </Shown>
    </Page>
  )
}
