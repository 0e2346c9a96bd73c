import { useSignal } from "@preact/signals"
import { ChoiceField, LongTextField, TextField } from "../components/Fields.tsx"
import { Form } from "../components/Form.tsx"
import { Page } from "../components/Page.tsx"
import { useAction } from "../data/Action.ts"
import { navigate, to } from "../router/Location.ts"

const channels = [
  ["voice", "Voice"],
  ["msg", "Messages"]
] as const

export const NewAgent = () => {
  const name = useSignal("")
  const prompt = useSignal("")
  const channel = useSignal<"voice" | "msg">("voice")
  const creating = useAction(async (api) => {
    const agent = await api.agents.create({ name: name.value, prompt: prompt.value, channel: channel.value })
    navigate(to(`/agents/${agent.id}`))
  })
  return (
    <Page title="New agent">
      <Form
        action={creating}
        submit="Create the agent"
        busy="Creating…"
        failure="The agent was not made."
        actions={
          <a class="button plain" href={to("/agents")}>
            Back to agents
          </a>
        }
      >
        <TextField label="Name" required value={name.value} onChange={(value) => (name.value = value)} />
        <ChoiceField
          label="Channel"
          options={channels}
          value={channel.value}
          onChange={(value) => (channel.value = value)}
        />
        <LongTextField
          label="Prompt"
          required
          rows={8}
          hint="What the agent is to do. {{name}} is a placeholder: each call fills it."
          value={prompt.value}
          onChange={(value) => (prompt.value = value)}
        />
      </Form>
    </Page>
  )
}
