import type { AgentDraft } from "../agents/Agent.ts"
import { render, type Variable } from "../agents/Prompt.ts"
import { withMadeUpValues } from "./MadeUpValues.ts"
import type { Scenario } from "./Suite.ts"

/** What a run tests: fixed when it starts, whatever becomes of suite and agent afterwards. */
export interface Subject {
  /** Its placeholders not filled in. */
  readonly agent: AgentDraft
  /** As the suite has them. Null in a run of an earlier version, whose texts were filled in when it started. */
  readonly variables: Readonly<Record<string, string>> | null
  /** Whether the agent's own tools are really called where a scenario does not say what they answer. */
  readonly real_tools: boolean
  /** Who plays the persona and judges; null in a run of an earlier version. */
  readonly model: string | null
}

/** Who is tested in one play, with its variables filled in. */
export interface TestedAgent {
  readonly name: string
  readonly prompt: string
  readonly first_message: string
  readonly language: string
}

/** What fills the placeholders in one play of a scenario. The same play has the same values each time. */
export const variablesOfPlay = (
  { agent, variables }: Subject,
  scenario: Pick<Scenario, "label">,
  run_index: number
): ReadonlyMap<string, Variable> =>
  withMadeUpValues(variables ?? {}, [agent.prompt, agent.first_message], `${scenario.label}/${run_index}`)

/** The agent as it is played once. */
export const testedAgent = (subject: Subject, scenario: Scenario, run_index: number): TestedAgent => {
  const { first_message, language, name, prompt } = subject.agent
  if (subject.variables === null) return { name, prompt, first_message, language }
  const variables = variablesOfPlay(subject, scenario, run_index)
  return {
    name,
    prompt: render(prompt, variables),
    first_message: render(first_message, variables),
    language
  }
}
