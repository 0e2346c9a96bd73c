import { useSignal } from "@preact/signals"
import type { Agent, PhoneNumber } from "outdial/client"
import { Page } from "../components/Page.tsx"
import { Empty, Failure, Shown } from "../components/States.tsx"
import { useAction } from "../data/Action.ts"
import { useResource } from "../data/Resource.ts"
import { navigate, place, to } from "../router/Location.ts"

const valueOf = (form: FormData, name: string): string | undefined => {
  const value = form.get(name)
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined
}

/** Fields of the form that fill placeholders are named so. */
const prefix = "variable:"

const variablesOf = (form: FormData): Record<string, string> => {
  const filled = [...form.keys()].flatMap((name) => {
    const value = name.startsWith(prefix) ? valueOf(form, name) : undefined
    return value === undefined ? [] : [[name.slice(prefix.length), value] as const]
  })
  return Object.fromEntries(filled)
}

const Form = ({
  agents,
  numbers
}: {
  readonly agents: ReadonlyArray<Agent>
  readonly numbers: ReadonlyArray<PhoneNumber>
}) => {
  const agentId = useSignal(place.value.query.get("agent_id") ?? agents[0]!.id)
  const agent = agents.find(({ id }) => id === agentId.value) ?? agents[0]!
  const placing = useAction(async (api, form: FormData) => {
    const call = await api.calls.place({
      agent_id: agent.id,
      to_number: valueOf(form, "to_number") ?? "",
      callee_name: valueOf(form, "callee_name"),
      from_phone_number_id: valueOf(form, "from_phone_number_id"),
      custom_variables: variablesOf(form)
    })
    navigate(to(`/calls/${call.call_id}`))
  })
  return (
    <form
      class="card stack form"
      onSubmit={(event) => {
        event.preventDefault()
        void placing.run(new FormData(event.currentTarget))
      }}
    >
      <div class="field">
        <label for="agent">Agent</label>
        <select
          id="agent"
          value={agent.id}
          onChange={(event) => {
            agentId.value = event.currentTarget.value
          }}
        >
          {agents.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <div class="field">
        <label for="to_number">Number to call</label>
        <input
          id="to_number"
          name="to_number"
          type="tel"
          required
          placeholder="+14155550123"
          pattern="\+[1-9]\d{1,14}"
          title="A plus, the country code and the number, digits alone"
          aria-describedby="to-help"
        />
        <p id="to-help" class="hint">
          A plus, the country code and the number, without spaces.
        </p>
      </div>
      <div class="field">
        <label for="from">Call from</label>
        <select id="from" name="from_phone_number_id">
          {numbers.map(({ id, label, number }) => (
            <option key={id} value={id}>
              {label === null ? number : `${number}, ${label}`}
            </option>
          ))}
        </select>
      </div>
      <div class="field">
        <label for="callee_name">Callee's name, if you keep one</label>
        <input id="callee_name" name="callee_name" maxLength={128} autocomplete="off" />
      </div>
      {agent.placeholders.length > 0 && (
        <fieldset>
          <legend>What the agent's prompt asks for</legend>
          {agent.placeholders.map((name) => (
            <div key={name} class="field">
              <label for={`variable-${name}`}>{name}</label>
              <input id={`variable-${name}`} name={`${prefix}${name}`} autocomplete="off" />
            </div>
          ))}
        </fieldset>
      )}
      {placing.error !== null && <Failure error={placing.error} what="The call was not placed." />}
      <div class="actions">
        <button class="button primary" type="submit" disabled={placing.busy}>
          {placing.busy ? "Placing…" : "Place the call"}
        </button>
        <a class="button plain" href={to("/calls")}>
          Back to calls
        </a>
      </div>
    </form>
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
            <Form agents={agents} numbers={numbers} />
          )
        }
      </Shown>
    </Page>
  )
}
