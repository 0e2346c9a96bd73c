import { useSignal } from "@preact/signals"
import { ChoiceField, LongTextField, NumberField, TextField } from "../components/Fields.tsx"
import { Form } from "../components/Form.tsx"
import { Page } from "../components/Page.tsx"
import { Loading } from "../components/States.tsx"
import { useAction } from "../data/Action.ts"
import { useAgents } from "../data/Agents.ts"
import { navigate, place, to } from "../router/Location.ts"
import { Judges, knownJudges, named } from "./Judges.tsx"

const isBlank = (text: string) => text.trim() === ""

const Fields = (props: { readonly agents: ReadonlyArray<readonly [id: string, name: string]> }) => {
  const { query } = place.value
  const byHand = query.get("by") === "hand"
  const agent = useSignal(query.get("agent_id") ?? props.agents[0]?.[0] ?? "")
  const name = useSignal("")
  const hint = useSignal("")
  const count = useSignal(5)
  const judges = useSignal(knownJudges)
  const making = useAction(async (api) => {
    const asked = { agent_id: agent.value }
    const suite = byHand
      ? await api.agentTestSuites.create({ ...asked, name: name.value.trim(), scenarios: [] })
      : await api.agentTestSuites.generate({
          ...asked,
          count: count.value,
          judges: named(judges.value),
          hint: isBlank(hint.value) ? null : hint.value.trim(),
          name: isBlank(name.value) ? null : name.value.trim()
        })
    navigate(to(`/tests/${suite.id}`))
  })
  return (
    <Form
      action={making}
      submit={byHand ? "Make the suite" : "Generate the suite"}
      busy={byHand ? "Making…" : "Generating…"}
      failure="The suite was not made."
      actions={
        <a class="button plain" href={to("/tests")}>
          Back to suites
        </a>
      }
      below={
        !byHand && (
          <p class="hint" role="status">
            {making.busy
              ? "Scenarios are made from the agent's prompt. This may take a minute."
              : "Each scenario that is made costs credits."}
          </p>
        )
      }
    >
      <nav class="choices" aria-label="How it is made">
        <a href={to("/tests/new")} aria-current={byHand ? undefined : "true"}>
          Generate scenarios
        </a>
        <a href={to("/tests/new", { by: "hand" })} aria-current={byHand ? "true" : undefined}>
          Write them by hand
        </a>
      </nav>
      <ChoiceField
        label="Agent to be tested"
        options={props.agents}
        value={agent.value}
        onChange={(value) => (agent.value = value)}
      />
      <TextField
        label="Name"
        required={byHand}
        hint={byHand ? undefined : "Empty: the agent's name, “— generated”."}
        value={name.value}
        onChange={(value) => (name.value = value)}
      />
      {!byHand && (
        <>
          <NumberField
            label="Scenarios"
            min={1}
            max={100}
            value={count.value}
            onChange={(value) => (count.value = value)}
          />
          <LongTextField
            label="What they should be about"
            rows={3}
            hint="For instance: callers in a hurry, who doubt the price."
            value={hint.value}
            onChange={(value) => (hint.value = value)}
          />
          <Judges judges={judges.value} onChange={(value) => (judges.value = value)} />
        </>
      )}
    </Form>
  )
}

export const NewSuite = () => {
  const agents = useAgents()
  return (
    <Page title="New suite">
      {agents === null ? (
        <Loading what="agents" />
      ) : (
        <Fields agents={agents.map(({ id, name }) => [id, name] as const)} />
      )}
    </Page>
  )
}
