import { intentOf } from "../Intents.ts"
import { farewell, thanks } from "../Lexicon.ts"
import { isAbout, shared, stemsOf } from "../Text.ts"
import { type Case, fail, type Finding, maybe, pass, quote, silent } from "./Case.ts"

const explaining =
  /\b(?:sorry|unfortunately|afraid|cannot|can['’]t|not able|not possible|not allowed|another time|another day|later|call(?: you)? (?:back|again)|understand|wrong (?:person|number)|troubled)\b/i
const settling =
  /\b(?:settled|noted|done|confirmed|booked|great|perfect|wonderful|excellent|lovely|good to hear|that is all|all set|see you|looking forward)\b/i
const obstacles: ReadonlySet<string> = new Set(["wrong_person", "later", "decline", "human", "angry"])

/** Questions that the prompt wants asked and that the agent did not ask. */
const unasked = ({ agent, reading }: Case) =>
  reading.questions.filter((question) => {
    const sought = stemsOf(question)
    return sought.size > 0 && !agent.some(({ text }) => shared(sought, stemsOf(text)) * 2 >= sought.size)
  })

/** Was the prompt's goal stated, and was it concluded? */
export const taskCompletion = (given: Case): Finding => {
  const { agent, play, reading, turns } = given
  if (reading.goal === null) return fail("The prompt sets no goal that the call could reach.")
  if (agent.every(({ text }) => text.trim() === "")) return silent
  const stated = agent.find(({ text }) => isAbout(stemsOf(text), reading.goalStems))
  const isForeseen = (text: string) => {
    const heard = stemsOf(text)
    return reading.conditions.some(({ stems }) => stems.size > 0 && shared(stems, heard) * 2 >= stems.size)
  }
  const hurdle = turns.find(
    ({ isAgent, text }) => !isAgent && (obstacles.has(intentOf(text)) || isForeseen(text))
  )
  const explained =
    hurdle !== undefined && agent.find(({ number, text }) => number > hurdle.number && explaining.test(text))
  if (stated === undefined) {
    return explained
      ? pass(`The goal could not be reached, and the agent says so (${quote(explained)}).`)
      : fail(`The agent never says what its prompt wants it to: ${reading.goal} (${quote(agent[0]!)}).`)
  }
  const agreement = turns.find(
    ({ isAgent, number, text }) => !isAgent && number > stated.number && intentOf(text) === "agree"
  )
  const last = turns.at(-1)!
  const previous = turns.at(-2)
  const leaving =
    last.isAgent && previous !== undefined && !previous.isAgent && farewell.test(previous.text)
      ? previous
      : null
  if (agreement !== undefined) {
    const missing = unasked(given)
    const ender = agent.at(-1)!
    if (missing.length > 0 && leaving !== null) {
      return maybe(`The other side ends the call before it was asked: ${missing[0]} (${quote(leaving)}).`)
    }
    if (missing.length > 0 && last.isAgent && !(explained && explaining.test(ender.text))) {
      return fail(`The agent ends the call without having asked: ${missing[0]} (${quote(ender)}).`)
    }
    const after = agent.find(
      ({ number, text }) =>
        number > agreement.number && (settling.test(text) || thanks.test(text) || farewell.test(text))
    )
    if (after !== undefined) return pass(`The goal is stated, agreed and concluded (${quote(after)}).`)
    if (!last.isAgent)
      return pass(`The goal is stated and agreed before the call ends (${quote(agreement)}).`)
  }
  if (explained) return pass(`The agent says why it goes no further (${quote(explained)}).`)
  if (leaving !== null) {
    return maybe(`The other side ends the call before there is an answer (${quote(leaving)}).`)
  }
  if (last.isAgent && farewell.test(last.text)) {
    const concluded = turns.some(({ isAgent, number }) => !isAgent && number > stated.number)
    return concluded && settling.test(last.text)
      ? pass(`The goal is stated and the call is concluded (${quote(last)}).`)
      : fail(`The agent ends the call before there is an answer (${quote(last)}).`)
  }
  if (!last.isAgent && last.number < play.scenario.max_turns) {
    return maybe(`The other side ends the call before there is an answer (${quote(last)}).`)
  }
  return agent.filter(({ number }) => number >= stated.number).length > 2
    ? fail(`The goal is stated (${quote(stated)}) and never concluded.`)
    : maybe(`The goal is stated (${quote(stated)}), and the call breaks off.`)
}
