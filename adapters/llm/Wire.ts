import * as Tool from "@effect/ai/Tool"
import type { ProviderOptions } from "@effect/ai/LanguageModel"
import type { Prompt } from "@effect/ai/Prompt"
import { Option, Schema } from "effect"
import type { Usage } from "../../core/ports/ModelFailure.ts"

/** Where chat completions are asked for, below a base URL. */
export const completionsUrl = (base: string): URL => {
  const url = new URL(base)
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/chat/completions`
  return url
}

/** The parts of a chat completion that are read. */
export const Completion = Schema.parseJson(
  Schema.Struct({
    choices: Schema.Array(
      Schema.Struct({
        message: Schema.Struct({ content: Schema.optional(Schema.NullOr(Schema.String)) }),
        finish_reason: Schema.optional(Schema.NullOr(Schema.String))
      })
    ),
    usage: Schema.optional(
      Schema.NullOr(
        Schema.Struct({
          prompt_tokens: Schema.optional(Schema.NullOr(Schema.Number)),
          completion_tokens: Schema.optional(Schema.NullOr(Schema.Number))
        })
      )
    )
  })
)
export type Completion = typeof Completion.Type

const Refusal = Schema.parseJson(
  Schema.Struct({ error: Schema.Struct({ code: Schema.optional(Schema.NullOr(Schema.String)) }) })
)
const decodeRefusal = Schema.decodeUnknownOption(Refusal)

/** What an error says of an account that is used up. */
export const usedUp = "the account is used up"

/** Whether a 429 says that the account is used up, which no waiting mends. */
export const isUsedUp = (body: string): boolean =>
  Option.exists(decodeRefusal(body), ({ error }) => error.code === "insufficient_quota")

const whole = (count: unknown): number =>
  typeof count === "number" && Number.isFinite(count) ? Math.min(Math.max(Math.trunc(count), 0), 1e9) : 0

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined

/** The tokens of an answer's `usage`, which may be missing or of any form. */
export const usageOf = (usage: unknown): Usage => ({
  input_tokens: whole(memberOf(usage, "prompt_tokens")),
  output_tokens: whole(memberOf(usage, "completion_tokens"))
})

const messagesOf = (prompt: Prompt) =>
  prompt.content.map((message) => ({
    role: message.role,
    content:
      typeof message.content === "string"
        ? message.content
        : message.content.map((part) => (part.type === "text" ? part.text : "")).join("")
  }))

/** The form of the answer, without the rules that a grammar cannot hold. */
const formatOf = (format: ProviderOptions["responseFormat"]) =>
  format.type === "text"
    ? {}
    : {
        response_format: {
          type: "json_schema",
          json_schema: {
            name: format.objectName,
            strict: true,
            schema: Tool.getJsonSchemaFromSchemaAst(Schema.encodedSchema(format.schema).ast)
          }
        }
      }

/** A request's body. `plain` leaves out what some servers do not know; the prompt says the form as well. */
export const bodyOf = (
  model: string,
  { prompt, responseFormat }: ProviderOptions,
  seed: number | null,
  plain: boolean
) => ({
  model,
  messages: messagesOf(prompt),
  ...(plain ? {} : formatOf(responseFormat)),
  ...(plain || seed === null ? {} : { seed })
})

const thought = /^\s*<think>[\s\S]*?<\/think>/

/** The JSON object in an answer that may think aloud before it, or wrap it in a fence. */
export const objectIn = (answer: string): string => {
  const said = answer.replace(thought, "")
  const first = said.indexOf("{")
  const last = said.lastIndexOf("}")
  return first === -1 || last < first ? said : said.slice(first, last + 1)
}
