import { type ConversationState, type Segment, textOf } from "./Conversation.ts"

/** What a model is told of a conversation, oldest first. */
export type Message =
  | {
      readonly role: "agent"
      readonly text: string
      readonly calls: ReadonlyArray<{
        readonly id: string
        readonly name: string
        readonly arguments: string
      }>
    }
  | { readonly role: "callee"; readonly text: string }
  | { readonly role: "tool"; readonly id: string; readonly name: string; readonly result: string }
  | { readonly role: "note"; readonly text: string }

const running = `{"ok":null,"status":"still running"}`

/** The turn's segments, each with what of it was heard, and with the tools it asked for. */
const ofTurn = (
  segments: ReadonlyArray<Segment>,
  heard: string,
  tools: ConversationState["tools"]
): ReadonlyArray<Message> => {
  const messages: Array<Message> = []
  let left = heard
  for (const segment of segments) {
    const text = left.slice(0, segment.text.length)
    left = left.slice(text.length)
    const uses = segment.tools.flatMap((id) => tools[id] ?? [])
    if (text.trim() === "" && uses.length === 0) continue
    messages.push({
      role: "agent",
      text: text.trim(),
      calls: uses.map(({ arguments: given, id, name }) => ({ id, name, arguments: given }))
    })
    for (const { id, name, result } of uses) {
      messages.push({ role: "tool", id, name, result: result ?? running })
    }
  }
  return messages
}

/**
 * What the model goes on from. Of a turn that is over it is told what was heard and nothing more. Of the turn that is
 * being said it is told all that was sent: if the callee cuts it short, this generation is cancelled with it.
 */
export const historyOf = ({ cycle, tools, turns }: ConversationState): ReadonlyArray<Message> => [
  ...turns.flatMap((turn): ReadonlyArray<Message> => {
    switch (turn.role) {
      case "agent":
        return ofTurn(turn.segments, turn.heard, tools)
      case "callee":
        return [{ role: "callee", text: turn.digits ? `[keys pressed: ${turn.text}]` : turn.text }]
      case "note":
        return [{ role: "note", text: turn.text }]
    }
  }),
  ...(cycle === null ? [] : ofTurn(cycle.segments, textOf(cycle.segments), tools))
]
