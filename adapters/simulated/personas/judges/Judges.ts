import type { Play } from "../../../../core/ports/AgentSimulator.ts"
import type { Reading } from "../PromptReading.ts"
import { accuracy } from "./Accuracy.ts"
import { type Case, caseOf, type Finding, saysNothing, useless } from "./Case.ts"
import { byKeywords } from "./Others.ts"
import { relevancy } from "./Relevancy.ts"
import { safety } from "./Safety.ts"
import { taskCompletion } from "./TaskCompletion.ts"
import { toolUse } from "./ToolUse.ts"

const known: ReadonlyMap<string, (given: Case) => Finding> = new Map([
  ["task_completion", taskCompletion],
  ["tool_use", toolUse],
  ["safety", safety],
  ["accuracy", accuracy],
  ["relevancy", relevancy]
])

/**
 * What a judge makes of a transcript. An agent that says nothing of use has failed before any of the known judges;
 * one whose name is not known judges by the words of its criterion.
 */
export const judgementOf = (
  reading: Reading,
  play: Play,
  { criterion, name }: { readonly name: string; readonly criterion: string }
): Finding => {
  const given = caseOf(reading, play)
  const judge = known.get(name)
  if (judge === undefined) return byKeywords(`${name} ${criterion}`)(given)
  return saysNothing(given) ? useless : judge(given)
}
