import type { AgentTool } from "outdial/client"
import { CheckField, LongTextField, NumberField, TextField } from "../components/Fields.tsx"
import { Fold } from "../components/Fold.tsx"
import { JsonField } from "../components/JsonField.tsx"

const newTool: AgentTool = {
  name: "",
  description: "",
  parameters: { type: "object", properties: {} },
  url: "",
  timeout_seconds: 10,
  repeatable: false
}

export const ToolFields = (props: {
  readonly tools: ReadonlyArray<AgentTool>
  readonly onChange: (tools: ReadonlyArray<AgentTool>) => void
}) => {
  const { onChange, tools } = props
  const change = (i: number, part: Partial<AgentTool>) => onChange(tools.with(i, { ...tools[i]!, ...part }))
  return (
    <fieldset>
      <legend>Tools</legend>
      {tools.map((tool, i) => (
        <Fold
          key={i}
          class="card"
          open={tool.name === ""}
          title={tool.name === "" ? "New tool" : <code>{tool.name}</code>}
        >
          <TextField
            label="Name of the tool"
            required
            value={tool.name}
            onChange={(name) => change(i, { name })}
          />
          <LongTextField
            label="What it does and when to use it"
            required
            rows={2}
            value={tool.description}
            onChange={(description) => change(i, { description })}
          />
          <TextField
            label="Address it is carried out at"
            required
            value={tool.url}
            onChange={(url) => change(i, { url })}
          />
          <JsonField
            label="Arguments, as JSON Schema"
            value={tool.parameters}
            onChange={(parameters) => change(i, { parameters })}
          />
          <NumberField
            label="Seconds to wait for it"
            min={1}
            max={30}
            value={tool.timeout_seconds ?? 10}
            onChange={(timeout_seconds) => change(i, { timeout_seconds })}
          />
          <CheckField
            label="May be sent again when its answer was lost"
            value={tool.repeatable ?? false}
            onChange={(repeatable) => change(i, { repeatable })}
          />
          <button
            type="button"
            class="button"
            onClick={() => onChange(tools.filter((_, other) => other !== i))}
          >
            Remove the tool
          </button>
        </Fold>
      ))}
      <button type="button" class="button" onClick={() => onChange([...tools, newTool])}>
        Add a tool
      </button>
    </fieldset>
  )
}
