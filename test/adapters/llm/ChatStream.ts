import { Context, Effect, Layer, Redacted } from "effect"
import * as LlmAgentModel from "../../../adapters/llm/AgentModel.ts"
import { AgentModel } from "../../../core/ports/AgentModel.ts"
import { type Answer, type Arrived, asJson, listen } from "../../Listener.ts"
import { key } from "./OpenAiServer.ts"

/** A request for a streamed chat completion. */
export interface Question {
  readonly model: string
  readonly stream: boolean
  readonly stream_options?: { readonly include_usage: boolean }
  readonly temperature?: number
  readonly messages: ReadonlyArray<{
    readonly role: string
    readonly content: string | null
    readonly tool_call_id?: string
    readonly tool_calls?: ReadonlyArray<unknown>
  }>
  readonly tools?: ReadonlyArray<{ readonly type: string; readonly function: { readonly name: string } }>
}

export type Asked = Arrived<Question>
export type Behaviour = Answer<Question>

const usage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 }

/** Events of a stream, as OpenAI sends them. */
export const events = {
  text: (content: string | null) => ({ choices: [{ index: 0, delta: { content }, finish_reason: null }] }),
  tool: (index: number | undefined, piece: { id?: string; name?: string; arguments?: unknown }) => ({
    choices: [
      {
        index: 0,
        delta: {
          tool_calls: [
            {
              ...(index !== undefined && { index }),
              ...(piece.id !== undefined && { id: piece.id, type: "function" }),
              function: {
                ...(piece.name !== undefined && { name: piece.name }),
                ...(piece.arguments !== undefined && { arguments: piece.arguments })
              }
            }
          ]
        },
        finish_reason: null
      }
    ]
  }),
  finish: (finish_reason = "stop") => ({ choices: [{ index: 0, delta: {}, finish_reason }] }),
  usage: { choices: [], usage },
  done: "[DONE]"
}

export const encode = (event: unknown): string =>
  `data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`

export const head = ({ response }: Pick<Asked, "response">) =>
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" })

/** Streams these events and ends. */
export const stream =
  (...all: ReadonlyArray<unknown>): Behaviour =>
  (asked) =>
    head(asked).end(all.map(encode).join(""))

/** Says a text, word by word, as a well-behaved server does. */
export const say = (text: string): Behaviour =>
  stream(
    { choices: [{ index: 0, delta: { role: "assistant", content: "" }, finish_reason: null }] },
    ...(text.match(/\s*\S+/g) ?? []).map(events.text),
    events.finish(),
    events.usage,
    events.done
  )

/** Streams bytes as they are, each piece once the one before has left. */
export const bytes =
  (...pieces: ReadonlyArray<Uint8Array | string>): Behaviour =>
  async (asked) => {
    head(asked)
    for (const piece of pieces) {
      await new Promise((resolve) => asked.response.write(piece, resolve))
      await new Promise((resolve) => setImmediate(resolve))
    }
    asked.response.end()
  }

/** Talks, and uses the tool that the last words ask for. */
export const competent: Behaviour = (asked) => {
  const last = asked.body.messages.at(-1)!
  const has = (name: string) => asked.body.tools?.some((tool) => tool.function.name === name) === true
  if (last.role === "user" && /stop calling/i.test(last.content ?? "") && has("do_not_call")) {
    return stream(
      events.text("I see."),
      events.tool(0, { id: "call_1", name: "do_not_call", arguments: "" }),
      events.tool(0, { arguments: "{}" }),
      events.finish("tool_calls"),
      events.usage,
      events.done
    )(asked)
  }
  return say("Hello, this is Mia. How are you?")(asked)
}

export const serve = (behave: Behaviour) =>
  Effect.map(listen(asJson<Question>(), behave), (server) => ({ ...server, url: `${server.url}/v1` }))

export const layerAt = (url: string, options: Partial<LlmAgentModel.Options> = {}) =>
  LlmAgentModel.layer({ url, model: "test", apiKey: Redacted.make(key), ...options })

/** A server that behaves as told, and the port over it. */
export const connectTo = Effect.fnUntraced(function* (
  behave: Behaviour,
  options: Partial<LlmAgentModel.Options> = {}
) {
  const server = yield* serve(behave)
  const context = yield* Layer.build(layerAt(server.url, options))
  return { ...server, model: Context.get(context, AgentModel) }
})
