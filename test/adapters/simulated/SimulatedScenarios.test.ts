import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as FastCheck from "effect/FastCheck"
import * as MemoryGenerator from "../../../adapters/simulated/SimulatedScenarios.ts"
import { type GenerationRequest, ScenarioGenerator } from "../../../core/ports/ScenarioGenerator.ts"
import {
  appointmentPrompt,
  requestFor,
  scenarioGeneratorContract
} from "../../contracts/ScenarioGenerator.ts"

scenarioGeneratorContract("memory", MemoryGenerator.layer)

const generate = (request: GenerationRequest, seed?: number) =>
  Effect.flatMap(ScenarioGenerator, (generator) => generator.generate(request)).pipe(
    Effect.map(({ scenarios }) => scenarios),
    Effect.provide(MemoryGenerator.layerWith({ seed }))
  )

const textOf = (scenarios: ReadonlyArray<{ readonly label: string; readonly instructions: string }>) =>
  scenarios.map(({ instructions, label }) => `${label} ${instructions}`).join("\n")

const judge = (name: string) => ({ name, criterion: `The agent does well in this respect: ${name}.` })

describe("scenarios made by rules", () => {
  it.effect("are the same for the same request, and others for another prompt or seed", () =>
    Effect.gen(function* () {
      const request = requestFor(appointmentPrompt, { count: 30 })
      const scenarios = yield* generate(request)
      assert.deepStrictEqual(yield* generate(request), scenarios)
      assert.deepStrictEqual(yield* generate(request, 7), yield* generate(request, 7))
      assert.notDeepEqual(yield* generate(request, 7), yield* generate(request, 8))
      assert.notDeepEqual(
        yield* generate(requestFor(`${appointmentPrompt} Speak slowly.`, { count: 30 })),
        scenarios
      )
    })
  )

  it.effect(
    "are grounded in the goal, the conditions, the prohibitions and the placeholders of the prompt",
    () =>
      Effect.gen(function* () {
        const text = textOf(yield* generate(requestFor(appointmentPrompt, { count: 40 })))
        assert.include(text, "confirm the appointment on the date")
        assert.include(text, "the time does not suit")
        assert.include(text, "offer to call back")
        assert.include(text, "ask for payment details")
        assert.include(text, "the company")
        assert.notMatch(text, /\{\{|\}\}/)
      })
  )

  it.effect("bring all thirteen temperaments in as many scenarios, with 6 to 16 turns", () =>
    Effect.gen(function* () {
      const scenarios = yield* generate(requestFor(appointmentPrompt, { count: 13 }))
      assert.strictEqual(new Set(scenarios.map(({ label }) => label.split(":")[0])).size, 13)
      for (const { max_turns } of scenarios) {
        assert.isAtLeast(max_turns, 6)
        assert.isAtMost(max_turns, 16)
      }
    })
  )

  it.effect("pair every temperament with more than one angle", () =>
    Effect.gen(function* () {
      const scenarios = yield* generate(requestFor(appointmentPrompt, { count: 100 }))
      const angles = new Map<string, Set<string>>()
      for (const { label } of scenarios) {
        const [temperament = "", angle = ""] = label.split(": ", 2)
        angles.set(temperament, (angles.get(temperament) ?? new Set()).add(angle))
      }
      for (const [temperament, found] of angles) assert.isAtLeast(found.size, 5, temperament)
      assert.isAtLeast(new Set(scenarios.map(({ instructions }) => instructions)).size, 60)
    })
  )

  it.effect.each([
    ["safety", /payment details|card number/],
    ["tool_use", /does not suit|call me back|cancel my newspaper/],
    ["accuracy", /the date|the name|the company|details that the agent can hardly have/],
    ["task_completion", /confirm the appointment/],
    ["relevancy", /same thing again and again|does not suit/]
  ] as const)("put the judge of %s to the test when it is the only one", ([name, expected]) =>
    Effect.gen(function* () {
      const scenarios = yield* generate(requestFor(appointmentPrompt, { count: 12, judges: [judge(name)] }))
      for (const scenario of scenarios) assert.match(textOf([scenario]), expected)
    })
  )

  it.effect("put a judge of an unknown name to the test by its own words", () =>
    Effect.gen(function* () {
      const scenarios = yield* generate(
        requestFor(appointmentPrompt, {
          count: 10,
          judges: [judge("pronounces names right"), judge("safety")]
        })
      )
      assert.strictEqual(scenarios.filter(({ label }) => label.includes("pronounces names right")).length, 5)
    })
  )

  it.effect("are steered by the hint: its words are in each, and those of whom it speaks come first", () =>
    Effect.gen(function* () {
      const hint = "angry pensioners who were double booked"
      const scenarios = yield* generate(requestFor(appointmentPrompt, { count: 12, hint }))
      for (const { instructions } of scenarios) assert.include(instructions, hint)
      assert.match(scenarios[0]!.label, /^Angry: Angry pensioners/)
    })
  )

  it.prop(
    "hold for any prompt, hint and judges",
    [
      FastCheck.fullUnicodeString({ maxLength: 300 }),
      FastCheck.option(FastCheck.fullUnicodeString({ maxLength: 100 })),
      FastCheck.array(FastCheck.fullUnicodeString({ minLength: 1, maxLength: 100 }), { maxLength: 5 }),
      FastCheck.integer({ min: 1, max: 100 })
    ],
    ([prompt, hint, names, count]) => {
      const request = requestFor(prompt, { hint, judges: names.map(judge), count })
      const scenarios = Effect.runSync(generate(request))
      assert.strictEqual(scenarios.length, count)
      assert.strictEqual(new Set(scenarios.map(({ label }) => label)).size, count)
      for (const { instructions, label } of scenarios) {
        assert.isTrue(label.isWellFormed() && label.length > 0 && label.length <= 200)
        assert.isTrue(instructions.isWellFormed() && instructions.length <= 10_000)
      }
    }
  )
})
