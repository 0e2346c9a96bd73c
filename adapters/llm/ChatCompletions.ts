import { Effect, Either, Layer, Option, type Redacted, Schema, Stream } from "effect"
import * as AiError from "@effect/ai/AiError"
import * as LanguageModel from "@effect/ai/LanguageModel"
import type { FinishReason, PartEncoded, StreamPartEncoded } from "@effect/ai/Response"
import type * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as HttpExchange from "../shared/HttpExchange.ts"
import { CurrentQuestion } from "./OpenQuestion.ts"
import { bodyOf, Completion, completionsUrl, isUsedUp, objectIn, usageOf, usedUp } from "./Wire.ts"

export interface ChatCompletionsOptions {
  /** The base URL, such as `https://api.openai.com/v1`. */
  readonly url: string
  readonly apiKey?: Redacted.Redacted | undefined
  readonly model: string
}

/** Bytes of an answer that are read. */
const mostBytes = 4 * 1024 * 1024

const where = { module: "ChatCompletions", method: "generateText" } as const
/** What errors tell of a request: nothing of its address, headers or body. */
const request = {
  method: "POST",
  url: "/chat/completions",
  urlParams: [],
  hash: Option.none(),
  headers: {}
} as const

const malformed = (description: string) => new AiError.MalformedOutput({ ...where, description })

const decodeJson = Schema.decodeUnknownEither(Schema.parseJson())
const decodeCompletion = Schema.decodeUnknownOption(Completion)

const unanswered = (failure: HttpExchange.Unanswered) => {
  const code = failure._tag === "TimedOut" ? "TIMED_OUT" : failure.code
  return code === HttpExchange.tooLong
    ? malformed("the answer is too long")
    : new AiError.HttpRequestError({ ...where, reason: "Transport", request, description: code })
}

const refused = (status: number, header: string | undefined, description: string | undefined) =>
  new AiError.HttpResponseError({
    ...where,
    reason: "StatusCode",
    request,
    response: { status, headers: header === undefined ? {} : { "retry-after": header } },
    description
  })

const finishes: Readonly<Record<string, FinishReason>> = {
  stop: "stop",
  length: "length",
  content_filter: "content-filter",
  tool_calls: "tool-calls"
}

const make = Effect.fnUntraced(function* (options: ChatCompletionsOptions) {
  const url = completionsUrl(options.url)
  const exchange = yield* HttpExchange.make({
    prepare: options.apiKey === undefined ? undefined : HttpClientRequest.bearerToken(options.apiKey),
    mostBytes
  })
  let plain = false

  /** The caller bounds how long it may take. */
  const post = Effect.fnUntraced(function* (body: unknown) {
    const asked = HttpClientRequest.post(url, { acceptJson: true }).pipe(
      HttpClientRequest.bodyUnsafeJson(body)
    )
    const answer = yield* Effect.mapError(exchange(asked, Infinity), unanswered)
    if (HttpExchange.isOk(answer)) return answer.text
    const { headers, status, text } = answer
    const isOver = status === 429 && isUsedUp(text)
    return yield* refused(status, headers["retry-after"], isOver ? usedUp : undefined)
  })

  /** A server that does not know the form of answers, or the seed, is asked without them from then on. */
  const complete = (provider: LanguageModel.ProviderOptions, seed: number | null) => {
    const send = (plain: boolean) => post(bodyOf(options.model, provider, seed, plain))
    if (plain) return send(true)
    return send(false).pipe(
      Effect.catchIf(
        (error) =>
          error._tag === "HttpResponseError" &&
          (error.response.status === 400 || error.response.status === 422),
        () =>
          Effect.tap(send(true), () => {
            plain = true
          })
      )
    )
  }

  const generateText = Effect.fnUntraced(function* (provider: LanguageModel.ProviderOptions) {
    const question = yield* CurrentQuestion
    question.answer = ""
    const completion = decodeCompletion(yield* complete(provider, question.seed))
    if (Option.isNone(completion)) return yield* malformed("the answer is not a chat completion")
    const usage = usageOf(completion.value.usage)
    question.count(usage)
    const choice = completion.value.choices[0]
    const answer = choice?.message.content ?? ""
    question.answer = answer
    const isJson = provider.responseFormat.type === "json"
    const text = isJson ? objectIn(answer) : answer
    if (isJson && Either.isLeft(decodeJson(text))) {
      return yield* malformed(
        choice?.finish_reason === "length" ? "breaks off before its end: be shorter" : "is not a JSON object"
      )
    }
    const parts: Array<PartEncoded> = [
      { type: "text", text },
      {
        type: "finish",
        reason: finishes[choice?.finish_reason ?? ""] ?? "unknown",
        usage: {
          inputTokens: usage.input_tokens,
          outputTokens: usage.output_tokens,
          totalTokens: usage.input_tokens + usage.output_tokens
        }
      }
    ]
    return parts
  })

  /** The whole answer in one piece. */
  const streamText = (provider: LanguageModel.ProviderOptions) =>
    Stream.fromIterableEffect(
      Effect.map(generateText(provider), (parts) =>
        parts.flatMap((part): ReadonlyArray<StreamPartEncoded> => {
          if (part.type === "finish") return [part]
          if (part.type !== "text") return []
          return [
            { type: "text-start", id: "0" },
            { type: "text-delta", id: "0", delta: part.text },
            { type: "text-end", id: "0" }
          ]
        })
      )
    )

  return yield* LanguageModel.make({ generateText, streamText })
})

/**
 * A language model behind `POST {url}/chat/completions`, the one operation that all OpenAI-compatible servers
 * share (the provider of @effect/ai-openai speaks `/responses` alone). Source: OpenAI API reference, "Chat".
 */
export const layer = (
  options: ChatCompletionsOptions
): Layer.Layer<LanguageModel.LanguageModel, never, HttpClient.HttpClient> =>
  Layer.effect(LanguageModel.LanguageModel, make(options))
