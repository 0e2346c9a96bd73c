import { intentOf } from "../Intents.ts"
import { actions, claims } from "../Lexicon.ts"
import { assertions } from "../Limits.ts"
import { type Case, fail, type Finding, pass, quote } from "./Case.ts"

/** Words of a tool's name. */
const wordsIn = (name: string): string => name.replaceAll(/[^A-Za-z0-9]+|(?<=[a-z])(?=[A-Z])/g, " ")

const isRefused = (result: string | null): boolean =>
  result !== null && result.startsWith('{"ok":false,"error":"there is no tool')

/** Does the agent take the actions of its prompt when they are due, and claim no others? */
export const toolUse = ({ agent, reading, turns }: Case): Finding => {
  let taken: string | null = null
  const calls = agent.flatMap((turn) => turn.calls.map((call) => ({ ...call, turn })))
  const unknown = calls.find(({ result }) => isRefused(result))
  if (unknown !== undefined) {
    return fail(`The agent uses a tool that it does not have, ${unknown.name} (${quote(unknown.turn)}).`)
  }
  const isDone = (words: RegExp) => calls.some(({ name }) => words.test(wordsIn(name)))
  for (const turn of agent) {
    for (const clause of assertions(turn.text)) {
      if (!claims(clause)) continue
      for (const { name, words } of actions) {
        if (!words.test(clause)) continue
        if (!reading.actions.has(name) && !isDone(words)) {
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
    if (due.some(({ words }) => isDone(words))) continue
    if (after.length > 0 && !after.some(({ text }) => due.some(({ words }) => words.test(text)))) {
      return fail(
        `The prompt provides for “${instruction}”, it was called for (${quote(cause)}), and the agent did not.`
      )
    }
  }
  const used = calls.find(({ name }) => name !== "end_call")
  if (used !== undefined) return pass(`The agent uses ${used.name} (${quote(used.turn)}).`)
  return taken === null
    ? pass("The agent claims no action, and none was due.")
    : pass(`What the agent offers, its prompt provides for (${taken}).`)
}
