import { addressed, bare, capital, sentence } from "./Text.ts"

/** What an instruction becomes when it is carried out aloud. */
export interface Spoken {
  readonly text: string
  readonly ends: boolean
}

const quoted = /["“”„«]([^"“”„«»]{2,300})["“”»]/

/** The words that an instruction gives in quotation marks. */
export const quotedIn = (text: string): string | null => quoted.exec(text)?.[1]?.trim() ?? null

const whom =
  "(?:(?:them|him|her|people|(?:the|each|every) (?:customer|caller|callee|patient|client|user|recipient|lead|person|guest|tenant|member|subscriber|prospect|contact|candidate)) )?"

const clause = new RegExp(
  `\\b(?:ask|find out|check|verify|confirm|clarify)(?:s|ing)? ${whom}(whether|if|how|what|when|which|who|why|where)\\b (.+)`,
  "i"
)
const thing = new RegExp(
  `\\b(?:(?:ask(?:s|ing)? ${whom}(?:for|about)|inquire about|enquire about|collect|gather|obtain|request|demand|take down|note down|write down)) (.+)`,
  "i"
)
const possession = new RegExp(`\\b(?:get|record|take|verify) (?:the |their |his |her )(.+)`, "i")

const owner = (text: string) => {
  const named = addressed(text)
  return /^(?:your|you)\b/i.test(named) ? named : `your ${named.replace(/^(?:the|a|an) /i, "")}`
}

/** The question that an instruction has an agent ask; null when it has it ask none. */
export const questionIn = (instruction: string): string | null => {
  const asked = clause.exec(instruction)
  if (asked !== null) return `May I ask ${asked[1]!.toLowerCase()} ${addressed(bare(asked[2]!))}?`
  const about = thing.exec(instruction) ?? possession.exec(instruction)
  return about === null ? null : `Could you please tell me ${owner(bare(about[1]!))}?`
}

const verbs: ReadonlyArray<readonly [RegExp, (rest: string) => Spoken]> = [
  [/^(?:end|hang up|close|finish|say good ?bye)\b.*$/i, () => ({ text: "", ends: true })],
  [/^apologi[sz]e\b.*$/i, () => ({ text: "I am sorry about that.", ends: false })],
  [/^thank\b.*$/i, () => ({ text: "Thank you.", ends: false })],
  [
    /^(?:tell|inform|remind|let) (?:them|him|her|the \w+|people)(?: know)?(?: that)? (.+)$/i,
    (rest) => ({ text: sentence(addressed(rest)), ends: false })
  ],
  [
    /^(?:say|explain|mention|state|point out)(?: that)? (.+)$/i,
    (rest) => ({ text: sentence(addressed(rest)), ends: false })
  ],
  [/^offer to (.+)$/i, (rest) => ({ text: `I can ${addressed(rest)}.`, ends: false })],
  [/^offer (.+)$/i, (rest) => ({ text: `I can offer you ${addressed(rest)}.`, ends: false })],
  [/^(?:propose|suggest) (.+)$/i, (rest) => ({ text: `May I suggest ${addressed(rest)}?`, ends: false })],
  [
    /^(?:you (?:may|can|should|must|will) )?(.+)$/i,
    (rest) => ({ text: `I will ${addressed(rest)}.`, ends: false })
  ]
]

const manner = /^(?:be|stay|remain|keep|speak|act|sound|continue|proceed|go on|do not|don['’]t|never)\b/i

const one = (instruction: string): Spoken => {
  const said = quotedIn(instruction)
  if (said !== null) return { text: sentence(said), ends: false }
  const text = bare(instruction).replace(/^(?:then|please|politely|kindly|simply|just|always) /i, "")
  if (manner.test(text)) return { text: "", ends: false }
  const question = questionIn(text)
  if (question !== null && /^(?:ask|find out|collect|gather|request|get)\b/i.test(text)) {
    return { text: question, ends: false }
  }
  for (const [verb, speak] of verbs) {
    const found = verb.exec(text)
    if (found === null) continue
    const spoken = speak(found[1] ?? "")
    return { ...spoken, text: spoken.text.replace(/\bcall back\b/i, "call you back") }
  }
  return { text: capital(text), ends: false }
}

/** An instruction carried out aloud: "offer to call back" becomes "I can call you back." */
export const spoken = (instruction: string): Spoken => {
  const parts = quotedIn(instruction) === null ? instruction.split(/,? and (?=[a-z]+\b)/, 3) : [instruction]
  const lines = parts.map(one)
  return {
    text: lines
      .map(({ text }) => text)
      .filter((text) => text !== "")
      .join(" "),
    ends: lines.some(({ ends }) => ends)
  }
}
