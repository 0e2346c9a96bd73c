import type { ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import { LongTextField } from "./Fields.tsx"

/** JSON as it is typed: it becomes the value once it is an object. */
export const JsonField = (props: {
  readonly label: string
  readonly hint?: ComponentChildren
  readonly value: Readonly<Record<string, unknown>>
  readonly onChange: (value: Readonly<Record<string, unknown>>) => void
}) => {
  const [text, setText] = useState(JSON.stringify(props.value, null, 2))
  const [isJson, setIsJson] = useState(true)
  const change = (typed: string) => {
    setText(typed)
    try {
      const value: unknown = JSON.parse(typed)
      const isObject = typeof value === "object" && value !== null && !Array.isArray(value)
      setIsJson(isObject)
      if (isObject) props.onChange(value as Readonly<Record<string, unknown>>)
    } catch {
      setIsJson(false)
    }
  }
  return (
    <>
      <LongTextField label={props.label} hint={props.hint} rows={5} isCode value={text} onChange={change} />
      {!isJson && (
        <p class="refusal" role="alert">
          This is no JSON object; what it was before is kept until it is one.
        </p>
      )}
    </>
  )
}
