import type { ReviewQuestion } from "../../../core/model/agents/Talk.ts"
import type { TranscriptTurn } from "../../../core/model/conversations/Transcript.ts"
import { yesOrNo } from "./Feelings.ts"
import { intentOf } from "./Intents.ts"
import { cut, isAbout, stemsOf, wordsOf } from "./Text.ts"

type Answer = string | number | boolean | null

/** What the callee replied to whatever the agent asked about the thing, oldest first. */
const repliesAbout = (
  sought: ReadonlySet<string>,
  turns: ReadonlyArray<TranscriptTurn>
): ReadonlyArray<TranscriptTurn> => {
  const replies: Array<TranscriptTurn> = []
  let asked = false
  for (const turn of turns) {
    if (turn.role === "agent") asked = turn.text.includes("?") && isAbout(stemsOf(turn.text), sought)
    if (turn.role === "callee" && asked) replies.push(turn)
  }
  return replies
}

const numberWords = new Map(
  "zero one two three four five six seven eight nine ten eleven twelve"
    .split(" ")
    .map((word, value) => [word, value] as const)
)

/** The one number in a text; null when there is none, or several. */
const numberIn = (text: string, language: string): number | null => {
  const digits = text.replaceAll(/(?<=\d),(?=\d{3}\b)/g, "").match(/-?\d+(?:\.\d+)?/g)
  const spelt = language.toLowerCase().startsWith("en")
    ? wordsOf(text).flatMap((word) => numberWords.get(word) ?? [])
    : []
  const numbers = [...(digits ?? []).map(Number), ...spelt]
  return numbers.length === 1 ? numbers[0]! : null
}

/** The one option that a text names; null when it names none, or several. */
const optionIn = (text: string, options: ReadonlyArray<string>): string | null => {
  const said = ` ${wordsOf(text).join(" ")} `
  const named = options.filter((option) => said.includes(` ${wordsOf(option).join(" ")} `))
  const longest = named.filter((option) => !named.some((other) => other !== option && other.includes(option)))
  return longest.length === 1 ? longest[0]! : null
}

const lastOf = <A>(values: ReadonlyArray<A | null>): A | null =>
  values.findLast((value) => value !== null) ?? null

/** The answer to a question, where the callee gave one to the agent in so many words; null otherwise. */
export const answerTo = (
  { description, name, options, type }: ReviewQuestion,
  turns: ReadonlyArray<TranscriptTurn>,
  language: string
): Answer => {
  const sought = stemsOf(`${name.replaceAll("_", " ")} ${description}`)
  const replies = repliesAbout(sought, turns).map(({ text }) => text)
  switch (type) {
    case "boolean":
      return lastOf(replies.map((text) => yesOrNo(text, language)))
    case "number": {
      const told = turns.filter(({ role, text }) => role === "callee" && isAbout(stemsOf(text), sought))
      return lastOf([...told.map(({ text }) => text), ...replies].map((text) => numberIn(text, language)))
    }
    case "enum": {
      const said = turns.filter(({ role }) => role === "callee").map(({ text }) => text)
      return lastOf(replies.map((text) => optionIn(text, options))) ?? optionIn(said.join(". "), options)
    }
    case "string":
      return lastOf(replies.map((text) => (intentOf(text) === "statement" ? cut(text.trim(), 500) : null)))
  }
}
