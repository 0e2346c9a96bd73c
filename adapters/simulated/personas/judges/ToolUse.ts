import { intentOf } from "../Intents.ts"
import { actions, claims } from "../Lexicon.ts"
import { assertions } from "../Limits.ts"
import { type Case, fail, type Finding, pass, quote } from "./Case.ts"

/** Does the agent take the actions of its prompt when they are due, and claim no others? */
export const toolUse = ({ agent, reading, turns }: Case): Finding => {
  let taken: string | null = null
  for (const turn of agent) {
    for (const clause of assertions(turn.text)) {
      if (!claims(clause)) continue
      for (const { name, words } of actions) {
        if (!words.test(clause)) continue
        if (!reading.actions.has(name)) {
          return fail(
            `The agent claims an action (${name}) for which its prompt does not provide (${quote(turn, clause)}).`
          )
        }
        taken = quote(turn, clause)
      }
    }
  }
  for (const { foresees, instruction } of reading.conditions) {
    const due = actions.filter(({ words }) => words.test(instruction))
    if (due.length === 0 || foresees === null) continue
    const cause = turns.find(({ isAgent, text }) => !isAgent && intentOf(text) === foresees)
    if (cause === undefined) continue
    const after = agent.filter(({ number }) => number > cause.number)
    if (after.length > 0 && !after.some(({ text }) => due.some(({ words }) => words.test(text)))) {
      return fail(
        `The prompt provides for “${instruction}”, it was called for (${quote(cause)}), and the agent did not.`
      )
    }
  }
  return taken === null
    ? pass("The agent claims no action, and none was due.")
    : pass(`What the agent offers, its prompt provides for (${taken}).`)
}
