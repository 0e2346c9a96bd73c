import { useState } from "preact/hooks"
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
      <div class="field">
        <label for="code">Country code for the numbers that have none: {count(props.numbers)}</label>
        <input
          id="code"
          value={code}
          pattern="\+[1-9]\d{0,3}"
          required
          title="A plus and the code, such as +49"
          onInput={(event) => setCode(event.currentTarget.value)}
        />
      </div>
      <button class="button" type="submit">
        Put it in front
      </button>
    </form>
  )
}
