import type { Agent, Campaign, PhoneNumber, Template } from "outdial/client"
import type { ComponentChildren } from "preact"
import { ChoiceField, TextField } from "../components/Fields.tsx"
import { Empty, Shown } from "../components/States.tsx"
import { useResource } from "../data/Resource.ts"
import { to } from "../router/Location.ts"
import { type Chosen, MessageFields } from "./MessageFields.tsx"

export interface BasicValues {
  readonly name: string
  readonly channel: Campaign["channel"]
  readonly agent_id: string
  readonly from_phone_number_id: string
  /** What a campaign of messages sends. */
  readonly template: Chosen | null
}

export interface Choices {
  /** Those that are published. */
  readonly agents: ReadonlyArray<Agent>
  readonly numbers: ReadonlyArray<PhoneNumber>
  /** Those that are approved. */
  readonly templates: ReadonlyArray<Template>
}

const numberName = ({ label, number }: PhoneNumber) => (label === null ? number : `${number}, ${label}`)

/** Whether there is what a campaign of the channel needs. */
export const isWhole = ({ agent_id, channel, template }: BasicValues): boolean =>
  agent_id !== "" && (channel === "voice" || (template !== null && template.id !== ""))

/** Who calls or writes: the campaign's name, its agent, its template, and the number that it begins at. */
export const BasicFields = (props: {
  readonly values: BasicValues
  readonly choices: Choices
  readonly onChange: (part: Partial<BasicValues>) => void
}) => {
  const { choices, onChange, values } = props
  const isVoice = values.channel === "voice"
  const agents = choices.agents.filter(({ channel }) => channel === values.channel)
  return (
    <>
      <TextField
        label="Name of the campaign"
        required
        value={values.name}
        onChange={(name) => onChange({ name })}
      />
      {agents.length === 0 ? (
        <p class="note warn">
          No published agent {isVoice ? "makes calls" : "writes messages"}.{" "}
          <a href={to("/agents")}>To the agents</a>
        </p>
      ) : (
        <ChoiceField
          label="Agent"
          hint={isVoice ? "Published agents that make calls." : "Published agents that answer messages."}
          options={agents.map(({ id, name }) => [id, name])}
          value={values.agent_id}
          onChange={(agent_id) => onChange({ agent_id })}
        />
      )}
      {values.template !== null &&
        (choices.templates.length === 0 ? (
          <p class="note warn">
            No message template is approved. <a href={to("/messages")}>To the templates</a>
          </p>
        ) : (
          <MessageFields
            templates={choices.templates}
            value={values.template}
            onChange={(template) => onChange({ template })}
          />
        ))}
      <ChoiceField
        label={isVoice ? "Call from" : "Send from"}
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
    const [agents, numbers, templates] = await Promise.all([
      api.agents.list({ published: true, limit: 100 }, options),
      api.phoneNumbers.list({ limit: 100 }, options),
      api.messageTemplates.list({ status: "approved", limit: 100 }, options)
    ])
    return { agents: agents.data, numbers: numbers.data, templates: templates.data }
  })
  return (
    <Shown resource={choices} what="agents and numbers">
      {(found) =>
        found.agents.length === 0 ? (
          <Empty title="No agent is published" action={<a href={to("/agents")}>To the agents</a>}>
            A campaign needs a published agent.
          </Empty>
        ) : found.numbers.length === 0 ? (
          <Empty title="There is no number to begin at" action={<a href={to("/numbers")}>To the numbers</a>}>
            Add a phone number of the workspace first.
          </Empty>
        ) : (
          children(found)
        )
      }
    </Shown>
  )
}
