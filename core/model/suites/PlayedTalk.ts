import type { ConversationState, Turn } from "../conversations/Conversation.ts"
import { begin } from "../conversations/ConversationMachine.ts"
import { mostTools } from "../conversations/Draft.ts"
import type { Utterance } from "./Play.ts"

const callsOf = ({ tools }: ConversationState, turn: Turn): NonNullable<Utterance["calls"]> =>
  turn.role === "agent"
    ? turn.segments
        .flatMap((segment) => segment.tools)
        .flatMap((id) => tools[id] ?? [])
        .map(({ arguments: given, name, result }) => ({ name, arguments: given, result }))
    : []

const textOf = (turn: Turn): string => {
  switch (turn.role) {
    case "agent":
      return turn.heard.trim()
    case "callee":
      return turn.digits ? `[keys pressed: ${turn.text}]` : turn.text
    case "note":
      return ""
  }
}

/**
 * What was said in a talk, as it was heard. Tools of a turn of which nothing was heard count with the next one, or with
 * the last where there is none.
 */
export const playedUtterances = (state: ConversationState): ReadonlyArray<Utterance> => {
  const said: Array<Utterance> = []
  let open: NonNullable<Utterance["calls"]> = []
  const withCalls = (utterance: Utterance): Utterance =>
    open.length === 0 ? utterance : { ...utterance, calls: [...(utterance.calls ?? []), ...open] }
  for (const turn of state.turns) {
    open = [...open, ...callsOf(state, turn)]
    const text = textOf(turn)
    if (text === "") continue
    const role = turn.role === "agent" ? "agent" : "persona"
    said.push(
      role === "agent" ? withCalls({ role, text, at: turn.started_at }) : { role, text, at: turn.started_at }
    )
    if (role === "agent") open = []
  }
  const last = said.pop()
  return last === undefined ? said : [...said, withCalls(last)]
}

/** A talk that goes on after what was said so far. */
export const resumed = (
  settings: ConversationState["settings"],
  transcript: ReadonlyArray<Utterance>,
  now: number
): ConversationState => {
  const fresh = begin(settings, now)
  const [first] = transcript
  if (first === undefined) return fresh
  const tools: Record<string, ConversationState["tools"][string]> = {}
  const turns = transcript.map(({ at, calls = [], role, text }, i): Turn => {
    const times = { started_at: at, ended_at: at }
    if (role === "persona") return { role: "callee", text, digits: false, language: null, ...times }
    const ids = calls.map(({ arguments: given, name, result }, n) => {
      const id = `tool_${i + 1}_${n + 1}_before`
      tools[id] = { id, name, arguments: given, result: result ?? "", ...times }
      return id
    })
    return {
      role: "agent",
      segments: [{ text, tools: ids }],
      heard: text,
      interrupted: false,
      requested_at: null,
      first_token_at: null,
      first_sound_at: null,
      ...times
    }
  })
  return {
    ...fresh,
    connected_at: now,
    turns,
    tools,
    // Ids of tools of this talk are others than those of the talk before.
    generations: transcript.length * (mostTools + 2),
    unanswered: transcript.at(-1)?.role === "persona"
  }
}
