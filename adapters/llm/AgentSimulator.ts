import { Effect, Hash, Layer } from "effect"
import type { MessageEncoded } from "@effect/ai/Prompt"
import type { Role } from "../../core/model/suites/Play.ts"
import { AgentSimulator, type Play, type Turn } from "../../core/ports/AgentSimulator.ts"
import { JudgeAnswer, tidy, TurnAnswer } from "./Answers.ts"
import { Model } from "./Model.ts"
import * as JudgePrompt from "./prompts/judge.ts"
import * as PersonaPrompt from "./prompts/persona.ts"

/** The same for every try of the same turn. */
const seedOf = (play: Play, speaker: string): number =>
  Hash.string(`${play.key}/${speaker}/${play.transcript.length}`) & 0x7fffffff

/** The call as one side hears it. Roles alternate and the last is the user's, as many models demand. */
const messagesOf = (
  system: string,
  play: Play,
  self: Role,
  { opening, silence }: { readonly opening: string; readonly silence: string }
): ReadonlyArray<MessageEncoded> => {
  const heard = play.transcript.map(({ role, text }) =>
    role === self
      ? { role: "assistant" as const, content: JSON.stringify({ text, hangs_up: false }) }
      : { role: "user" as const, content: text }
  )
  const messages: Array<{ role: "system" | "user" | "assistant"; content: string }> = [
    { role: "system", content: system }
  ]
  if (heard[0]?.role !== "user") messages.push({ role: "user", content: opening })
  for (const message of heard) {
    const last = messages.at(-1)!
    if (last.role === message.role) last.content += `\n${message.content}`
    else messages.push({ ...message })
  }
  if (messages.at(-1)!.role !== "user") messages.push({ role: "user", content: silence })
  return messages
}

const make = Effect.fnUntraced(function* (name: string) {
  const model = yield* Model

  const speak = Effect.fnUntraced(function* (
    play: Play,
    speaker: Role,
    messages: ReadonlyArray<MessageEncoded>
  ) {
    const { usage, value } = yield* model.ask({
      name: "turn",
      schema: TurnAnswer,
      messages,
      seed: seedOf(play, speaker),
      deadline: yield* model.deadline
    })
    return { text: tidy(value.text, 10_000), hangs_up: value.hangs_up, usage } satisfies Turn
  })

  const personaTurn = Effect.fn("AgentSimulator.personaTurn")((play: Play) => {
    const { ringing: opening, silence } = PersonaPrompt
    const system = PersonaPrompt.system(play.scenario, play.agent.language)
    return speak(play, "persona", messagesOf(system, play, "persona", { opening, silence }))
  })

  const judge = Effect.fn("AgentSimulator.judge")(function* (
    play: Play,
    judge: { readonly name: string; readonly criterion: string }
  ) {
    const { usage, value } = yield* model.ask({
      name: "judgement",
      schema: JudgeAnswer,
      messages: [
        { role: "system", content: JudgePrompt.system },
        { role: "user", content: JudgePrompt.user(play, judge) }
      ],
      seed: seedOf(play, judge.name),
      deadline: yield* model.deadline
    })
    return { verdict: value.verdict, reasoning: tidy(value.reasoning, 10_000), usage }
  })

  return AgentSimulator.of({ name, personaTurn, judge })
})

/** Persona and judges played by the model of this name. */
export const layer = (name: string): Layer.Layer<AgentSimulator, never, Model> =>
  Layer.effect(AgentSimulator, make(name))
