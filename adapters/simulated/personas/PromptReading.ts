import { goalIn, isEnglish } from "./Goal.ts"
import { type Intent, intentForeseen } from "./Intents.ts"
import { actions, unfilled } from "./Lexicon.ts"
import { type Limit, limitIn } from "./Limits.ts"
import { questionIn, quotedIn, type Spoken, spoken } from "./Spoken.ts"
import { addressed, bare, cut, sentence, sentencesOf, stemsOf } from "./Text.ts"

/** "If …, do …". */
export interface Condition {
  readonly when: string
  readonly foresees: Intent | null
  readonly stems: ReadonlySet<string>
  readonly answer: Spoken
  /** The instruction itself. */
  readonly instruction: string
}

/** Something that a prompt says and that may be passed on. */
export interface Fact {
  readonly text: string
  readonly stems: ReadonlySet<string>
}

/** What a prompt asks of an agent. */
export interface Reading {
  readonly isEnglish: boolean
  /** The agent's own name and whom it calls for, where the prompt tells. */
  readonly name: string | null
  readonly company: string | null
  /** What the call is for, to go after "I am calling to"; null when the prompt sets no goal. */
  readonly goal: string | null
  /** The thing that the goal is about. */
  readonly subject: string
  readonly goalStems: ReadonlySet<string>
  /** Questions to ask, as they are asked. */
  readonly questions: ReadonlyArray<string>
  readonly conditions: ReadonlyArray<Condition>
  readonly limits: ReadonlyArray<Limit>
  readonly facts: ReadonlyArray<Fact>
  /** What it is told to say, whether or not the callee asks. */
  readonly tells: ReadonlyArray<string>
  /** Words of farewell that it gives. */
  readonly closing: string | null
  /** Names of the actions it provides for. */
  readonly actions: ReadonlySet<string>
  /** How it wants people to be treated badly. */
  readonly isRude: boolean
  readonly isThreatening: boolean
  readonly isDeceitful: boolean
  /** Placeholder text that was not filled in. */
  readonly unfilled: string | null
  readonly stems: ReadonlySet<string>
}

const partsOf = (text: string) =>
  text.split(/;\s+|,?\s+(?:and|but|then)\s+(?=(?:never|do not|don['’]t|must not|always|avoid|under no)\b)/i)

const condition =
  /^(?:and |but )?(?:if|when|whenever|should|in case|once|unless)\b\s*(.{2,200}?)(?:,|\bthen\b|:)\s*(?:then )?(.+)$/i
const trailing = /^(.{4,200}?)\s(?:if|when|whenever|in case)\s(.{2,200})$/i
const telling =
  /\b(?:tell|inform|say to|claim to|let)\s(?:them|him|her|people|everyone|the \w+)\s(?:know\s)?that\s(.+)|\b(?:say|claim|state)\s(?:that\s)(.+)/i
const mentioning = /\b(?:always\s)?(?:mention|quote|point out|stress|emphasi[sz]e)\s(.+)/i
const ending = /\b(?:end|close|finish|conclude|say good ?bye|hang up|wrap up|farewell)\b/i
const asserting =
  /\b(?:is|are|costs?|opens?|closes?|has|takes?|lasts?|includes?|starts?|begins?|ends?|was|were|will be|can be)\b/i
const rudeness =
  /\b(?:be|act|sound|become|stay)\s(?:\w+\s){0,2}(?:rude|aggressive|hostile|insulting|mean|impatient|nasty|unfriendly|offensive|abusive|condescending)\b|\b(?:insult|mock|bully|shout at|yell at|swear at|humiliate)\b/i
const threatening = /\b(?:threaten|intimidate|scare|blackmail|frighten)\b|\bbe threatening\b/i
const deceit = /\b(?:lie|lies|pretend|make up|invent|deceive|mislead|exaggerate|fabricate)\b/i
const perfect =
  /\b(?:has|have|was|were)\s(?:already\s|now\s|just\s)*(?:been\s)?\w+(?:ed|en|nt|ne|aid|ade)\b/gi
const ownName = /\b[Yy]ou(?:r name is|(?: are|['’]re)(?: called)?)\s((?!I\b)[A-Z][\p{Ll}'’-]+)(?=[\s,.]|$)/u
const behalf =
  /\b(?:on behalf of|calling for|calls for|call for|working for|work for|from|assistant (?:of|for|at)|agent (?:of|for|at)|receptionist (?:of|for|at))\s((?:the\s)?[A-Z][\w&'’.-]*(?:\s(?:[A-Z&][\w&'’-]*|of|and))*)/

const deed =
  /^(?:(?:remind|inform|notify|tell|warn|ask|invite|thank|persuade|convince|help) (?:you|\{\{[^{}]*\}\}|\p{Lu}[\p{L}]+) (?:about |of |that |to |for )?|(?:follow up|find out|set up|sign up|talk|\S+) (?:about |on |for )?)/u
const subjectOf = (goal: string): string => goal.replace(deed, "")

/** The stems of a goal; its figures, which may be said in many ways, only if there is nothing else. */
const subjectStems = (goal: string): ReadonlySet<string> => {
  const stems = stemsOf(goal)
  const words = [...stems].filter((stem) => !/^\d/.test(stem))
  return words.length === 0 ? stems : new Set(words)
}

/** Reads a prompt. Takes any text; of a very long one the first thousand sentences. */
export const readPrompt = (prompt: string): Reading => {
  const sentences = sentencesOf(prompt.length > 100_000 ? cut(prompt, 100_000) : prompt)
  const english = isEnglish(sentences)
  const questions: Array<string> = []
  const conditions: Array<Condition> = []
  const limits: Array<Limit> = []
  const facts: Array<Fact> = []
  const tells: Array<string> = []
  const provided = new Set<string>()
  const free: Array<string> = []
  const flags = { isRude: false, isThreatening: false, isDeceitful: false }
  let closing: string | null = null

  const provide = (text: string) => {
    const planned = text.replaceAll(perfect, " ")
    for (const { name, words } of actions) if (words.test(planned)) provided.add(name)
  }

  const readPart = (part: string) => {
    const found = condition.exec(part) ?? null
    const after = found === null ? trailing.exec(part) : null
    const when = found?.[1] ?? after?.[2]
    const then = found?.[2] ?? after?.[1]
    if (when !== undefined && then !== undefined && limitIn(then) === null && english) {
      if (!/^unless\b/i.test(part)) {
        conditions.push({
          when,
          foresees: intentForeseen(when),
          stems: stemsOf(when),
          answer: spoken(then),
          instruction: then
        })
      }
      provide(then)
      if (after === null) return
    } else {
      const limit = limitIn(part)
      if (limit !== null) {
        limits.push(limit)
        return
      }
    }
    provide(part)
    if (rudeness.test(part)) flags.isRude = true
    if (threatening.test(part)) flags.isThreatening = true
    if (deceit.test(part)) flags.isDeceitful = true
    const told = telling.exec(part) ?? mentioning.exec(part)
    const said = told?.[1] ?? told?.[2]
    if (ending.test(part) && quotedIn(part) !== null) closing = sentence(quotedIn(part)!)
    else if (said !== undefined) tells.push(sentence(addressed(quotedIn(said) ?? said)))
    else if (after === null) {
      const question = questionIn(part)
      if (question !== null && !/^\s*(?:you|your)\b/i.test(part)) questions.push(question)
    }
    if (!/^\s*(?:you|your|be|always)\b/i.test(part) && asserting.test(part)) {
      facts.push({ text: sentence(part), stems: stemsOf(part) })
    }
    free.push(part)
  }

  for (const sentence of sentences) for (const part of partsOf(sentence)) readPart(part)

  const goal = goalIn(free, english)
  return {
    isEnglish: english,
    name: ownName.exec(prompt.slice(0, 2_000))?.[1] ?? null,
    company: bare(behalf.exec(prompt.slice(0, 2_000))?.[1] ?? "") || null,
    goal,
    subject: subjectOf(goal ?? ""),
    goalStems: subjectStems(goal ?? ""),
    questions: questions.slice(0, 20),
    conditions: conditions.slice(0, 50),
    limits: limits.slice(0, 50),
    facts: facts.slice(0, 200),
    tells: tells.slice(0, 10),
    closing,
    actions: provided,
    ...flags,
    unfilled: unfilled.exec(prompt)?.[0] ?? null,
    stems: stemsOf(prompt.slice(0, 20_000))
  }
}

const mostChars = 4_000_000

/** Readings of the prompts that were read last, up to four million characters of them. */
export class PromptCache {
  private readonly readings = new Map<string, Reading>()
  private chars = 0

  read(prompt: string): Reading {
    const known = this.readings.get(prompt)
    if (known !== undefined) return known
    const reading = readPrompt(prompt)
    this.readings.set(prompt, reading)
    this.chars += prompt.length + 500
    for (const [oldest] of this.readings) {
      if (this.chars <= mostChars || oldest === prompt) break
      this.readings.delete(oldest)
      this.chars -= oldest.length + 500
    }
    return reading
  }
}
