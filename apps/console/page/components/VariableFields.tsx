import { TextField } from "./Fields.tsx"

/** What fills placeholders. A map: a placeholder may have any name, `constructor` among them. */
export type Variables = ReadonlyMap<string, string>

export const VariableFields = (props: {
  readonly names: ReadonlyArray<string>
  readonly values: Variables
  readonly onChange: (values: Variables) => void
}) =>
  props.names.map((name) => (
    <TextField
      key={name}
      label={name}
      value={props.values.get(name) ?? ""}
      onChange={(value) => props.onChange(new Map([...props.values, [name, value]]))}
    />
  ))
