import type { Scenario } from "outdial/client"
import { CheckField, LongTextField, NumberField, TextField } from "../components/Fields.tsx"
import { Fold } from "../components/Fold.tsx"
import { JsonField } from "../components/JsonField.tsx"
import { plural } from "../data/Format.ts"

const newScenario: Scenario = { label: "", instructions: "", runs: 1, max_turns: 10 }

const Title = ({ scenario }: { readonly scenario: Scenario }) => (
  <>
    {scenario.label === "" ? "New scenario" : scenario.label}{" "}
    <span class="second">
      {plural(scenario.runs, "play")} of at most {plural(scenario.max_turns, "turn")}
    </span>
  </>
)

/** How the persona talks, beside its instructions, and what tools answer. */
const Beside = (props: {
  readonly scenario: Scenario
  readonly onChange: (part: Partial<Scenario>) => void
}) => {
  const { onChange, scenario } = props
  const { tool_results = {}, traits = {} } = scenario
  const { interrupts = false, silent_after = null } = traits
  return (
    <Fold title="Interruptions, silence and tools">
      <CheckField
        label="Speaks over an agent that goes on"
        value={interrupts}
        onChange={(value) => onChange({ traits: { ...traits, interrupts: value } })}
      />
      <CheckField
        label="Falls silent"
        value={silent_after !== null}
        onChange={(value) => onChange({ traits: { ...traits, silent_after: value ? 2 : null } })}
      />
      {silent_after !== null && (
        <NumberField
          label="After so many utterances"
          min={0}
          max={100}
          value={silent_after}
          onChange={(value) => onChange({ traits: { ...traits, silent_after: value } })}
        />
      )}
      <JsonField
        label="What the agent's tools answer"
        hint='By their names: {"find_slot": {"day": "Friday"}}. Others answer {"ok": true}.'
        value={tool_results}
        onChange={(value) => onChange({ tool_results: value })}
      />
    </Fold>
  )
}

export const ScenarioFields = (props: {
  readonly scenarios: ReadonlyArray<Scenario>
  readonly onChange: (scenarios: ReadonlyArray<Scenario>) => void
}) => {
  const { onChange, scenarios } = props
  const change = (i: number, part: Partial<Scenario>) =>
    onChange(scenarios.with(i, { ...scenarios[i]!, ...part }))
  return (
    <div class="stack">
      {scenarios.length === 0 && <p class="hint">No scenarios yet: a suite without any cannot be run.</p>}
      {scenarios.map((scenario, i) => (
        <Fold key={i} class="card" open={scenario.label === ""} title={<Title scenario={scenario} />}>
          <TextField
            label="Label"
            required
            value={scenario.label}
            onChange={(label) => change(i, { label })}
          />
          <LongTextField
            label="How the persona behaves"
            required
            rows={5}
            value={scenario.instructions}
            onChange={(instructions) => change(i, { instructions })}
          />
          <div class="pair">
            <NumberField
              label="Times it is played"
              min={1}
              max={100}
              value={scenario.runs}
              onChange={(runs) => change(i, { runs })}
            />
            <NumberField
              label="Turns at most"
              min={1}
              max={100}
              value={scenario.max_turns}
              onChange={(max_turns) => change(i, { max_turns })}
            />
          </div>
          <Beside scenario={scenario} onChange={(part) => change(i, part)} />
          <button
            type="button"
            class="button"
            onClick={() => onChange(scenarios.filter((_, other) => other !== i))}
          >
            Remove the scenario
          </button>
        </Fold>
      ))}
      <div>
        <button type="button" class="button" onClick={() => onChange([...scenarios, newScenario])}>
          Add a scenario
        </button>
      </div>
    </div>
  )
}
