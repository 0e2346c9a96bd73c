import type { ConversationState } from "./Conversation.ts"
import type { SessionTotals } from "./Session.ts"

const spread = (values: ReadonlyArray<number>) => {
  if (values.length === 0) return null
  const sorted = values.toSorted((a, b) => a - b)
  return { median: sorted[Math.floor((sorted.length - 1) / 2)]!, worst: sorted.at(-1)! }
}

/** What a conversation came to. */
export const totalsOf = ({ tools, turns, used }: ConversationState): SessionTotals => {
  const said = turns.filter(({ role }) => role !== "note")
  const ofAgent = turns.filter((turn) => turn.role === "agent")
  const since = (of: "first_token_at" | "first_sound_at") =>
    spread(
      ofAgent.flatMap(({ requested_at, ...turn }) => {
        const at = turn[of]
        return requested_at === null || at === null ? [] : [Math.max(0, at - requested_at)]
      })
    )
  return {
    turns: said.length,
    interruptions: ofAgent.filter(({ interrupted }) => interrupted).length,
    tool_calls: Object.keys(tools).length,
    first_token_ms: since("first_token_at"),
    first_sound_ms: since("first_sound_at"),
    ...used
  }
}
