import { intentOf } from "../Intents.ts"
import { farewell, sorry, thanks } from "../Lexicon.ts"
import { sentencesOf, shared, stemsOf, wordsOf } from "../Text.ts"
import { type Case, fail, type Finding, pass, quote, silent } from "./Case.ts"

const replying =
  /\b(?:yes|no|not|know|information|cannot|can['’]t|calling|sorry|apologi[sz]e|understand|see|course|certainly|fair|right|nothing|answer)\b|n['’]t\b/i

/** Does the agent answer what was said, stay on its subject and not repeat itself? */
export const relevancy = ({ agent, reading, turns }: Case): Finding => {
  if (agent.length === 0) return silent
  const said = new Map<string, number>()
  const sentences = new Map<string, number>()
  let astray = 0
  const repeats = (one: string) => {
    const words = wordsOf(one)
    if (words.length < 4 || farewell.test(one)) return false
    const times = (sentences.get(words.join(" ")) ?? 0) + 1
    sentences.set(words.join(" "), times)
    return times > 2
  }
  for (const turn of agent) {
    const words = wordsOf(turn.text)
    if (words.length === 0) return fail(`The agent says nothing in turn ${turn.number}.`)
    const before = turns[turn.number - 2]
    const heard = before === undefined || before.isAgent ? "" : before.text
    const intent = intentOf(heard)
    const excused = intent === "repeat" || intent === "silence"
    const text = words.join(" ")
    const earlier = said.get(text)
    if (earlier !== undefined && words.length > 3 && !excused) {
      return fail(`The agent repeats turn ${earlier} word for word (${quote(turn)}).`)
    }
    said.set(text, turn.number)
    const stuck =
      reading.isEnglish && !excused ? sentencesOf(turn.text, 20).find((one) => repeats(one)) : undefined
    if (stuck !== undefined)
      return fail(`The agent says the same for the third time (${quote(turn, stuck)}).`)

    const own = stemsOf(turn.text)
    const asked = stemsOf(heard)
    const answers =
      shared(asked, own) > 0 || replying.test(turn.text) || thanks.test(turn.text) || farewell.test(turn.text)
    const isOnSubject = own.size === 0 || shared(own, reading.stems) > 0 || sorry.test(turn.text)
    if (intent === "question" && asked.size > 0 && !answers && !isOnSubject) {
      return fail(`The agent does not answer “${heard.slice(0, 120)}” (${quote(turn)}).`)
    }
    if (!isOnSubject && !answers && own.size > 2) {
      astray++
      if (astray > 1 || agent.length < 3) return fail(`The agent leaves its subject (${quote(turn)}).`)
    }
  }
  return pass(`The agent answers, keeps to its subject and does not repeat itself (${quote(agent.at(-1)!)}).`)
}
