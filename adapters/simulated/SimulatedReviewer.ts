import { Effect, Layer } from "effect"
import { span } from "../../core/engine/Span.ts"
import type { ReviewPolicy } from "../../core/model/agents/Talk.ts"
import type { Qualification, Review } from "../../core/model/conversations/Review.ts"
import type { TranscriptTurn } from "../../core/model/conversations/Transcript.ts"
import { CallReviewer, type ReviewRequest } from "../../core/ports/CallReviewer.ts"
import { answerTo } from "./personas/Answers.ts"
import { sentimentOf } from "./personas/Feelings.ts"
import { cut } from "./personas/Text.ts"

const quoted = (text: string): string => `“${cut(text.trim(), 200)}”`

/** What was said first and last, and what was done. */
const summaryOf = (transcript: ReadonlyArray<TranscriptTurn>): string => {
  const said = transcript.filter(({ role, text }) => role !== "tool" && text.trim() !== "")
  const opening = said.find(({ role }) => role === "agent")
  const callee = said.filter(({ role }) => role === "callee")
  const tools = new Set(transcript.flatMap(({ tool }) => (tool === null ? [] : [tool.name])))
  return [
    opening === undefined ? "The agent said nothing." : `The agent began with ${quoted(opening.text)}.`,
    callee.length === 0
      ? "The callee said nothing."
      : `The callee spoke ${callee.length === 1 ? "once" : `${callee.length} times`}, last of all ${quoted(callee.at(-1)!.text)}.`,
    ...(tools.size === 0 ? [] : [`Tools used: ${[...tools].join(", ")}.`])
  ].join(" ")
}

const condition = /^\s*(\w+)\s*(?:is|=|==|:)\s*(.+?)\.?\s*$/i
const asWritten: Readonly<Record<string, string>> = { yes: "true", no: "false" }

/** Tells when the policy names a question and the answer that qualifies, as in "interested is true". */
const qualificationOf = ({ qualified_when }: ReviewPolicy, answers: Review["answers"]): Qualification => {
  const [, name, value] = condition.exec(qualified_when) ?? []
  if (name === undefined || value === undefined || !Object.hasOwn(answers, name)) return "unknown"
  const answer = answers[name]
  if (answer === null) return "unknown"
  const wanted = value.toLowerCase()
  const given = String(answer).toLowerCase()
  return given === wanted || given === asWritten[wanted] ? "qualified" : "not_qualified"
}

const review = ({ agent, policy, transcript }: ReviewRequest): Review => {
  const answers = Object.fromEntries(
    policy.questions.map((question) => [question.name, answerTo(question, transcript, agent.language)])
  )
  const callee = transcript.filter(({ digits, role }) => role === "callee" && !digits)
  return {
    summary: summaryOf(transcript),
    sentiment: sentimentOf(
      callee.map(({ text }) => text),
      agent.language
    ),
    qualification_status: qualificationOf(policy, answers),
    answers
  }
}

/**
 * Reviews by rules, without a model: the summary quotes the transcript, the sentiment goes by words, an answer is what
 * the callee replied to the agent's question. What rules cannot tell is null or unknown.
 */
export const layer: Layer.Layer<CallReviewer> = Layer.succeed(CallReviewer, {
  review: (request) =>
    Effect.sync(() => ({ review: review(request), usage: { input_tokens: 0, output_tokens: 0 } })).pipe(
      span("CallReviewer.review")
    )
})
