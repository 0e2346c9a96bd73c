import { placeholders, type Variable } from "../agents/Prompt.ts"

/** FNV-1a, 32 bits. */
const hash = (text: string): number => {
  let value = 0x811c9dc5
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193)
  return value >>> 0
}

const pick = (list: ReadonlyArray<string>, chance: number): string => list[chance % list.length]!

/** People, each with a first and a last name. */
const people: ReadonlyArray<readonly [string, string]> = [
  ["Ada", "Clark"],
  ["Ben", "Fischer"],
  ["Chloe", "Martin"],
  ["Daniel", "Rossi"],
  ["Elena", "Novak"],
  ["Farid", "Haddad"],
  ["Grace", "Okafor"],
  ["Hugo", "Silva"]
]
const companies = ["Northwind", "Lakeside Homes", "Brightwater", "Oakfield", "Harbour Lane", "Summit Supply"]
const products = ["Comfort plan", "Starter kit", "Family plan", "Home package"]
const days = ["3 May", "12 May", "21 June", "8 September", "17 October", "24 November"]
const weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"]
const hours = ["9:00", "10:30", "11:15", "14:00", "15:30"]
const months = ["May", "June", "September", "October", "November"]
const amounts = ["40", "85", "120", "260", "350"]
const streets = ["12 Mill Lane", "4 Station Road", "27 Park Street", "8 Garden Row"]
const towns = ["Bristol", "Portland", "Leeds", "Denver", "Cork"]
const reasons = ["the last order", "the yearly check", "a question about the contract", "the new offer"]

/** How values of a kind are made: `words` is a variable's name, in lower case and with spaces between its words. */
type Kind = readonly [words: RegExp, make: (chance: number, person: readonly [string, string]) => string]

/** The first that fits the name counts. */
const kinds: ReadonlyArray<Kind> = [
  [/\be ?mail\b/, (_, [first, last]) => `${first}.${last}@example.com`.toLowerCase()],
  [/\b(?:url|link|website|web site)\b/, () => "www.example.com"],
  [/\b(?:phone|mobile|telephone)\b/, (chance) => `+1415555${String(100 + (chance % 100)).padStart(4, "0")}`],
  [/\b(?:first ?name|given name|forename|vorname)\b/, (_, [first]) => first],
  [/\b(?:last ?name|surname|family name|nachname)\b/, (_, [, last]) => last],
  [
    /\b(?:company|business|organi[sz]ation|employer|firm|shop|store|clinic|practice|brand|bank|firma)\b/,
    (chance) => pick(companies, chance)
  ],
  [/\b(?:doctor|dentist|physician)\b/, (chance) => `Dr. ${people[chance % people.length]![1]}`],
  [/\b(?:agent|assistant|representative|sender)\b/, (chance) => people[(chance + 3) % people.length]![0]],
  [/\b(?:product|plan|package|service|item|model|offer)\b/, (chance) => pick(products, chance)],
  [
    /\b(?:full ?name|name|customer|contact|callee|recipient|patient|client|tenant|guest|lead)\b/,
    (_, [first, last]) => `${first} ${last}`
  ],
  [/\b(?:weekday|day of (?:the )?week)\b/, (chance) => pick(weekdays, chance)],
  [/\b(?:time|hour|slot)\b/, (chance) => pick(hours, chance)],
  [/\bmonth\b/, (chance) => pick(months, chance)],
  [/\byear\b/, (chance) => String(2024 + (chance % 3))],
  [/\b(?:date|day|deadline|due|appointment|birthday|datum)\b/, (chance) => pick(days, chance)],
  [/\b(?:percent|percentage|discount|rate)\b/, (chance) => `${5 + (chance % 4) * 5} percent`],
  [/\bcurrency\b/, () => "dollars"],
  [
    /\b(?:amount|price|cost|fee|total|balance|sum|rent|salary|debt|payment|budget|betrag)\b/,
    (chance) => `${pick(amounts, chance)} dollars`
  ],
  [/\b(?:address|street)\b/, (chance) => pick(streets, chance)],
  [/\b(?:zip|postal|post ?code)\b/, (chance) => String(10_000 + (chance % 80_000))],
  [/\b(?:city|town|location|place|branch)\b/, (chance) => pick(towns, chance)],
  [/\bcountry\b/, () => "Ireland"],
  [/\blanguage\b/, () => "English"],
  [/\b(?:age|quantity|count|guests|people|seats)\b/, (chance) => String(2 + (chance % 5))],
  [
    /\b(?:order|invoice|reference|id|code|ticket|account|policy|booking|number|nr|no)\b/,
    (chance) => String(10_000 + (chance % 80_000))
  ],
  [/\b(?:reason|topic|subject|issue|purpose|matter)\b/, (chance) => pick(reasons, chance)]
]

/** `firstName`, `first_name` and `FIRST-NAME` are all "first name". */
const wordsOf = (name: string): string =>
  name
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, " ")
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .toLowerCase()

/** A plausible value for a variable of this name; one of a name that tells nothing has the name's own words. */
const valueFor = (name: string, seed: string): string => {
  const words = wordsOf(name)
  const kind = kinds.find(([pattern]) => pattern.test(words))
  if (kind === undefined) return words
  return kind[1](hash(`${seed}/${name}`), people[hash(seed) % people.length]!)
}

/**
 * The variables of one play: those that a suite leaves empty, and placeholders that it does not name, have made-up
 * values. The same `seed` gives the same values, which are of one person.
 */
export const withMadeUpValues = (
  given: Readonly<Record<string, string>>,
  texts: ReadonlyArray<string>,
  seed: string
): ReadonlyMap<string, Variable> => {
  const variables = new Map<string, Variable>(Object.entries(given))
  for (const name of new Set([...variables.keys(), ...texts.flatMap((text) => placeholders(text))])) {
    if ((variables.get(name) ?? "") === "") variables.set(name, valueFor(name, seed))
  }
  return variables
}
