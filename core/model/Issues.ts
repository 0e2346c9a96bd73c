import { ParseResult } from "effect"

/** What is wrong with an input, and where. Never repeats the input. */
export interface Issue {
  readonly path: ReadonlyArray<PropertyKey>
  readonly message: string
}

const nouns: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  boolean: "true or false",
  object: "an object",
  Int: "an integer",
  NonNegativeInt: "a non-negative integer",
  E164: "an E.164 number",
  Timestamp: "a timestamp"
}

/** A schema's identifier. What has one and stands above is no object. */
const identifier = /^[A-Z][A-Za-z0-9]*$/

const expectation = (expected: string): string => {
  if (expected in nouns) return `must be ${nouns[expected]}`
  if (/^"[^"]*"( \| "[^"]*")*$/.test(expected)) return `must be ${expected.replaceAll(" | ", " or ")}`
  if (expected.startsWith("ReadonlyArray") || expected.startsWith("readonly [")) return "must be an array"
  if (identifier.test(expected) || /^\{|\{ /.test(expected)) return "must be an object"
  const bound = /^(?:a|an) (.*)$/.exec(expected)
  return bound === null ? "is not valid" : `must be ${expected}`
}

const reword = (message: string): string => {
  if (message === "is missing") return "is required"
  if (message.startsWith("is unexpected")) return "is not permitted"
  const expected = /^Expected ([\s\S]*?), actual /.exec(message)
  return expected === null ? message : expectation(expected[1]!)
}

/** Every optional property could also be absent. That is reported only when nothing else is. */
const isAbsence = ({ message }: Issue): boolean => message.startsWith("Expected undefined, actual ")

const isWithin = (path: ReadonlyArray<PropertyKey>, outer: ReadonlyArray<PropertyKey>): boolean =>
  outer.every((key, i) => path[i] === key)

const literal = /^Expected ("[^"]*"|null), actual /

/** Alternatives as a sentence lists them. */
const either = (values: ReadonlyArray<string>): string =>
  values.length < 2 ? values.join("") : `${values.slice(0, -1).join(", ")} or ${values.at(-1)}`

/** A schema reports each value of an enumeration as an issue of its own: one issue with all values. */
const joined = (formatted: ReadonlyArray<Issue>): ReadonlyArray<Issue> => {
  const values = new Map<string, Array<string>>()
  return formatted
    .filter(({ message, path }) => {
      const value = literal.exec(message)?.[1]
      if (value === undefined) return true
      const field = JSON.stringify(path.map(String))
      const known = values.get(field)
      if (known === undefined) values.set(field, [value])
      else if (!known.includes(value)) known.push(value)
      return known === undefined
    })
    .map((issue) =>
      literal.test(issue.message)
        ? { ...issue, message: `must be ${either(values.get(JSON.stringify(issue.path.map(String)))!)}` }
        : issue
    )
}

/** Issues as a schema formats them, each once, in words for the client that sent the input. */
export const reworded = (formatted: ReadonlyArray<Issue>): ReadonlyArray<Issue> => {
  const seen = new Set<string>()
  const issues: Array<Issue> = []
  const told = formatted.filter((issue) => !isAbsence(issue))
  const needed = formatted.filter(
    (issue) => !isAbsence(issue) || !told.some(({ path }) => isWithin(path, issue.path))
  )
  for (const { message, path } of joined(needed)) {
    const issue = { path, message: reword(message) }
    const key = describe(issue)
    if (!seen.has(key)) {
      seen.add(key)
      issues.push(issue)
    }
  }
  return issues
}

/** The issues of a failed decoding, each with its path, in words for the client that sent the input. */
export const issuesOf = (error: ParseResult.ParseError): ReadonlyArray<Issue> =>
  reworded(ParseResult.ArrayFormatter.formatErrorSync(error))

/** A field's name, and not something that was sent: keys of open objects may be anything, phone numbers too. */
const isName = (key: PropertyKey): boolean =>
  typeof key === "number" || (typeof key === "string" && /^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(key))

/** Where an issue is, as far as that can be told without repeating the input; empty for the whole. */
export const fieldOf = ({ path }: Issue): string => {
  const end = path.findIndex((key) => !isName(key))
  return (end === -1 ? path : path.slice(0, end)).map(String).join(".")
}

const namesItsField = (message: string, field: string): boolean =>
  /^[a-z]+(?:_[a-z]+)+ /.test(message) || message.startsWith(`${field.slice(field.lastIndexOf(".") + 1)} `)

/** One line: the field, then the rule. A rule that begins with its field already is left as it stands. */
export const describe = (issue: Issue): string => {
  const { message, path } = issue
  const field = fieldOf(issue)
  const isWhole = path.every(isName)
  if (message === "is not permitted" && !isWhole) {
    return `${field === "" ? "the body" : field} has a property that is not permitted`
  }
  if (field === "") return path.length === 0 ? message : `a property ${message}`
  if (isWhole && namesItsField(message, field)) return message
  return isWhole ? `${field} ${message}` : `a property of ${field} ${message}`
}
