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

const whole = (message: string) => Either.left([{ path: [], message }])

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
    // What is kept as sent is kept as UTF-8, which has no lone surrogates; escaped ones it has.
    if (Either.isLeft(parsed) || !text.isWellFormed()) return whole("the body is not valid JSON")
    const value = parsed.right
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      return whole("the body must be a JSON object")
    }
    const raw = topLevel(text)
    const oversized = Object.entries(kept).flatMap(([field, limit]): ReadonlyArray<Issue> => {
      const slice = raw.get(field)
      if (slice === undefined) return []
      if (depth(slice) > maxDepth) {
        return [{ path: [field], message: `${field} must be at most ${maxDepth} levels deep` }]
      }
      return limit !== null && byteLength(slice) > limit
        ? [{ path: [field], message: `${field} must be at most ${limit} bytes of JSON` }]
        : []
    })
    const decoded = decode(value)
    const issues = Either.isLeft(decoded)
      ? [...oversized, ...issuesOf(new ParseResult.ParseError({ issue: decoded.left }))]
      : oversized
    return Either.isLeft(decoded) || issues.length > 0
      ? Either.left(issues)
      : Either.right({ fields: decoded.right, parsed: value, raw: (field) => raw.get(field) ?? null })
  }
}
