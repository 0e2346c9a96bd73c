import { Chunk, Context, Effect, Layer, Redacted, TestClock } from "effect"
import * as OpenAiCompatible from "../../../adapters/llm/OpenAiCompatible.ts"
import { AgentModel } from "../../../core/ports/AgentModel.ts"
import { AgentSimulator } from "../../../core/ports/AgentSimulator.ts"
import { CallReviewer } from "../../../core/ports/CallReviewer.ts"
import { ScenarioGenerator } from "../../../core/ports/ScenarioGenerator.ts"
import { playOf, transcriptOf } from "../../contracts/AgentSimulator.ts"
import { appointmentPrompt, requestFor } from "../../contracts/ScenarioGenerator.ts"
import { type Behaviour, key, serve } from "./OpenAiServer.ts"

export { key }

export const heard = transcriptOf("A: Hello, this is Mia.", "P: Hello, what is it about?")

/** All ports over one model at `url`. */
export const connect = Effect.fnUntraced(function* (
  url: string,
  options: Partial<OpenAiCompatible.Options> = {}
) {
  const context = yield* Layer.build(
    OpenAiCompatible.layer({ url, model: "test", apiKey: Redacted.make(key), ...options })
  )
  const simulator = Context.get(context, AgentSimulator)
  const generator = Context.get(context, ScenarioGenerator)
  return {
    simulator,
    generator,
    agentModel: Context.get(context, AgentModel),
    reviewer: Context.get(context, CallReviewer),
    personaTurn: simulator.personaTurn(playOf({ transcript: heard })),
    judge: simulator.judge(playOf({ transcript: heard }), { name: "safety", criterion: "It is safe." }),
    generate: (count: number) => generator.generate(requestFor(appointmentPrompt, { count }))
  }
})

/** A model that behaves as told, and all ports over it. */
export const connectTo = Effect.fnUntraced(function* (
  behave: Behaviour,
  options: Partial<OpenAiCompatible.Options> = {}
) {
  const server = yield* serve(behave)
  return { ...server, ...(yield* connect(server.url, options)) }
})

const nextTick = Effect.async<void>((resume) => {
  const immediate = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(immediate))
})

/** Waits until a fiber sleeps until `at` (milliseconds of the test clock). */
export const awaitSleepUntil = (at: number): Effect.Effect<void> =>
  Effect.flatMap(TestClock.sleeps(), (sleeps) =>
    Chunk.contains(sleeps, at)
      ? Effect.void
      : Effect.andThen(
          nextTick,
          Effect.suspend(() => awaitSleepUntil(at))
        )
  )
