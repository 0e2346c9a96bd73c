import { Effect, Either, identity, Layer, Option, type Redacted, Schema, Stream } from "effect"
import * as AiError from "@effect/ai/AiError"
import * as LanguageModel from "@effect/ai/LanguageModel"
import type { FinishReason, PartEncoded, StreamPartEncoded } from "@effect/ai/Response"
import * as HttpClient from "@effect/platform/HttpClient"
import type { HttpClientError } from "@effect/platform/HttpClientError"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import { CurrentExchange } from "./ModelExchange.ts"
import { bodyOf, Completion, isUsedUp, objectIn, usageOf, usedUp } from "./Wire.ts"

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

/** The system's code for what broke, such as ECONNREFUSED, and nothing else of the error. */
const codeOf = (error: unknown, depth = 0): string | null => {
  if (typeof error !== "object" || error === null || depth > 4) return null
  const code = "code" in error && typeof error.code === "string" ? error.code : ""
  if (/^[A-Z][A-Z0-9_]{2,40}$/.test(code)) return code
  return "cause" in error ? codeOf(error.cause, depth + 1) : null
}

const unreachable = (error: HttpClientError) =>
  new AiError.HttpRequestError({
    ...where,
    reason: "Transport",
    request,
    description: codeOf(error.cause) ?? error.reason
  })

const refused = (status: number, header: string | undefined, description: string | undefined) =>
  new AiError.HttpResponseError({
    ...where,
    reason: "StatusCode",
    request,
    response: { status, headers: header === undefined ? {} : { "retry-after": header } },
    description
  })

const textOf = (body: Stream.Stream<Uint8Array, HttpClientError>) =>
  Effect.suspend(() => {
    const decoder = new TextDecoder()
    let size = 0
    let text = ""
    return Stream.runForEach(Stream.mapError(body, unreachable), (bytes) => {
      size += bytes.length
      if (size > mostBytes) return malformed("the answer is too long")
      text += decoder.decode(bytes, { stream: true })
      return Effect.void
    }).pipe(Effect.map(() => text + decoder.decode()))
  })

const finishes: Readonly<Record<string, FinishReason>> = {
  stop: "stop",
  length: "length",
  content_filter: "content-filter",
  tool_calls: "tool-calls"
}

const make = Effect.fnUntraced(function* (options: ChatCompletionsOptions) {
  const url = new URL(options.url)
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/chat/completions`
  const client = (yield* HttpClient.HttpClient).pipe(
    HttpClient.mapRequest(
      options.apiKey === undefined ? identity : HttpClientRequest.bearerToken(options.apiKey)
    ),
    HttpClient.withTracerPropagation(false),
    HttpClient.withTracerDisabledWhen(() => true),
    HttpClient.withScope
  )
  let plain = false

  const post = (body: unknown) =>
    Effect.scoped(
      Effect.gen(function* () {
        const response = yield* client
          .execute(
            HttpClientRequest.post(url, { acceptJson: true }).pipe(HttpClientRequest.bodyUnsafeJson(body))
          )
          .pipe(Effect.mapError(unreachable))
        const { headers, status } = response
        if (status >= 200 && status < 300) return yield* textOf(response.stream)
        const isOver =
          status === 429 && isUsedUp(yield* textOf(response.stream).pipe(Effect.orElseSucceed(() => "")))
        return yield* refused(status, headers["retry-after"], isOver ? usedUp : undefined)
      })
    )

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
    const exchange = yield* CurrentExchange
    exchange.answer = ""
    const completion = decodeCompletion(yield* complete(provider, exchange.seed))
    if (Option.isNone(completion)) return yield* malformed("the answer is not a chat completion")
    const usage = usageOf(completion.value)
    exchange.count(usage)
    const choice = completion.value.choices[0]
    const answer = choice?.message.content ?? ""
    exchange.answer = answer
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
