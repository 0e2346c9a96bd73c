import { Effect, Layer, Schema, Stream } from "effect"
import { answersTo, Qualification, type Review, Sentiment } from "../../../core/model/conversations/Review.ts"
import { byteLength } from "../../../core/model/json/RawJson.ts"
import { AgentModel, type AgentPart, type AgentRequest } from "../../../core/ports/AgentModel.ts"
import { CallReviewer, type ReviewRequest } from "../../../core/ports/CallReviewer.ts"
import {
  ModelBusy,
  type ModelFailure,
  ModelTimedOut,
  ModelUnavailable,
  ModelUnusable,
  type Usage
} from "../../../core/ports/ModelFailure.ts"
import { ToolFailed, type ToolRequest, ToolRunner } from "../../../core/ports/ToolRunner.ts"
import { type Answer, anything, asking, type OnError, streaming } from "./Lift.ts"

/**
 * Says what an agent says on a call. Throw `ModelUnusable`, `ModelTimedOut` or `ModelBusy` to say why it says nothing;
 * anything else that is thrown counts as `ModelUnavailable`. A conversation asks once more within the turn, and then
 * apologises and hangs up.
 */
export interface TalkingModel {
  /** What is shown as the model's name; "own model" unless told. */
  readonly name?: string | undefined
  /**
   * Answers in parts, as they come: `{_tag: "Text", text}` for what is said, never empty; then, to use tools,
   * `{_tag: "ToolCalls", calls: [{name, arguments}]}` with the arguments as JSON text; then `{_tag: "Used", usage}`, which
   * may be left out. The signal is aborted when the callee interrupts.
   */
  readonly reply: (request: AgentRequest, signal: AbortSignal) => AsyncIterable<AgentPart>
}

/** Reads the transcripts of calls. What it throws counts as with `TalkingModel`, and it is asked again later. */
export interface Reviewer {
  /**
   * An answer that is not of its question's type counts as not given. `sentiment` is null when it cannot be told,
   * `qualification_status` then "unknown".
   */
  readonly review: (
    request: ReviewRequest,
    signal: AbortSignal
  ) => Answer<{ readonly review: Review; readonly usage?: Usage }>
}

/**
 * Carries out agents' own tools. Throw `ToolFailed` to say why one failed, in words for the model; anything else that is
 * thrown fails it without words.
 */
export interface Tools {
  /** Answers what the model is told: text of at most 32 KiB, within the tool's `timeout_seconds`. */
  readonly run: (request: ToolRequest, signal: AbortSignal) => Answer<string>
  /** Throws `ToolFailed` for an address that no tool may have. Without it every address is taken. */
  readonly vet?: ((url: string, signal: AbortSignal) => Answer<void>) | undefined
}

const modelFailures = [ModelUnusable, ModelUnavailable, ModelTimedOut, ModelBusy] as const
const modelFailed = () => new ModelUnavailable({ message: "the model failed for a reason of its own" })

const Tokens = Schema.Struct({ input_tokens: Schema.NonNegative, output_tokens: Schema.NonNegative })

const Part: Schema.Schema<AgentPart> = Schema.Union(
  Schema.Struct({ _tag: Schema.Literal("Text"), text: Schema.NonEmptyString }),
  Schema.Struct({
    _tag: Schema.Literal("ToolCalls"),
    calls: Schema.Array(Schema.Struct({ name: Schema.String, arguments: Schema.String }))
  }),
  Schema.Struct({ _tag: Schema.Literal("Used"), usage: Tokens })
)

const replying = streaming<ModelFailure>(modelFailures, modelFailed)

export const agentModel = (plain: TalkingModel, onError: OnError): Layer.Layer<AgentModel> => {
  const ask = replying(onError)
  return Layer.succeed(AgentModel, {
    name: plain.name ?? "own model",
    reply: (request, hear) =>
      Stream.runForEach(
        ask("agentModel.reply", Part, (signal) => plain.reply(request, signal)),
        (part) => Effect.sync(() => hear(part))
      )
  })
}

const Reviewed: Schema.Schema<{ readonly review: Review; readonly usage?: Usage }> = Schema.Struct({
  review: Schema.Struct({
    summary: Schema.String,
    sentiment: Schema.NullOr(Sentiment),
    qualification_status: Qualification,
    answers: Schema.Record({ key: Schema.String, value: Schema.Unknown })
  }),
  usage: Schema.optionalWith(Tokens, { exact: true })
})

const reviewing = asking<ModelFailure>(modelFailures, modelFailed)

export const reviewer = (plain: Reviewer, onError: OnError): Layer.Layer<CallReviewer> => {
  const ask = reviewing(onError)
  return Layer.succeed(CallReviewer, {
    review: (request) =>
      Effect.map(
        ask("reviewer.review", Reviewed, (signal) => plain.review(request, signal)),
        ({ review, usage }) => ({
          review: {
            ...review,
            answers: answersTo(request.policy.questions, new Map(Object.entries(review.answers)))
          },
          usage: usage ?? { input_tokens: 0, output_tokens: 0 }
        })
      )
  })
}

const running = asking(
  [ToolFailed],
  () => new ToolFailed({ reason: "unreachable", message: "the tool failed" })
)
const vetting = asking(
  [ToolFailed],
  () => new ToolFailed({ reason: "refused", message: "it could not be judged" })
)

/** Bytes of a tool's answer. */
const mostAnswer = 32 * 1_024

export const tools = (plain: Tools, onError: OnError): Layer.Layer<ToolRunner> => {
  const [run, vet] = [running(onError), vetting(onError)]
  return Layer.succeed(ToolRunner, {
    run: (request) =>
      run("tools.run", Schema.String, (signal) => plain.run(request, signal)).pipe(
        Effect.timeoutFail({
          duration: `${request.tool.timeout_seconds} seconds`,
          onTimeout: () => new ToolFailed({ reason: "timeout", message: "the tool did not answer in time" })
        }),
        Effect.filterOrFail(
          (text) => byteLength(text) <= mostAnswer,
          () => new ToolFailed({ reason: "too_long", message: "the tool answered more than 32 KiB" })
        ),
        Effect.map((text) => text.replaceAll("\u0000", "").toWellFormed())
      ),
    vet: (url) =>
      plain.vet === undefined ? Effect.void : vet("tools.vet", anything, (signal) => plain.vet!(url, signal))
  })
}
