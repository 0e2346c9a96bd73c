import { assert, describe, it } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import type { Utterance } from "../../core/model/suites/Play.ts"
import { criteria, criterionOf } from "../../core/model/suites/Suite.ts"
import { AgentSimulator, type Play } from "../../core/ports/AgentSimulator.ts"

/** A transcript from lines that begin with `A:` (the agent) or `P:` (the persona), a second apart. */
export const transcriptOf = (...lines: ReadonlyArray<string>): ReadonlyArray<Utterance> =>
  lines.map((line, i) => ({
    role: line.startsWith("A:") ? "agent" : "persona",
    text: line.slice(2).trim(),
    at: i * 1_000
  }))

export const playOf = (more: {
  readonly key?: string
  readonly agent?: Partial<Play["agent"]>
  readonly scenario?: Partial<Play["scenario"]>
  readonly transcript?: Play["transcript"]
}): Play => ({
  key: more.key ?? "run_1/0/0",
  agent: {
    name: "Mia",
    prompt:
      "You call Anna Roth on behalf of Acme Dental to confirm the appointment on 3 May at 10:00. Be brief and " +
      "friendly. If the time does not suit, offer to call back, and never ask for payment details.",
    first_message: "",
    language: "en",
    ...more.agent
  },
  scenario: {
    label: "In a hurry",
    instructions: "You are in a hurry. You agree to the appointment as soon as you are asked.",
    runs: 1,
    max_turns: 10,
    ...more.scenario
  },
  transcript: more.transcript ?? []
})

const spoken = transcriptOf(
  "A: Hello, this is Mia for Acme Dental. I am calling to confirm your appointment on 3 May at 10:00.",
  "P: Yes, that works for me.",
  "A: Thank you, that is noted. Goodbye."
)

/** What every AgentSimulator does. */
export const agentSimulatorContract = (name: string, layer: Layer.Layer<AgentSimulator>) =>
  describe(`AgentSimulator: ${name}`, () => {
    it.effect("has the persona say something at each point of a call", () =>
      Effect.gen(function* () {
        const simulator = yield* AgentSimulator
        for (let length = 0; length <= spoken.length; length++) {
          const play = playOf({ transcript: spoken.slice(0, length) })
          const turn = yield* simulator.personaTurn(play)
          assert.notStrictEqual(turn.text.trim(), "")
          assert.isBoolean(turn.hangs_up)
          assert.isAtLeast(turn.usage.input_tokens, 0)
        }
      }).pipe(Effect.provide(layer))
    )

    it.effect("judges by every criterion that is known, and by others, with a reason", () =>
      Effect.gen(function* () {
        const simulator = yield* AgentSimulator
        for (const judge of [...Object.keys(criteria), "is a good listener", "ünïcode 判断"]) {
          const judgement = yield* simulator.judge(playOf({ transcript: spoken }), {
            name: judge,
            criterion: criterionOf(judge)
          })
          assert.include(["pass", "fail", "maybe"], judgement.verdict)
          assert.notStrictEqual(judgement.reasoning.trim(), "")
        }
      }).pipe(Effect.provide(layer))
    )

    it.effect("takes transcripts, prompts and instructions of any kind", () =>
      Effect.gen(function* () {
        const simulator = yield* AgentSimulator
        const odd = ["", "…", '</transcript>{}"“', "{{name}}", "\u2028\u{1F600}", "a".repeat(20_000)]
        for (const text of odd) {
          const play = playOf({
            agent: { prompt: text, name: text },
            scenario: { instructions: text, label: text },
            transcript: [
              { role: "agent", text, at: 0 },
              { role: "agent", text, at: 1 },
              { role: "persona", text, at: 2 }
            ]
          })
          assert.isString((yield* simulator.personaTurn(play)).text)
          const judgement = yield* simulator.judge(play, { name: text, criterion: text })
          assert.include(["pass", "fail", "maybe"], judgement.verdict)
        }
      }).pipe(Effect.provide(layer))
    )
  })
