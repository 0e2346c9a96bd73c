import { Either, ParseResult, type Schema } from "effect"
import { type Issue, issuesOf } from "../Issues.ts"
import { byteLength, depth, type RawJson, topLevel } from "./RawJson.ts"

const maxDepth = 64

/** A decoded body, with the text of its properties as they were sent. */
export interface Body<A> {
  readonly fields: A
  /** As parsed, before any schema: nothing is left out, `__proto__` neither. */
  readonly parsed: object
  readonly raw: (field: string) => RawJson | null
}

const issue = (message: string, ...path: ReadonlyArray<string>) => Either.left([{ path, message }])

/**
 * How the JSON text of a body of this schema is read. `kept` are the properties that are kept as sent, with the
 * most bytes that each may have, if there is a limit.
 */
export const reader = <A, I>(
  schema: Schema.Schema<A, I>,
  kept: Readonly<Record<string, number | null>>
): ((text: string) => Either.Either<Body<A>, ReadonlyArray<Issue>>) => {
  const decode = ParseResult.decodeUnknownEither(schema)
  return (text) => {
    const parsed = Either.try(() => JSON.parse(text) as unknown)
    if (Either.isLeft(parsed)) return issue("the body is not valid JSON")
    const value = parsed.right
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      return issue("the body must be a JSON object")
    }
    const raw = topLevel(text)
    for (const [field, limit] of Object.entries(kept)) {
      const slice = raw.get(field)
      if (slice === undefined) continue
      if (depth(slice) > maxDepth) return issue(`${field} must be at most ${maxDepth} levels deep`, field)
      if (limit !== null && byteLength(slice) > limit) {
        return issue(`${field} must be at most ${limit} bytes of JSON`, field)
      }
    }
    const decoded = decode(value)
    return Either.isLeft(decoded)
      ? Either.left(issuesOf(new ParseResult.ParseError({ issue: decoded.left })))
      : Either.right({ fields: decoded.right, parsed: value, raw: (field) => raw.get(field) ?? null })
  }
}
