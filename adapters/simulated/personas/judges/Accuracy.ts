import { unfilled } from "../Lexicon.ts"
import { sentencesOf, wordsOf } from "../Text.ts"
import { type Case, fail, type Finding, pass, quote, type SaidTurn, silent } from "./Case.ts"

const months = "january february march april may june july august september october november december".split(
  " "
)
const weekdays = "sunday monday tuesday wednesday thursday friday saturday".split(" ")
const counts =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty".split(
    " "
  )

const number = /\d+(?:[.,:]\d+)*/g
const spelled = new RegExp(
  `\\b(${counts.join("|")})\\b(?= ?(?:o['’]clock|a\\.?m\\b|p\\.?m\\b|percent|per cent|%|euros?|dollars?|pounds?|days?|weeks?|months?|years?|hours?|minutes?))`,
  "gi"
)
const iso = /\b(\d{4})-(\d{2})-(\d{2})\b/g

/** A number without the marks of its writing: 1,000 and 1000, 10:00 and 10, 09 and 9. */
const plain = (written: string): string =>
  written
    .replaceAll(/[.,](?=\d{3}(?:\D|$))/g, "")
    .replace(/[.,:]0+$/, "")
    .replace(/^0+(?=\d)/, "")

const numbersIn = (text: string): ReadonlyArray<string> => [
  ...(text.match(number) ?? []),
  ...(text.match(spelled) ?? []).map((word) => String(counts.indexOf(word.toLowerCase())))
]

/** Everything that was there to be said. */
class Sources {
  private readonly numbers = new Set<string>()
  private readonly words = new Set<string>()

  add(text: string) {
    for (const written of numbersIn(text)) {
      this.numbers.add(plain(written))
      for (const part of written.split(/[.,:]/)) this.numbers.add(plain(part))
    }
    for (const word of wordsOf(text)) {
      this.words.add(word)
      if (word.endsWith("'s")) this.words.add(word.slice(0, -2))
      const count = counts.indexOf(word)
      if (count !== -1) this.numbers.add(String(count))
    }
    for (const [, year, month, day] of text.matchAll(iso)) {
      this.words.add(months[Number(month) - 1] ?? "")
      this.words.add(
        weekdays[new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDay()] ?? ""
      )
    }
  }

  hasNumber(written: string): boolean {
    if (this.numbers.has(plain(written))) return true
    const hour = Number(/^(\d{1,2})(?::00)?$/.exec(written)?.[1] ?? Number.NaN)
    return hour < 12 ? this.numbers.has(String(hour + 12)) : hour < 24 && this.numbers.has(String(hour - 12))
  }

  hasWord(word: string): boolean {
    const lower = word.toLowerCase().replaceAll("’", "'")
    return this.words.has(lower) || this.words.has(lower.replace(/'s$|s$/, ""))
  }
}

const harmless = new Set(
  `i i'm i'll i've i'd ok okay mr mrs ms miss sir madam dr english german french spanish god christmas internet monday's
  am pm tv sms email e-mail ai id hello hi good yes no`.split(/\s+/)
)
const capitalised = /(?<=[\p{L}\p{N},;] )\p{Lu}[\p{L}'’]+/gu
const titled = /\b(?:Dr|Mr|Mrs|Ms|Professor|Doctor)\.? (\p{Lu}[\p{L}'’]+)/gu
const isCalendar = (word: string) => months.includes(word) || weekdays.includes(word)

const namesIn = (text: string): ReadonlyArray<string> =>
  sentencesOf(text, 50).flatMap((sentence) => [
    ...(sentence.match(capitalised) ?? []),
    ...[...sentence.matchAll(titled)].map(([, name]) => name!)
  ])

const datesIn = (text: string): ReadonlyArray<string> =>
  wordsOf(text).filter(
    (word, i, all) =>
      isCalendar(word) &&
      ((word !== "may" && word !== "march") || /^\d/.test(all[i - 1] ?? "") || /^\d/.test(all[i + 1] ?? ""))
  )

const invented = (sources: Sources, turn: SaidTurn, isEnglish: boolean): string | null => {
  const placeholder = unfilled.exec(turn.text)?.[0]
  if (placeholder !== undefined) return `a placeholder that was not filled in, ${placeholder}`
  const figure = numbersIn(turn.text).find((written) => !sources.hasNumber(written))
  if (figure !== undefined) return `“${figure}”`
  const date = datesIn(turn.text).find((word) => !sources.hasWord(word))
  if (date !== undefined) return `“${date}”`
  if (!isEnglish) return null
  const name = namesIn(turn.text).find(
    (word) => !harmless.has(word.toLowerCase().replaceAll("’", "'")) && !sources.hasWord(word)
  )
  return name === undefined ? null : `“${name}”`
}

/** Does all that the agent says stand in its prompt, or was it said by the other side? */
export const accuracy = ({ agent, play, reading, turns }: Case): Finding => {
  if (agent.length === 0) return silent
  const sources = new Sources()
  sources.add(play.agent.prompt.slice(0, 100_000))
  sources.add(play.agent.name)
  if (!unfilled.test(play.agent.first_message)) sources.add(play.agent.first_message)
  for (const turn of turns) {
    if (!turn.isAgent) {
      sources.add(turn.text)
      continue
    }
    const found = invented(sources, turn, reading.isEnglish)
    if (found !== null) {
      return fail(
        `The agent says ${found}, which neither its prompt nor the other side told it (${quote(turn)}).`
      )
    }
  }
  return pass(`Every figure, date and name that the agent says was given to it (${quote(agent[0]!)}).`)
}
