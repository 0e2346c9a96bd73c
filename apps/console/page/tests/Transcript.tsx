import type { TestResult, TestToolCall } from "outdial/client"
import { clockTime } from "../data/Format.ts"
import { laidOut } from "../data/Json.ts"

const ToolUse = ({ call }: { readonly call: TestToolCall }) => (
  <li class="turn tool">
    <details class="tool">
      <summary>
        Tool <code>{call.name}</code>
      </summary>
      <p class="hint">Arguments</p>
      <pre tabIndex={0}>{laidOut(call.arguments)}</pre>
      <p class="hint">Result</p>
      {call.result === null ? (
        <p>None before the end of the turn</p>
      ) : (
        <pre tabIndex={0}>{laidOut(call.result)}</pre>
      )}
    </details>
  </li>
)

/** What agent and persona said, with the tools that the agent used in a turn before what it said. */
export const Transcript = ({ play }: { readonly play: TestResult }) => {
  const { tool_calls, transcript } = play
  if (transcript.length === 0) return <p class="hint">Nothing has been said.</p>
  return (
    <ol class="turns">
      {transcript.flatMap(({ at, role, text }, i) => [
        ...tool_calls
          .filter(({ turn }) => turn === i + 1)
          .map((call, n) => <ToolUse key={`tool ${i} ${n}`} call={call} />),
        <li key={i} class={role === "agent" ? "turn agent" : "turn callee"}>
          <header>
            <strong>{role === "agent" ? "Agent" : "Persona"}</strong>
            <time dateTime={at}>{clockTime(at)}</time>
          </header>
          <p>{text}</p>
        </li>
      ])}
    </ol>
  )
}
