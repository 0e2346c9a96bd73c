import { Context, Metric } from "effect"
import type { Usage } from "../../core/ports/ModelFailure.ts"

const tokens = Metric.counter("outdial_model_tokens_total", {
  description: "Tokens that the model was sent and sent back, as it counts them",
  incremental: true
})
const received = Metric.tagged(tokens, "direction", "output")
const sent = Metric.tagged(tokens, "direction", "input")

/** Adds to the metric of what models are charged for. */
export const countTokens = (usage: Usage): void => {
  sent.unsafeUpdate(usage.input_tokens, [])
  received.unsafeUpdate(usage.output_tokens, [])
}

/** What a question has cost so far and brought, failed answers included. */
export class OpenQuestion {
  /** A model that takes seeds answers the same question alike under the same seed. */
  readonly seed: number | null
  /** The last answer, as it came. */
  answer = ""
  private input = 0
  private output = 0

  constructor(seed: number | null) {
    this.seed = seed
  }

  get usage(): Usage {
    return { input_tokens: this.input, output_tokens: this.output }
  }

  /** Counts the tokens of one answer. */
  count(usage: Usage) {
    this.input += usage.input_tokens
    this.output += usage.output_tokens
    countTokens(usage)
  }
}

/** The question that a request to the model belongs to. */
export class CurrentQuestion extends Context.Reference<CurrentQuestion>()("outdial/llm/CurrentQuestion", {
  defaultValue: () => new OpenQuestion(null)
}) {}
