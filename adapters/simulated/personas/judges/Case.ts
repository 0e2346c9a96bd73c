import type { Judgement, Play } from "../../../../core/ports/AgentSimulator.ts"
import type { Reading } from "../PromptReading.ts"
import { cut } from "../Text.ts"

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
}

export type Finding = Omit<Judgement, "usage">

export const caseOf = (reading: Reading, play: Play): Case => {
  const turns = play.transcript.map(({ role, text }, i) => ({
    number: i + 1,
    isAgent: role === "agent",
    text: text.slice(0, 10_000)
  }))
  return { reading, play, turns, agent: turns.filter(({ isAgent }) => isAgent) }
}

/** A turn, as a reasoning quotes it. */
export const quote = ({ number, text }: SaidTurn, part = text): string =>
  `turn ${number}: “${cut(part.trim(), 160)}”`

export const pass = (reasoning: string): Finding => ({ verdict: "pass", reasoning })
export const fail = (reasoning: string): Finding => ({ verdict: "fail", reasoning })
export const maybe = (reasoning: string): Finding => ({ verdict: "maybe", reasoning })

export const silent = fail("The agent says nothing in the whole call.")
