import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { CheckField, TextField } from "../components/Fields.tsx"
import { Form } from "../components/Form.tsx"
import { VariableFields, type Variables } from "../components/VariableFields.tsx"
import { useAction } from "../data/Action.ts"
import { type Line, openLine } from "./Line.ts"
import { hush, isAble, listen, speak } from "./Speech.ts"

interface Turn {
  readonly who: "agent" | "callee"
  readonly text: string
}

interface Props {
  readonly agent_id: string
  readonly language: string
  readonly placeholders: ReadonlyArray<string>
  /** Stores what was changed; false when it could not. */
  readonly save: () => Promise<boolean>
}

/** A conversation with the agent's draft, typed, or spoken by what the browser brings along. No number is called. */
export const Trial = ({ agent_id, language, placeholders, save }: Props) => {
  const turns = useSignal<ReadonlyArray<Turn>>([])
  const state = useSignal<"before" | "open" | "over" | "broken">("before")
  const typed = useSignal("")
  const spoken = useSignal(false)
  const refused = useSignal(false)
  const values = useSignal<Variables>(new Map())
  const line = useRef<Line | null>(null)
  const leave = useRef<() => void>(() => {})
  const log = useRef<HTMLDivElement>(null)

  useEffect(() => () => leave.current(), [])
  useEffect(() => {
    log.current?.scrollTo({ top: log.current.scrollHeight })
  }, [turns.value])

  const say = (text: string) => {
    if (text === "" || line.current === null) return
    turns.value = [...turns.value, { who: "callee", text }]
    line.current.say(text)
  }

  /** Has what the agent has said heard: aloud, or at once where it is read. */
  const play = (text: string, opened: Line) => {
    if (!spoken.value) {
      opened.speaking()
      return opened.played(text)
    }
    const told = {
      began: () => {
        speakingSince.current = performance.now()
        opened.speaking()
      },
      ended: (whole: boolean) => {
        const since = speakingSince.current
        speakingSince.current = null
        if (whole) opened.played(text)
        else opened.interrupted(since === null ? 0 : performance.now() - since)
      }
    }
    speak(text, language, told)
  }
  const speakingSince = useRef<number | null>(null)

  const open = (url: string) => {
    let piece = ""
    let stopListening = () => {}
    turns.value = []
    state.value = "open"
    const opened = openLine(url, {
      said: (more, last) => {
        const { value } = turns
        const goesOn = piece !== ""
        piece += more
        if (piece !== "") {
          turns.value = [...(goesOn ? value.slice(0, -1) : value), { who: "agent", text: piece }]
        }
        if (!last) return
        if (piece !== "") play(piece, opened)
        piece = ""
      },
      over: (broke) => {
        stopListening()
        line.current = null
        state.value = broke ? "broken" : "over"
      }
    })
    line.current = opened
    if (spoken.value) {
      stopListening = listen(language, {
        begun: () => {
          if (speakingSince.current !== null) hush()
        },
        said: say,
        refused: () => {
          refused.value = true
        }
      })
    }
    leave.current = () => {
      stopListening()
      if (isAble) hush()
      opened.leave()
    }
  }

  const starting = useAction(async (api) => {
    if (!(await save())) return
    const { url } = await api.sessions.tryOut(agent_id, {
      custom_variables: Object.fromEntries(values.value)
    })
    open(url)
  })

  return (
    <section class="trial card stack" aria-labelledby="trial-title">
      <h2 id="trial-title">Try it</h2>
      {state.value !== "open" && (
        <Form
          action={starting}
          class="stack"
          submit={state.value === "before" ? "Begin a conversation" : "Begin again"}
          failure="The conversation did not begin."
          below={
            <p class="hint">
              The draft is saved and talks as it stands; no number is called. Each utterance costs as in a
              test run.
            </p>
          }
        >
          <VariableFields
            names={placeholders}
            values={values.value}
            onChange={(filled) => (values.value = filled)}
          />
          {isAble && (
            <CheckField
              label="Speak and listen, by what this browser brings along"
              value={spoken.value}
              onChange={(value) => (spoken.value = value)}
            />
          )}
        </Form>
      )}
      {(turns.value.length > 0 || state.value === "open") && (
        <div ref={log} class="log" role="log" aria-label="Conversation" tabIndex={0}>
          <ol class="turns">
            {turns.value.map(({ text, who }, i) => (
              <li key={i} class={`turn ${who}`}>
                <header>
                  <strong>{who === "agent" ? "Agent" : "You"}</strong>
                </header>
                <p>{text}</p>
              </li>
            ))}
          </ol>
        </div>
      )}
      {refused.value && <p class="refusal">The browser does not let the page listen. Type instead.</p>}
      {state.value === "over" && <p class="hint">The conversation is over.</p>}
      {state.value === "broken" && <p class="refusal">The connection broke.</p>}
      {state.value === "open" && (
        <form
          class="stack"
          onSubmit={(event) => {
            event.preventDefault()
            say(typed.value.trim())
            typed.value = ""
          }}
        >
          <TextField label="You say" value={typed.value} onChange={(value) => (typed.value = value)} />
          <div class="actions">
            <button class="button primary" type="submit">
              Say
            </button>
            <button class="button" type="button" onClick={() => leave.current()}>
              Hang up
            </button>
          </div>
        </form>
      )}
    </section>
  )
}
