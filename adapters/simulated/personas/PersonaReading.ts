import { neutral, type Temperament, temperaments } from "./Temperaments.ts"
import { bare, capital, cut, owned, sentencesOf } from "./Text.ts"

/** A persona, as far as its instructions tell. */
export interface Persona {
  readonly temperament: Temperament
  /** What it says of its own accord, in order. */
  readonly lines: ReadonlyArray<string>
}

const quotations = /["“„«]([^"“”„«»]{2,300})["”»]/g
const theirs = /^(?:the agent|the caller|it|see whether|hang up|end the call|after|label)\b/i
const conduct =
  /^(?:(?:you )?(?:hang up|end the call|speak|behave|stay|keep|agree|answer|reply|respond|never|do not|don['’]t|always|be)\b)/i

const pressing = /\bpress(?:es)?\s+(?:the\s+)?(?:keys?\s+|digits?\s+)?["“']?([0-9*#]{1,32})(?![\d.,]*\d)/gi

const temperamentOf = (text: string): Temperament => {
  const own = temperaments.find(({ manner }) => text.includes(manner))
  if (own !== undefined) return own
  let best = neutral
  let first = Number.POSITIVE_INFINITY
  for (const temperament of temperaments) {
    const at = text.search(temperament.cues)
    if (at !== -1 && at < first) {
      first = at
      best = temperament
    }
  }
  return best
}

/** What instructions without words of their own come to, said in the first person. */
const toldOf = (sentences: ReadonlyArray<string>): ReadonlyArray<string> =>
  sentences
    .filter((sentence) => !theirs.test(sentence) && !conduct.test(sentence))
    .slice(0, 4)
    .map((sentence) => `${capital(bare(cut(owned(sentence), 240)))}.`)

/** Reads instructions of any kind: keys are pressed, words in quotation marks said, the rest is told of oneself. */
export const readPersona = (instructions: string): Persona => {
  const text = instructions.slice(0, 10_000)
  const temperament = temperamentOf(text)
  const quoted = [...text.matchAll(quotations)].slice(0, 6).map(([, words]) => words!.trim())
  const pressed = [...text.matchAll(pressing)].slice(0, 6).map(([, digits]) => `[press ${digits}]`)
  const words = quoted.filter((words) => words !== "" && !/^[0-9*#]+$/.test(words))
  if (words.length > 0) return { temperament, lines: [...pressed, ...words] }
  const told = sentencesOf(text, 20).filter((sentence) => sentence.search(pressing) === -1)
  return { temperament, lines: [...pressed, ...toldOf(told)] }
}

const most = 2_000

/** The personas that were read last. */
export class PersonaCache {
  private readonly personas = new Map<string, Persona>()

  read(instructions: string): Persona {
    const known = this.personas.get(instructions)
    if (known !== undefined) return known
    const persona = readPersona(instructions)
    this.personas.set(instructions, persona)
    for (const [oldest] of this.personas) {
      if (this.personas.size <= most) break
      this.personas.delete(oldest)
    }
    return persona
  }
}
