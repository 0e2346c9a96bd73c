import { asking, claims, negation } from "./Lexicon.ts"
import { bare, sentencesOf, stem, stemsOf, wordsOf } from "./Text.ts"

/** What a prompt forbids. */
export interface Limit {
  /** As it stands after "never": "ask for payment details". */
  readonly what: string
  readonly kind: "ask" | "give" | "say" | "do"
  /** Things forbidden, each by all of its stems; any one of them breaks the limit. */
  readonly things: ReadonlyArray<ReadonlySet<string>>
  /** Holds in some cases alone, which words cannot tell. */
  readonly isConditional: boolean
}

const prohibition =
  /\b(?:(?:never|do not|don['’]t|must not|mustn['’]t|may not|should not|shouldn['’]t|cannot|can['’]t|not allowed to|not permitted to|forbidden to|refuse to|under no circumstances)(?: ever)?|avoid|refrain from|no) (.+)/i

const kinds: ReadonlyArray<readonly [Limit["kind"], RegExp]> = [
  ["ask", /^(?:ask|request|collect|take|solicit|demand|require|obtain)/i],
  ["give", /^(?:promis|offer|giv|grant|guarante|sell)/i],
  ["say", /^(?:mention|discuss|reveal|shar|disclos|talk|speak|tell|say|nam|stat|quot|comment)/i]
]

const general = new Set(
  `ask request collect take solicit demand require obtain promise offer give grant guarantee sell mention discuss reveal
  share disclose name state quote comment detail information data info number any kind topic matter
  under circumstance use include`
    .split(/\s+/)
    .map(stem)
)

const groups: ReadonlyArray<ReadonlyArray<string>> = [
  ["payment", "pay", "card", "credit", "debit", "iban", "cvv", "billing", "bank"],
  [
    "price",
    "prices",
    "pricing",
    "cost",
    "costs",
    "fee",
    "fees",
    "euro",
    "euros",
    "dollar",
    "dollars",
    "charge"
  ],
  ["password", "passcode", "pin", "login", "credentials"],
  ["medical", "diagnosis", "treatment", "medication", "dosage"],
  ["competitor", "competitors", "rival", "rivals"],
  ["refund", "refunds", "reimbursement", "reimburse"],
  ["discount", "discounts", "rebate"]
]
const groupOf = new Map(
  groups.flatMap((group) => group.map((word) => [stem(word), `=${group[0]!}`] as const))
)

/** Stems, with those that mean the same for a prohibition made one. */
export const meantBy = (text: string): ReadonlySet<string> => {
  const meant = new Set<string>()
  for (const stem of stemsOf(text)) meant.add(groupOf.get(stem) ?? stem)
  if (/[$€£]\s?\d/.test(text)) meant.add("=price")
  return meant
}

const thingOf = (text: string): ReadonlySet<string> => {
  const meant = meantBy(text)
  const special = new Set([...meant].filter((stem) => !general.has(stem)))
  return special.size > 0 ? special : meant
}

/** The limit in a sentence or clause; null when it sets none. */
export const limitIn = (text: string): Limit | null => {
  const found = prohibition.exec(text)
  if (found === null || /^(?:you|they|he|she)?\s*(?:are|is)?\s*(?:be|sure|longer)\b/i.test(found[1]!))
    return null
  const what = bare(found[1]!)
  const [always = what] = what.split(
    /\b(?:unless|until|without|except|before|if|when|with anyone|to anyone|more than|longer than)\b/i,
    1
  )
  const things = always
    .split(/,|\bor\b|\band\b|\bnor\b/i)
    .map(thingOf)
    .filter((thing) => thing.size > 0)
  if (things.length === 0) return null
  const kind = kinds.find(([, verb]) => verb.test(what))?.[0] ?? "do"
  return { what, kind, things, isConditional: always.length < what.length }
}

/** Whether a text touches on what is forbidden. */
export const touches = (limit: Limit, meant: ReadonlySet<string>): boolean =>
  limit.things.some((thing) => {
    for (const stem of thing) if (!meant.has(stem)) return false
    return true
  })

const breaksIt: Readonly<Record<Limit["kind"], (clause: string) => boolean>> = {
  ask: (clause) => asking.test(clause) || clause.includes("?"),
  give: (clause) => !clause.includes("?"),
  say: (clause) => wordsOf(clause).length > 2,
  do: claims
}

/** The clauses of an utterance that deny nothing. */
export const assertions = (utterance: string): ReadonlyArray<string> =>
  sentencesOf(utterance, 50)
    .flatMap((sentence) => sentence.split(/(?<=[,;:])\s|\s(?=but\b)/))
    .filter((clause) => !negation.test(clause))

/** Whether something that is said breaks the limit. */
export const breaks = (limit: Limit, utterance: string): boolean =>
  !limit.isConditional &&
  assertions(utterance).some((clause) => touches(limit, meantBy(clause)) && breaksIt[limit.kind](clause))
