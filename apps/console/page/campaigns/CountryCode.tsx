import { useState } from "preact/hooks"
import { TextField } from "../components/Fields.tsx"
import { count } from "../data/Format.ts"

/** Mends in one go what most lists are refused for. */
export const CountryCode = (props: {
  readonly numbers: number
  readonly onApply: (code: string) => void
}) => {
  const [code, setCode] = useState("+")
  return (
    <form
      class="inline"
      onSubmit={(event) => {
        event.preventDefault()
        props.onApply(code.trim())
      }}
    >
      <TextField
        label={`Country code for the numbers that have none: ${count(props.numbers)}`}
        required
        pattern="\+[1-9]\d{0,3}"
        title="A plus and the code, such as +49"
        value={code}
        onChange={setCode}
      />
      <button class="button" type="submit">
        Put it in front
      </button>
    </form>
  )
}
