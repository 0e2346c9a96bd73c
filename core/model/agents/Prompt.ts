import { type RawJson, topLevel } from "../json/RawJson.ts"

export type Variable = string | number | boolean | null

/**
 * `{{ name }}`. Linear in the length of the prompt: a run without braces is scanned from the one pair of braces
 * just before it and from nowhere else.
 */
const placeholder = /\{\{([^{}]+)\}\}/g

/** The distinct names that a prompt asks for, in order of first appearance. */
export const placeholders = (prompt: string): ReadonlyArray<string> => {
  const names = new Set<string>()
  for (const [, inner] of prompt.matchAll(placeholder)) names.add(inner!.trim())
  names.delete("")
  return [...names]
}

/**
 * The prompt with its placeholders replaced, in one pass: what a value contains is never expanded. A name that
 * has no value, or null, leaves nothing behind.
 */
export const render = (prompt: string, variables: ReadonlyMap<string, Variable>): string =>
  prompt.replace(placeholder, (whole, inner: string) => {
    const name = inner.trim()
    return name === "" ? whole : String(variables.get(name) ?? "")
  })

const isVariable = (value: unknown): value is Variable =>
  value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean"

/** Whether a number as read may differ from the number as written. */
const isInexact = (value: Variable): boolean =>
  typeof value === "number" &&
  (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value)))

/**
 * The variables that a JSON object holds; none for null. Every key is an ordinary one, `__proto__` included.
 * A number too large to be read exactly is its text, so that it is spoken as it was supplied; arrays and
 * objects are no variables.
 */
export const variablesOf = (json: RawJson | null): ReadonlyMap<string, Variable> => {
  const variables = new Map<string, Variable>()
  if (json === null) return variables
  for (const [name, text] of topLevel(json)) {
    const value: unknown = JSON.parse(text)
    if (isVariable(value)) variables.set(name, isInexact(value) ? text : value)
  }
  return variables
}
