import { Effect, Layer } from "effect"
import { span } from "../../core/engine/Span.ts"
import { AgentSimulator } from "../../core/ports/AgentSimulator.ts"
import type { Usage } from "../../core/ports/ModelFailure.ts"
import { judgementOf } from "./personas/judges/Judges.ts"
import { PersonaCache } from "./personas/PersonaReading.ts"
import { personaLine } from "./personas/PersonaVoice.ts"
import { PromptCache } from "./personas/PromptReading.ts"

const usage: Usage = { input_tokens: 0, output_tokens: 0 }

const make = Effect.sync(() => {
  const prompts = new PromptCache()
  const personas = new PersonaCache()
  return AgentSimulator.of({
    name: "built-in rules",
    personaTurn: (play) =>
      Effect.sync(() => ({ ...personaLine(personas.read(play.scenario.instructions), play), usage })).pipe(
        span("AgentSimulator.personaTurn")
      ),
    judge: (play, judge) =>
      Effect.sync(() => ({ ...judgementOf(prompts.read(play.agent.prompt), play, judge), usage })).pipe(
        span("AgentSimulator.judge")
      )
  })
})

/**
 * Plays and judges by rules, without a model: the persona speaks by its temperament and instructions, and each judge
 * reads the transcript against the prompt. The same play goes the same way each time. Made for English.
 */
export const layer: Layer.Layer<AgentSimulator> = Layer.effect(AgentSimulator, make)
