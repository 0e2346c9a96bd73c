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
  E164: "an E.164 number"
}

const expectation = (expected: string): string => {
  if (expected in nouns) return `must be ${nouns[expected]}`
  if (/^"[^"]*"( \| "[^"]*")*$/.test(expected)) return `must be ${expected.replaceAll(" | ", " or ")}`
  if (expected.startsWith("ReadonlyArray") || expected.startsWith("readonly [")) return "must be an array"
  if (expected.startsWith("{") || expected.includes("{ ")) return "must be an object"
  const bound = /^(?:a|an) (.*)$/.exec(expected)
  return bound === null ? "is not valid" : `must be ${expected}`
}

const reword = (message: string): string => {
  if (message === "is missing") return "is required"
  if (message.startsWith("is unexpected")) return "is not permitted"
  const expected = /^Expected ([\s\S]*?), actual /.exec(message)
  return expected === null ? message : expectation(expected[1]!)
}

/** Issues as a schema formats them, each once, worded for the one who sent the input. */
export const reworded = (formatted: ReadonlyArray<Issue>): ReadonlyArray<Issue> => {
  const seen = new Set<string>()
  const issues: Array<Issue> = []
  for (const { message, path } of formatted) {
    const issue = { path, message: reword(message) }
    const key = describe(issue)
    if (!seen.has(key)) {
      seen.add(key)
      issues.push(issue)
    }
  }
  return issues
}

/** The issues of a failed decoding, each with its path, worded for the one who sent the input. */
export const issuesOf = (error: ParseResult.ParseError): ReadonlyArray<Issue> =>
  reworded(ParseResult.ArrayFormatter.formatErrorSync(error))

/** One line: the field, then the rule. A rule that names its field already is left as it stands. */
export const describe = ({ message, path }: Issue): string => {
  const last = path.at(-1)
  if (last === undefined || message.includes(String(last))) return message
  return `${path.map(String).join(".")} ${message}`
}
