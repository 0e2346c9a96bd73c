import type { Segment, ToolUse } from "./Conversation.ts"
import { close, type Draft, generate, mostTools } from "./Draft.ts"
import { rest } from "./Speakable.ts"
import { utter } from "./Speaking.ts"

interface Asked {
  readonly name: string
  readonly arguments: string
}

/** The member of an object of arguments, when those are JSON and it is text. */
const textIn = (json: string, name: string): string | null => {
  try {
    const value: unknown = JSON.parse(json)
    if (typeof value !== "object" || value === null || Array.isArray(value)) return null
    const member: unknown = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : null
    return typeof member === "string" ? member : null
  } catch {
    return null
  }
}

const ok = `{"ok":true}`
const refused = (message: string): string => JSON.stringify({ ok: false, error: message })

/** A voicemail speaks first: the model may tell of one in the first turns of the talk alone. */
const voicemailTurns = 4

/** The goodbye, unless the agent has just said one. */
const goodbye = ({ state }: Draft): string => (state.cycle === null ? state.settings.lines.closing : "")

/** What the platform carries out itself; null for a tool of the agent's own. */
const builtIn = (draft: Draft, asked: Asked): string | null => {
  const { now, state } = draft
  switch (asked.name) {
    case "end_call":
      close(draft, "agent_hangup", goodbye(draft))
      return ok
    case "transfer": {
      const to = textIn(asked.arguments, "to")
      if (to === null || !state.settings.transfers.includes(to)) {
        return refused("the call can be transferred to the numbers that the agent names alone")
      }
      close(draft, "transferred", "", JSON.stringify({ transfer: to }))
      return ok
    }
    case "send_digits": {
      const digits = textIn(asked.arguments, "digits") ?? ""
      if (!/^[0-9*#wW]{1,64}$/.test(digits)) return refused("digits must be 1 to 64 of 0 to 9, *, # and w")
      draft.commands.push({ _tag: "SendDigits", digits })
      return ok
    }
    case "voicemail":
      if (state.turns.length > voicemailTurns) return refused("the callee has talked on this line already")
      state.voicemail ??= { detected_at: now, ready: false }
      state.voicemail = { ...state.voicemail, ready: true }
      if (state.settings.voicemail.action === "hang_up") close(draft, "voicemail", "")
      return ok
    case "do_not_call":
      draft.commands.push({ _tag: "DoNotCall" })
      return ok
    default:
      return null
  }
}

/** The turn asks for tools: those of the platform are carried out at once, the agent's own are started. */
export const askTools = (draft: Draft, generation_id: number, calls: ReadonlyArray<Asked>): void => {
  const { now, state } = draft
  if (state.generation?.id !== generation_id) return
  utter(draft, rest(state.generation.speakable))
  const { cycle, generation } = state
  const asked = calls.slice(0, Math.max(0, mostTools - state.toolsOfTurn))
  state.toolsOfTurn += asked.length
  state.generation = null
  const uses: ReadonlyArray<ToolUse> = asked.map((call, i) => ({
    id: `tool_${generation_id}_${i + 1}`,
    name: call.name,
    arguments: call.arguments,
    started_at: now,
    ended_at: null,
    result: null
  }))
  const segment: Segment = { text: generation.held, tools: uses.map(({ id }) => id) }
  const last = cycle?.segments.at(-1)
  const isOwn = generation.spoke && last !== undefined && generation.held === ""
  state.cycle = {
    ...(cycle ?? {
      played: "",
      began_at: now,
      requested_at: generation.requested_at,
      first_token_at: null,
      first_sound_at: null,
      complete: false,
      joined: 0,
      interruptible: state.settings.interruptible !== "none",
      speaking: false,
      last_sent_at: now,
      interrupted_at: null,
      kind: "reply" as const
    }),
    segments: isOwn
      ? [...cycle!.segments.slice(0, -1), { ...last, tools: segment.tools }]
      : [...(cycle?.segments ?? []), segment]
  }
  for (const use of uses) {
    const result = builtIn(draft, use)
    state.tools = { ...state.tools, [use.id]: { ...use, result, ended_at: result === null ? null : now } }
    if (result === null) {
      draft.commands.push({
        _tag: "RunTool",
        call: { id: use.id, name: use.name, arguments: use.arguments }
      })
    }
  }
  goOn(draft)
}

/** When all tools of the turn are done, the model goes on with what they answered. */
const goOn = (draft: Draft): void => {
  const { state } = draft
  if (Object.values(state.tools).some(({ result }) => result === null)) return
  if (state.closing !== null || (state.voicemail !== null && state.settings.voicemail.action !== "continue"))
    return
  if (state.generation !== null || state.unanswered) return void (state.unanswered = true)
  if (state.cycle !== null && state.cycle.interrupted_at === null) return generate(draft, false)
  state.unanswered = true
}

/** A tool has answered, or was given up. What comes later for it is dropped. */
export const endTool = (draft: Draft, id: string, result: string): void => {
  const { now, state } = draft
  const use = state.tools[id]
  if (use === undefined || use.result !== null) return
  state.tools = { ...state.tools, [id]: { ...use, result, ended_at: now } }
  goOn(draft)
}
