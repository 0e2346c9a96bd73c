import type { TranscriptTurn } from "outdial/client"
import { clockTime, count } from "../data/Format.ts"
import { laidOut } from "../data/Json.ts"

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
        <pre tabIndex={0}>{laidOut(turn.tool.arguments)}</pre>
        <p class="hint">Result</p>
        <pre tabIndex={0}>{laidOut(turn.text)}</pre>
      </details>
    )
  }
  const unheard = unheardOf(turn)
  return (
    <p>
      {turn.digits ? <span class="keys">Keys {turn.text}</span> : turn.text}
      {unheard !== null && unheard !== "" && (
        <span class="unheard" title="Generated, and not heard">
          {" "}
          <span class="visually-hidden">Not heard: </span>
          {unheard}
        </span>
      )}
    </p>
  )
}

/** How long the callee waited, against the longest wait of the conversation. */
const Latency = ({ longest, turn }: { readonly turn: TranscriptTurn; readonly longest: number }) => {
  const { first_sound_ms, first_token_ms } = turn
  const waits = [
    ["first word", first_token_ms],
    ["first sound", first_sound_ms]
  ] as const
  const known = waits.flatMap(([name, ms]) => (ms === null ? [] : [{ name, ms }]))
  if (known.length === 0 || longest === 0) return null
  return (
    <ul class="latency">
      {known.map(({ ms, name }) => (
        <li key={name}>
          <span class="latency-bar" style={{ width: `${(ms / longest) * 8}rem` }} />
          {count(ms)} ms to the {name}
        </li>
      ))}
    </ul>
  )
}

/** The turns of a conversation, oldest first. Where there is audio, a turn's time plays it from there. */
export const Conversation = (props: {
  readonly turns: ReadonlyArray<TranscriptTurn>
  readonly hear: ((moment: string) => void) | null
}) => {
  const { hear, turns } = props
  const longest = Math.max(
    0,
    ...turns.flatMap(({ first_sound_ms, first_token_ms }) => [first_sound_ms ?? 0, first_token_ms ?? 0])
  )
  return (
    <ol class="turns">
      {turns.map((turn, i) => (
        <li key={i} class={`turn ${turn.role}`}>
          <header>
            <strong>{speakers[turn.role]}</strong>
            {hear === null ? (
              <time dateTime={turn.started_at}>{clockTime(turn.started_at)}</time>
            ) : (
              <button
                type="button"
                class="hear"
                title="Hear it from here"
                onClick={() => hear(turn.started_at)}
              >
                <time dateTime={turn.started_at}>{clockTime(turn.started_at)}</time>
                <span class="visually-hidden">, hear it from here</span>
              </button>
            )}
            {turn.interrupted && <span class="second">interrupted</span>}
          </header>
          <Body turn={turn} />
          {turn.role === "agent" && <Latency turn={turn} longest={longest} />}
        </li>
      ))}
    </ol>
  )
}
