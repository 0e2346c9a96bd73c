import { type ConfigError, Effect, Layer, Option, Schema } from "effect"
import { ToolFailed, type ToolRequest, ToolRunner } from "../../core/ports/ToolRunner.ts"
import * as GuardedPost from "../shared/GuardedPost.ts"
import { decodeJson } from "../shared/Json.ts"
import { postHeaders, signatureHeaders } from "../shared/Signature.ts"
import type { TryFailed } from "../shared/TryFailed.ts"

/** Bytes of an answer. */
const maxAnswerBytes = 32 * 1_024

const decodeArguments = decodeJson(Schema.Record({ key: Schema.String, value: Schema.Unknown }))

/** Arguments and metadata stand in it as they were supplied. */
const bodyOf = ({ arguments: given, call_id, metadata, session_id, tool }: ToolRequest): string =>
  `{"tool":${JSON.stringify(tool.name)},"arguments":${given},"call_id":${JSON.stringify(call_id)},` +
  `"session_id":${JSON.stringify(session_id)},"metadata":${metadata ?? "null"}}`

const headersOf =
  ({ idempotency_key: id, secrets }: ToolRequest, body: string) =>
  (at: number) => ({
    ...postHeaders,
    "idempotency-key": id,
    ...(secrets.length === 0 ? {} : signatureHeaders({ id, body, secrets }, at))
  })

const failureOf = ({ error, reason }: TryFailed, { tool }: ToolRequest): ToolFailed => {
  switch (reason) {
    case "refused":
      return new ToolFailed({ reason, message: `the tool cannot be called (${error})` })
    case "timeout":
      return new ToolFailed({
        reason,
        message: `the tool did not answer within ${tool.timeout_seconds} seconds`
      })
    case "unreachable":
      return new ToolFailed({ reason, message: `the tool cannot be reached (${error})` })
  }
}

const make = Effect.fnUntraced(function* (options: GuardedPost.Options) {
  const { post, refusalOf } = yield* GuardedPost.make({ ...options, maxAnswerBytes })

  const run = Effect.fn("ToolRunner.run")(function* (request: ToolRequest) {
    if (Option.isNone(decodeArguments(request.arguments))) {
      return yield* new ToolFailed({ reason: "refused", message: "the arguments are no JSON object" })
    }
    const body = bodyOf(request)
    const answer = yield* post({
      endpoint: request.workspace_id,
      url: request.tool.url,
      headers: headersOf(request, body),
      body,
      timeout: `${request.tool.timeout_seconds} seconds`,
      repeatable: request.tool.repeatable
    }).pipe(Effect.mapError((failure) => failureOf(failure, request)))
    if (answer.status < 200 || answer.status > 299) {
      return yield* new ToolFailed({ reason: "status", message: `the tool answered http ${answer.status}` })
    }
    if (answer.body === undefined) {
      return yield* new ToolFailed({ reason: "too_long", message: "the tool answered more than 32 KiB" })
    }
    return answer.body.toString("utf8").replaceAll("\u0000", "")
  })

  return ToolRunner.of({
    run,
    vet: Effect.fn("ToolRunner.vet")((url: string) => {
      const reason = refusalOf(url)
      return reason === undefined
        ? Effect.void
        : Effect.fail(new ToolFailed({ reason: "refused", message: reason }))
    })
  })
})

/** Carries out tools over HTTP/1.1: signed, to vetted addresses only, following no redirect. */
export const layer = (options: GuardedPost.Options): Layer.Layer<ToolRunner> =>
  Layer.scoped(ToolRunner, make(options))

export const layerConfig: Layer.Layer<ToolRunner, ConfigError.ConfigError> = Layer.unwrapEffect(
  Effect.map(GuardedPost.settings, layer)
)
