import { Effect, Layer } from "effect"
import type { Message } from "../../core/model/conversations/History.ts"
import { AgentModel, type AgentPart, type AgentRequest } from "../../core/ports/AgentModel.ts"
import { opening } from "./personas/AgentLines.ts"
import { toldOf, toolFor } from "./personas/AgentTools.ts"
import { agentLine, type AgentTalk } from "./personas/AgentVoice.ts"
import { PromptCache, type Reading } from "./personas/PromptReading.ts"
import { UtteranceCache } from "./personas/Utterance.ts"

/** What an agent by rules says next, and the tool that it uses after it. */
interface Said {
  readonly text: string
  readonly call: { readonly name: string; readonly arguments: string } | null
}

type Spoken = Array<{ role: "agent" | "callee"; text: string }>

/** What was said, one text for what a side has said in a row. */
const spokenIn = (messages: ReadonlyArray<Message>): Spoken => {
  const spoken: Spoken = []
  for (const message of messages) {
    if (message.role !== "agent" && message.role !== "callee") continue
    if (message.text === "") continue
    const last = spoken.at(-1)
    if (last?.role === message.role) last.text += ` ${message.text}`
    else spoken.push({ role: message.role, text: message.text })
  }
  return spoken
}

const usedIn = (messages: ReadonlyArray<Message>): ReadonlySet<string> =>
  new Set(
    messages.flatMap((message) =>
      message.role === "agent" ? message.calls.map(({ arguments: given, name }) => `${name} ${given}`) : []
    )
  )

type Result = Extract<Message, { readonly role: "tool" }>

/** What tools have answered since the callee was last heard. */
const newResults = (messages: ReadonlyArray<Message>): ReadonlyArray<Result> =>
  messages
    .slice(messages.findLastIndex(({ role }) => role === "callee") + 1)
    .filter((message) => message.role === "tool")

const optedOut = "I have noted that you do not wish to be called again, and you will not be."

const afterTools = (results: ReadonlyArray<Result>, reading: Reading, talk: AgentTalk) => {
  const goodbye = reading.closing ?? "Thank you for your time, and goodbye."
  if (results.some(({ name }) => name === "do_not_call")) {
    return { text: `${optedOut} Goodbye.`, hangs_up: true }
  }
  if (results.some(({ name }) => name === "voicemail")) {
    return { text: `${opening(reading, { ...talk, transcript: [] })} ${goodbye}`, hangs_up: true }
  }
  const told = results
    .filter(({ name }) => name !== "end_call" && name !== "transfer" && name !== "send_digits")
    .map(({ result }) => toldOf(result))
    .join(" ")
  return told === "" ? null : { text: `${told} Is there anything else?`, hangs_up: false }
}

const sayNext = (
  { agent, messages, session_id, tools }: AgentRequest,
  reading: Reading,
  utterances: UtteranceCache
): Said => {
  const talk: AgentTalk = {
    key: session_id,
    agent: { name: agent.name, first_message: "" },
    transcript: spokenIn(messages),
    // The platform tells so when the time of the call runs out.
    isLast: messages.some(({ role }) => role === "note")
  }
  const results = newResults(messages)
  const heard = talk.transcript.findLast(({ role }) => role === "callee")
  if (results.length === 0 && heard !== undefined && !talk.isLast) {
    const turns = talk.transcript.filter(({ role }) => role === "agent").length
    const used = usedIn(messages)
    const choice = toolFor({ reading, tools, heard: utterances.read(heard.text), turns, used })
    if (choice !== null) {
      return { text: choice.text, call: { name: choice.name, arguments: choice.arguments } }
    }
  }
  const line = afterTools(results, reading, talk) ?? agentLine(reading, talk, utterances)
  const ends = line.hangs_up && tools.some(({ name }) => name === "end_call")
  return { text: line.text, call: ends ? { name: "end_call", arguments: "{}" } : null }
}

const used: AgentPart = { _tag: "Used", usage: { input_tokens: 0, output_tokens: 0 } }

const partsOf = ({ call, text }: Said): ReadonlyArray<AgentPart> => [
  ...(text.match(/\s*\S+/g) ?? []).map((piece): AgentPart => ({ _tag: "Text", text: piece })),
  ...(call === null ? [] : [{ _tag: "ToolCalls", calls: [call] } satisfies AgentPart]),
  used
]

/**
 * Speaks from the sentences of the agent's prompt, without a model, and uses a tool where rules can tell that it is
 * due. The same talk goes the same way each time. Made for prompts in English.
 */
export const layer: Layer.Layer<AgentModel> = Layer.sync(AgentModel, () => {
  const prompts = new PromptCache()
  const utterances = new UtteranceCache()
  return {
    name: "built-in rules",
    reply: (request, hear) =>
      Effect.sync(() =>
        partsOf(sayNext(request, prompts.read(request.agent.prompt), utterances)).forEach(hear)
      )
  }
})
