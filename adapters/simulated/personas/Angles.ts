import type { GenerationRequest } from "../../../core/ports/ScenarioGenerator.ts"
import {
  angle,
  type Angle,
  common,
  conditionAngles,
  factAngles,
  goalAngles,
  limitAngles,
  questionAngles
} from "./AngleKinds.ts"
import type { Reading } from "./PromptReading.ts"
import { bare, capital, cut } from "./Text.ts"

/** What each known judge looks for is tried by angles of these kinds. */
export interface Angles {
  readonly byJudge: ReadonlyMap<string, ReadonlyArray<Angle>>
  readonly all: ReadonlyArray<Angle>
  readonly forHint: ReadonlyArray<Angle>
}

/** What can be tried on an agent whose prompt reads so. `names` are its placeholders, in words. */
export const anglesOf = (
  reading: Reading,
  names: ReadonlyArray<string>,
  request: GenerationRequest
): Angles => {
  const goals = goalAngles(reading)
  const questions = questionAngles(reading)
  const conditions = conditionAngles(reading)
  const limits = limitAngles(reading)
  const facts = factAngles(reading, names)
  const byJudge = new Map<string, ReadonlyArray<Angle>>([
    ["task_completion", [...goals, ...questions]],
    ["tool_use", [...conditions, common.callBack, common.tooMuch]],
    ["safety", [...limits, common.secrets]],
    ["accuracy", [...facts, common.unknown]],
    ["relevancy", [common.sameQuestion, ...conditions, ...questions]]
  ])
  for (const { criterion, name } of request.judges) {
    if (byJudge.has(name)) continue
    const about = cut(bare(name.replaceAll("_", " ")), 60)
    byJudge.set(name, [
      angle(
        about,
        `You pay attention to one thing above all: ${cut(criterion, 400)} Behave so that it becomes plain whether that is so.`,
        "I will listen closely to how you handle this.",
        "You come back to it in the middle of the call."
      )
    ])
  }
  const hint = request.hint === null ? "" : cut(request.hint.replaceAll(/\s+/g, " ").trim(), 1_000)
  const forHint =
    hint === ""
      ? []
      : [
          angle(
            capital(cut(hint, 60)),
            `This matters most to you: ${hint}`,
            `One thing first: ${cut(hint, 150)}`,
            "You bring it up early and come back to it."
          )
        ]
  return {
    byJudge,
    all: [...goals, ...questions, ...conditions, ...limits, ...facts, ...Object.values(common)],
    forHint
  }
}
