import { Effect, Either, Layer } from "effect"
import type { Scenario } from "../../core/model/suites/Suite.ts"
import type { ModelFailure, Usage } from "../../core/ports/ModelFailure.ts"
import { type GenerationRequest, ScenarioGenerator } from "../../core/ports/ScenarioGenerator.ts"
import { isUsable, ScenariosAnswer, type Sketch, tidy } from "./Answers.ts"
import { type Answer, Model } from "./Model.ts"
import { type Portion, system, user } from "./prompts/generate.ts"

/** Scenarios that one answer holds well. */
const perAnswer = 20
const fewestTurns = 4
const mostTurns = 30

/** The sizes of the requests that `count` scenarios are asked for in, as equal as can be. */
const sizesOf = (count: number): ReadonlyArray<number> => {
  const parts = Math.ceil(count / perAnswer)
  return Array.from({ length: parts }, (_, part) => Math.floor((count + part) / parts))
}

const toScenario = ({ instructions, label, max_turns }: Sketch): Scenario => ({
  label: tidy(label, 180),
  instructions: tidy(instructions, 10_000),
  runs: 1,
  max_turns: Number.isFinite(max_turns)
    ? Math.min(Math.max(Math.trunc(max_turns), fewestTurns), mostTurns)
    : 10
})

/** Scenarios with labels of their own; one that repeats another's instructions is left out. */
class Collection {
  readonly scenarios: Array<Scenario> = []
  private readonly labels = new Set<string>()
  private readonly contents = new Set<string>()
  input_tokens = 0
  output_tokens = 0

  get usage(): Usage {
    return { input_tokens: this.input_tokens, output_tokens: this.output_tokens }
  }

  add({ usage, value }: Answer<typeof ScenariosAnswer.Type>, most: number) {
    this.input_tokens += usage.input_tokens
    this.output_tokens += usage.output_tokens
    for (const scenario of value.scenarios.filter(isUsable).map(toScenario)) {
      const content = scenario.instructions.toLowerCase()
      if (this.scenarios.length >= most || this.contents.has(content)) continue
      this.contents.add(content)
      this.scenarios.push({ ...scenario, label: this.freeLabel(scenario.label) })
    }
  }

  private freeLabel(label: string): string {
    let free = label
    for (let again = 2; this.labels.has(free.toLowerCase()); again++) free = `${label} (${again})`
    this.labels.add(free.toLowerCase())
    return free
  }
}

const make = Effect.gen(function* () {
  const model = yield* Model

  const ask = (request: GenerationRequest, portion: Portion, deadline: number) =>
    model.ask({
      name: "scenarios",
      schema: ScenariosAnswer,
      messages: [
        { role: "system", content: system },
        { role: "user", content: user(request, portion) }
      ],
      seed: null,
      deadline
    })

  const generate = Effect.fn("ScenarioGenerator.generate")(function* (request: GenerationRequest) {
    const deadline = yield* model.deadline
    const sizes = sizesOf(request.count)
    const answers = yield* Effect.forEach(
      sizes,
      (size, part) => Effect.either(ask(request, { size, part, parts: sizes.length, taken: [] }, deadline)),
      { concurrency: "unbounded" }
    )
    const collection = new Collection()
    let failure: ModelFailure | null = null
    for (const answer of answers) {
      if (Either.isRight(answer)) collection.add(answer.right, request.count)
      else failure ??= answer.left
    }
    if (failure !== null && collection.scenarios.length === 0) return yield* failure
    const missing = request.count - collection.scenarios.length
    if (missing > 0 && failure === null) {
      const size = Math.min(missing, perAnswer)
      const taken = collection.scenarios.map(({ label }) => label)
      yield* ask(request, { size, part: 0, parts: 1, taken }, deadline).pipe(
        Effect.map((answer) => collection.add(answer, request.count)),
        Effect.ignore
      )
    }
    return { scenarios: collection.scenarios, usage: collection.usage }
  })

  return ScenarioGenerator.of({ generate })
})

/** Asks a model for scenarios: up to 20 a request, and once more for those that are missing. */
export const layer: Layer.Layer<ScenarioGenerator, never, Model> = Layer.effect(ScenarioGenerator, make)
