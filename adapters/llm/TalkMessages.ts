import { Option } from "effect"
import { JsonObject } from "../../core/model/Codecs.ts"
import type { Message } from "../../core/model/conversations/History.ts"
import type { AgentRequest } from "../../core/ports/AgentModel.ts"
import { decodeJson } from "../shared/Json.ts"
import { connected, goOn, note, system } from "./prompts/talk.ts"

interface ToolCall {
  readonly id: string
  readonly type: "function"
  readonly function: { readonly name: string; readonly arguments: string }
}

export type ChatMessage =
  | { readonly role: "system"; readonly content: string }
  | { readonly role: "user"; content: string }
  | { readonly role: "assistant"; content: string | null; tool_calls?: ReadonlyArray<ToolCall> }
  | { readonly role: "tool"; readonly tool_call_id: string; readonly content: string }

const decodeArguments = decodeJson(JsonObject)

const toolCallOf = ({
  arguments: given,
  id,
  name
}: {
  readonly id: string
  readonly name: string
  readonly arguments: string
}): ToolCall => ({
  id,
  type: "function",
  // Some servers refuse a history with arguments that are no JSON.
  function: { name, arguments: Option.isSome(decodeArguments(given)) ? given : "{}" }
})

const chatMessageOf = (message: Message): ChatMessage => {
  switch (message.role) {
    case "agent":
      return message.calls.length === 0
        ? { role: "assistant", content: message.text }
        : {
            role: "assistant",
            content: message.text === "" ? null : message.text,
            tool_calls: message.calls.map(toolCallOf)
          }
    case "callee":
      return { role: "user", content: message.text }
    case "tool":
      return { role: "tool", tool_call_id: message.id, content: message.result }
    case "note":
      return { role: "user", content: note(message.text) }
  }
}

/** Adds a message; what one side says in a row becomes one, since many models demand that sides alternate. */
const add = (messages: Array<ChatMessage>, message: ChatMessage): void => {
  const last = messages.at(-1)
  if (last?.role === "user" && message.role === "user") last.content += `\n${message.content}`
  else if (last?.role === "assistant" && message.role === "assistant" && last.tool_calls === undefined) {
    last.content = [last.content, message.content].filter((text) => text !== null && text !== "").join(" ")
    if (message.tool_calls !== undefined) last.tool_calls = message.tool_calls
  } else messages.push(message)
}

/** The talk as a chat: the agent's prompt, then the callee first and last, or a tool last. */
export const messagesOf = (request: AgentRequest): ReadonlyArray<ChatMessage> => {
  const messages: Array<ChatMessage> = [{ role: "system", content: system(request) }]
  const talk = request.messages.map(chatMessageOf)
  if (talk[0]?.role !== "user") add(messages, { role: "user", content: connected })
  for (const message of talk) add(messages, message)
  if (messages.at(-1)!.role === "assistant") add(messages, { role: "user", content: goOn })
  return messages
}

/** A request's body. Usage is left out for a server that does not know how to ask for it. */
export const bodyOf = (request: AgentRequest, model: string, withUsage: boolean): string =>
  JSON.stringify({
    model: request.agent.model ?? model,
    messages: messagesOf(request),
    stream: true,
    ...(withUsage && { stream_options: { include_usage: true } }),
    ...(request.agent.temperature !== null && { temperature: request.agent.temperature }),
    ...(request.tools.length > 0 && {
      tools: request.tools.map(({ description, name, parameters }) => ({
        type: "function",
        function: { name, description, parameters }
      }))
    })
  })
