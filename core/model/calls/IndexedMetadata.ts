import { type RawJson, topLevel } from "../json/RawJson.ts"

/** Characters that a value may have by which calls are found. */
export const longestValue = 200

/** A value as a query names it: text as it is, any other scalar as it is written. None of an object or an array. */
const textOf = (raw: RawJson): string | null => {
  if (raw.startsWith("{") || raw.startsWith("[")) return null
  const text = raw.startsWith('"') ? (JSON.parse(raw) as string) : raw
  return text.length <= longestValue && !text.includes("\u0000") && text.isWellFormed() ? text : null
}

/** The keys and values of a call's metadata by which it can be found, of those keys that its workspace names. */
export const indexedValues = (
  metadata: RawJson | null,
  keys: ReadonlyArray<string>
): ReadonlyArray<readonly [name: string, value: string]> => {
  if (metadata === null || keys.length === 0) return []
  const properties = topLevel(metadata)
  return keys.flatMap((name) => {
    const raw = properties.get(name)
    const value = raw === undefined ? null : textOf(raw)
    return value === null ? [] : [[name, value] as const]
  })
}
