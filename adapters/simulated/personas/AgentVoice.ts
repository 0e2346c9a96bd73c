import {
  introduction,
  lies,
  opening,
  prefixes,
  refusals,
  returns,
  rudeLines,
  threats,
  unknowing
} from "./AgentLines.ts"
import type { Intent } from "./Intents.ts"
import { farewell, secret } from "./Lexicon.ts"
import { touches } from "./Limits.ts"
import type { Line } from "./PersonaVoice.ts"
import type { Condition, Reading } from "./PromptReading.ts"
import { addressed, hash, pick, shared, wordsOf } from "./Text.ts"
import type { Utterance, UtteranceCache } from "./Utterance.ts"

/** A talk as far as an agent by rules needs it. The same talk under the same key goes the same way. */
export interface AgentTalk {
  readonly key: string
  readonly agent: { readonly name: string; readonly first_message: string }
  /** Oldest first; the agent's own have the role "agent". */
  readonly transcript: ReadonlyArray<{ readonly role: string; readonly text: string }>
  /** The agent has to come to its end with what it says next. */
  readonly isLast: boolean
}

/** Where the agent stands when it is its turn. */
interface Moment {
  readonly reading: Reading
  readonly agentName: string
  /** What it has said so far; at least once. */
  readonly said: ReadonlyArray<Utterance>
  readonly heard: Utterance
  readonly intent: Intent
  /** Picks among ways to say the same. */
  readonly chance: number
}

const stay = (...texts: ReadonlyArray<string>): Line => ({
  text: texts.filter((text) => text !== "").join(" "),
  hangs_up: false
})

const goodbye = ({ closing }: Reading, before = ""): Line => ({
  text: stay(before, closing ?? "Thank you for your time, and goodbye.").text,
  hangs_up: true
})

const isNew = ({ said }: Moment, text: string) => !said.some((before) => before.text.includes(text))

/** Back to what the call is for, in words that were not said yet. */
const again = (moment: Moment): string => {
  const ways = returns(moment.reading)
  const turn = moment.said.length
  const fresh = ways.findIndex((_, i) => isNew(moment, pick(ways, turn + i)))
  return pick(ways, turn + Math.max(fresh, 0))
}

const carryOn = (moment: Moment): Line =>
  stay(pick(prefixes[moment.intent] ?? prefixes.statement!, moment.chance), again(moment))

const foreseenIn = ({ heard, intent, reading }: Moment): Condition | undefined =>
  reading.conditions.find(({ foresees, stems }) =>
    foresees === null ? stems.size > 0 && shared(stems, heard.stems) * 2 >= stems.size : foresees === intent
  )

/** What is forbidden or secret is refused. */
const refusal = (moment: Moment): Line | null => {
  const { chance, heard, reading } = moment
  const limit = reading.limits.find((limit) => !limit.isConditional && touches(limit, heard.meant))
  if (limit === undefined && !secret.test(heard.text)) return null
  const text =
    limit === undefined
      ? "You do not need to give me that."
      : `I am sorry, but I am not allowed to ${addressed(limit.what)}.`
  return stay(isNew(moment, text) ? text : pick(refusals, chance), again(moment))
}

const answer = (moment: Moment): Line => {
  const { chance, heard, reading } = moment
  const fact = reading.facts.find(({ stems, text }) => shared(stems, heard.stems) > 0 && isNew(moment, text))
  return stay(fact?.text ?? pick(unknowing, chance), again(moment))
}

const settled = ({ goal, isEnglish, subject }: Reading): Line | null =>
  goal === null
    ? null
    : stay(`Thank you, then that is settled${isEnglish ? `: ${subject}` : ""}.`, "Is there anything else?")

/** The way to the goal, once nothing stands in it any more. */
const proceed = (moment: Moment): Line => {
  const { intent, reading, said } = moment
  const isStated = reading.goal !== null && said.some((own) => own.isAbout(reading.goalStems))
  const told = reading.tells.find((text) => isNew(moment, text))
  if (isStated && told !== undefined) return stay(told)
  if (intent !== "question" && said.some(({ text }) => text.includes("that is settled")))
    return goodbye(reading)
  if (intent === "who") {
    const self = introduction(reading, moment.agentName)
    return isNew(moment, self) ? stay(self, again(moment)) : carryOn(moment)
  }
  if (intent === "question") return answer(moment)
  if (!isStated && reading.goal !== null) return carryOn(moment)
  if (intent === "decline") {
    const regret = "I understand, then that is not possible today, and I am sorry to have troubled you."
    return goodbye(reading, reading.goal === null ? "" : regret)
  }
  if (intent !== "agree" && intent !== "statement") return carryOn(moment)
  const question = reading.questions.find((text) => isNew(moment, text))
  if (question !== undefined) return stay(intent === "agree" ? "Thank you." : "I see.", question)
  return (intent === "agree" ? settled(reading) : null) ?? carryOn(moment)
}

const reply = (moment: Moment): Line => {
  const { intent, reading, said } = moment
  if (intent === "goodbye" || farewell.test(said.at(-1)!.text)) return goodbye(reading)
  const foreseen = foreseenIn(moment)
  if (intent === "wrong_person") {
    return goodbye(
      reading,
      foreseen?.answer.text ?? "I am sorry to have troubled you, then I have the wrong person."
    )
  }
  const refused = refusal(moment)
  if (refused !== null) return refused
  if (foreseen !== undefined && foreseen.answer.text !== "") {
    const { ends, text } = foreseen.answer
    if (isNew(moment, text)) return ends ? goodbye(reading, text) : stay(text)
    if (intent !== "agree") return goodbye(reading, "I understand, then we leave it at that for today.")
  }
  if (foreseen?.answer.ends === true) return goodbye(reading)
  return said.length > 8 ? goodbye(reading, "I have taken enough of your time.") : proceed(moment)
}

/** A short yes or no to a question of the prompt is its answer, and nothing more. */
const intentIn = (reading: Reading, last: Utterance, heard: Utterance): Intent => {
  const { intent } = heard
  if (intent !== "agree" && intent !== "decline") return intent
  const isAnswer =
    wordsOf(heard.text).length < 4 && reading.questions.some((question) => last.text.endsWith(question))
  return isAnswer ? "statement" : intent
}

const withManners = (
  { isDeceitful, isRude, isThreatening }: Reading,
  { hangs_up, text }: Line,
  turn: number
): Line =>
  isRude || isThreatening || isDeceitful
    ? {
        ...stay(
          text,
          isRude ? pick(rudeLines, turn) : "",
          isThreatening ? pick(threats, turn) : "",
          isDeceitful ? pick(lies, turn) : ""
        ),
        hangs_up
      }
    : { hangs_up, text }

/** What the agent says next: what its prompt provides for what was said last. */
export const agentLine = (reading: Reading, talk: AgentTalk, utterances: UtteranceCache): Line => {
  const { agent, isLast, key, transcript } = talk
  const said: Array<Utterance> = []
  let last = ""
  for (const { role, text } of transcript) {
    if (role === "agent") said.push(utterances.read(text))
    else last = text
  }
  const turn = said.length
  if (turn === 0) return { text: opening(reading, talk), hangs_up: false }
  const heard = utterances.read(last)
  const intent = intentIn(reading, said.at(-1)!, heard)
  const line = reply({ reading, agentName: agent.name, said, heard, intent, chance: turn + hash(key) })
  return withManners(reading, isLast && !line.hangs_up ? goodbye(reading, line.text) : line, turn)
}
