import type { SuiteConfig } from "outdial/client"
import { useState } from "preact/hooks"
import { CheckField, TextField } from "../components/Fields.tsx"
import { Judges } from "./Judges.tsx"

/** What judges a suite's plays, and what fills in the placeholders of the agent's prompt. */
export const ConfigFields = (props: {
  readonly config: SuiteConfig
  readonly onChange: (config: SuiteConfig) => void
}) => {
  const { config, onChange } = props
  const [added, setAdded] = useState("")
  const setVariables = (variables: SuiteConfig["variables"]) => onChange({ ...config, variables })
  const add = () => {
    const name = added.trim()
    if (name !== "" && !Object.hasOwn(config.variables, name)) {
      setVariables({ ...config.variables, [name]: "" })
    }
    setAdded("")
  }
  return (
    <div class="stack">
      <Judges judges={config.judges} onChange={(judges) => onChange({ ...config, judges })} />
      <fieldset>
        <legend>Variables</legend>
        <p class="hint">One that is empty has a made-up value in each play.</p>
        {Object.entries(config.variables).map(([name, value]) => (
          <TextField
            key={name}
            label={name}
            value={value}
            onChange={(typed) => setVariables({ ...config.variables, [name]: typed })}
          />
        ))}
        <div class="joined">
          <TextField label="Another variable" value={added} onChange={setAdded} />
          <button type="button" class="button" onClick={add}>
            Add it
          </button>
        </div>
      </fieldset>
      <CheckField
        label="Really call the agent's own tools where a scenario does not say what they answer"
        value={config.real_tools ?? false}
        onChange={(real_tools) => onChange({ ...config, real_tools })}
      />
    </div>
  )
}
