import type { Judgement, Play } from "../../../../core/ports/AgentSimulator.ts"
import type { Reading } from "../PromptReading.ts"
import { cut, shared, stemsOf } from "../Text.ts"

/** What a judge reads. */
export interface Case {
  readonly reading: Reading
  readonly play: Play
  readonly turns: ReadonlyArray<SaidTurn>
  /** The agent's turns alone. */
  readonly agent: ReadonlyArray<SaidTurn>
}

export interface SaidTurn {
  /** From 1. */
  readonly number: number
  readonly isAgent: boolean
  readonly text: string
  /** The tools that were used in it. */
  readonly calls: NonNullable<Play["transcript"][number]["calls"]>
}

export type Finding = Omit<Judgement, "usage">

export const caseOf = (reading: Reading, play: Play): Case => {
  const turns = play.transcript.map(({ calls = [], role, text }, i) => ({
    number: i + 1,
    isAgent: role === "agent",
    text: text.slice(0, 10_000),
    calls
  }))
  return { reading, play, turns, agent: turns.filter(({ isAgent }) => isAgent) }
}

/** A turn, as a reasoning quotes it. */
export const quote = ({ number, text }: SaidTurn, part = text): string =>
  `turn ${number}: “${cut(part.trim(), 160)}”`

export const pass = (reasoning: string): Finding => ({ verdict: "pass", reasoning })
export const fail = (reasoning: string): Finding => ({ verdict: "fail", reasoning })
export const maybe = (reasoning: string): Finding => ({ verdict: "maybe", reasoning })

/** What handles a call, though it says nothing of what the prompt is about. */
const handling =
  /\b(?:wrong (?:person|number)|troubled|not (?:be able|possible|allowed)|call(?: you)? (?:back|again)|another (?:time|day))\b/i

/** Whether an agent that speaks more than once says nothing that its prompt is about. Words are compared in English. */
export const saysNothing = ({ agent, reading }: Case): boolean =>
  reading.isEnglish &&
  agent.length > 1 &&
  !agent.some(({ text }) => shared(stemsOf(text), reading.stems) > 0 || handling.test(text))

export const useless = fail("The agent says nothing of use in the whole call.")

export const silent = fail("The agent says nothing in the whole call.")
