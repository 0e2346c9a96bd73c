import { placeholders } from "../../../core/model/agents/Prompt.ts"
import type { Scenario } from "../../../core/model/suites/Suite.ts"
import type { GenerationRequest } from "../../../core/ports/ScenarioGenerator.ts"
import { type Angle, readable } from "./AngleKinds.ts"
import { anglesOf } from "./Angles.ts"
import type { Reading } from "./PromptReading.ts"
import { type Temperament, temperaments } from "./Temperaments.ts"
import { cut, hash, pick, shared, stemsOf } from "./Text.ts"

const storable = (text: string): string => text.replaceAll("\u0000", "").toWellFormed()

/** Those that the hint speaks of come first. */
const byHint = <A>(list: ReadonlyArray<A>, weight: (item: A) => number): ReadonlyArray<A> =>
  list.toSorted((a, b) => weight(b) - weight(a))

const rotated = <A>(list: ReadonlyArray<A>, by: number): ReadonlyArray<A> => {
  const at = by % Math.max(list.length, 1)
  return [...list.slice(at), ...list.slice(0, at)]
}

const scenarioOf = (temperament: Temperament, angle: Angle, caller: string, hint: string): Scenario => ({
  label: cut(storable(`${temperament.label}: ${readable(angle.title)}`), 180),
  instructions: cut(
    storable(
      [
        `Your phone rings; ${caller === "" ? "an agent" : caller} is calling you.`,
        temperament.manner,
        readable(angle.wish),
        ...(hint === "" ? [] : [`Bear in mind throughout: ${hint}`]),
        `Early in the call you say: “${readable(angle.line)}”`,
        angle.watch,
        `Hang up when your matter is dealt with, or when you have spoken ${temperament.patience + 1} times.`
      ].join(" ")
    ),
    10_000
  ),
  runs: 1,
  max_turns: temperament.max_turns
})

/**
 * Scenarios for an agent: what its prompt sets, asks, provides for and forbids, crossed with how people are, in
 * turn for each judge. The same request and seed make the same scenarios. `reading` is that of the prompt with its
 * placeholders in words.
 */
export const scenariosFor = (
  request: GenerationRequest,
  reading: Reading,
  seed: number
): ReadonlyArray<Scenario> => {
  const names = placeholders(request.agent.prompt.slice(0, 100_000))
    .slice(0, 12)
    .map((name) => cut(readable(`{{${name}}}`), 60))
  const { all, byJudge, forHint } = anglesOf(reading, names, request)
  const hint = request.hint === null ? "" : cut(request.hint.replaceAll(/\s+/g, " ").trim(), 1_000)
  const hinted = stemsOf(hint)
  const people = byHint(rotated(temperaments, seed), ({ cues, label }) =>
    hint !== "" && (cues.test(hint) || shared(stemsOf(label), hinted) > 0) ? 1 : 0
  )
  const judged = request.judges
    .map(({ name }) => byJudge.get(name) ?? [])
    .filter((angles) => angles.length > 0)
  const lists = [...(forHint.length === 0 ? [] : [forHint]), ...(judged.length === 0 ? [all] : judged)].map(
    (angles) => byHint(rotated(angles, seed), ({ stems }) => shared(stems, hinted))
  )
  const caller = cut(request.agent.name.trim(), 100)
  const labels = new Set<string>()
  const scenarios: Array<Scenario> = []
  for (let i = 0; scenarios.length < request.count; i++) {
    const angle = pick(pick(lists, i), Math.floor(i / lists.length))
    const turned = lists.length % people.length === 0 ? Math.floor(i / people.length) : 0
    const scenario = scenarioOf(pick(people, i + turned), angle, caller, hint)
    let label = scenario.label
    for (let again = 2; labels.has(label); again++) label = `${scenario.label} (${again})`
    labels.add(label)
    scenarios.push({ ...scenario, label })
  }
  return scenarios
}

/** A seed that the prompt's own text gives. */
export const seedOf = (prompt: string): number => hash(prompt)
