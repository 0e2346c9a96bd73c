import type { TranscriptTurn } from "outdial/client"
import { clockTime } from "../data/Format.ts"

const speakers = { agent: "Agent", callee: "Callee", tool: "Tool" } as const

/** What the agent was about to say beyond what was heard. */
const unheardOf = ({ generated, text }: TranscriptTurn): string | null => {
  if (generated === null) return null
  return generated.startsWith(text) ? generated.slice(text.length).trim() : generated
}

const Body = ({ turn }: { readonly turn: TranscriptTurn }) => {
  if (turn.tool !== null) {
    return (
      <details class="tool">
        <summary>
          <code>{turn.tool.name}</code>
        </summary>
        <p class="hint">Arguments</p>
        <pre tabIndex={0}>{turn.tool.arguments}</pre>
        <p class="hint">Result</p>
        <pre tabIndex={0}>{turn.text}</pre>
      </details>
    )
  }
  const unheard = unheardOf(turn)
  return (
    <p>
      {turn.digits ? <span class="keys">Keys {turn.text}</span> : turn.text}
      {unheard !== null && unheard !== "" && (
        <span class="unheard">
          {" "}
          <span class="visually-hidden">Not heard: </span>
          {unheard}
        </span>
      )}
    </p>
  )
}

/** The turns of a conversation, oldest first. */
export const Conversation = ({ turns }: { readonly turns: ReadonlyArray<TranscriptTurn> }) => (
  <ol class="turns">
    {turns.map((turn, i) => (
      <li key={i} class={`turn ${turn.role}`}>
        <header>
          <strong>{speakers[turn.role]}</strong>
          <time dateTime={turn.started_at}>{clockTime(turn.started_at)}</time>
          {turn.interrupted && <span class="second">interrupted</span>}
        </header>
        <Body turn={turn} />
      </li>
    ))}
  </ol>
)
