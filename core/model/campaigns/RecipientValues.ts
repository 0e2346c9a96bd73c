import { indexedValues } from "../calls/IndexedMetadata.ts"
import { type RawJson, topLevel } from "../json/RawJson.ts"

/** What a value by which a recipient is found comes from: what was supplied of it, or what was learnt of it. */
export type ValueKind = "variables" | "review"

/** A value by which a recipient is found: `variables.city`, `answers.budget`, `qualification_status` or `sentiment`. */
export type RecipientValue = readonly [name: string, value: string]

/** Filters of recipients that are answered by their values. */
export interface ValueFilter {
  readonly qualification_status?: string | undefined
  readonly sentiment?: string | undefined
  readonly answers?: Readonly<Record<string, string>> | undefined
  readonly variables?: Readonly<Record<string, string>> | undefined
}

const learnt = ["qualification_status", "sentiment"] as const

const named = (kind: string, values: Iterable<RecipientValue>): ReadonlyArray<RecipientValue> =>
  Array.from(values, ([name, value]) => [`${kind}.${name}`, value] as const)

/** What a filter asks for. */
export const wantedValues = (filter: ValueFilter): ReadonlyArray<RecipientValue> => [
  ...named("variables", Object.entries(filter.variables ?? {})),
  ...named("answers", Object.entries(filter.answers ?? {})),
  ...learnt.flatMap((name) => {
    const value = filter[name]
    return value === undefined ? [] : [[name, value] as const]
  })
]

/** Values of those variables that the workspace names. */
export const variableValues = (variables: RawJson, keys: ReadonlyArray<string>) =>
  named("variables", indexedValues(variables, keys))

/** Values of what was learnt in a conversation; a question that it does not answer has none. */
export const reviewValues = (review: RawJson): ReadonlyArray<RecipientValue> => {
  const answers = topLevel(review).get("answers")
  const questions = answers === undefined ? [] : [...topLevel(answers)].filter(([, raw]) => raw !== "null")
  const names = questions.map(([name]) => name)
  return [
    ...named("answers", indexedValues(answers ?? null, names)),
    ...indexedValues(review, learnt).filter(([, value]) => value !== "null")
  ]
}
