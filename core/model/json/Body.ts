import { Either, ParseResult, type Schema } from "effect"
import { type Issue, issuesOf } from "../Issues.ts"
import { conformsTo } from "./Conforms.ts"
import { isDeeperThan, isLongerThan, RawJson, topLevel } from "./RawJson.ts"

const maxDepth = 64

/** A decoded body, with the text of its properties as they were sent. */
export interface Body<A> {
  readonly fields: A
  /** As parsed, before any schema: nothing is left out, `__proto__` neither. */
  readonly parsed: object
  readonly raw: (field: string) => RawJson | null
}

type Checked<A> = Either.Either<Body<A>, ReadonlyArray<Issue>>
type Raw = Body<unknown>["raw"]
type Decode<A> = (value: unknown) => Either.Either<A, ParseResult.ParseIssue>

const whole = (message: string) => Either.left([{ path: [], message }])

/** The property of a value as JSON text. */
const written =
  (value: object): Raw =>
  (field) => {
    const text = JSON.stringify((value as Readonly<Record<string, unknown>>)[field]) as string | undefined
    return text === undefined ? null : RawJson(text)
  }

/** How a body is read: from its JSON text, or from what a program of this process holds. */
export interface Reader<A> {
  readonly text: (text: string) => Checked<A>
  readonly value: (value: unknown) => Checked<A>
}

/**
 * Reads bodies of this schema. `kept` are the properties that are kept as sent, with the most bytes that each may
 * have, if there is a limit.
 */
export const reader = <A, I>(
  schema: Schema.Schema<A, I>,
  kept: Readonly<Record<string, number | null>>
): Reader<A> => {
  const decode = ParseResult.decodeUnknownEither(schema)
  const conforms = conformsTo(schema)
  const limits = Object.entries(kept)
  const decodeJson: Decode<A> = (json) => (conforms?.(json) === true ? Either.right(json) : decode(json))
  const check = (value: unknown, rawOf: (value: object) => Raw, decode: Decode<A>): Checked<A> => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      return whole("the body must be a JSON object")
    }
    const raw = rawOf(value)
    const oversized: Array<Issue> = []
    for (const [field, limit] of limits) {
      const slice = raw(field)
      if (slice === null) continue
      if (isDeeperThan(slice, maxDepth)) {
        oversized.push({ path: [field], message: `${field} must be at most ${maxDepth} levels deep` })
      } else if (limit !== null && isLongerThan(slice, limit)) {
        oversized.push({ path: [field], message: `${field} must be at most ${limit} bytes of JSON` })
      }
    }
    const decoded = decode(value)
    const issues = Either.isLeft(decoded)
      ? [...oversized, ...issuesOf(new ParseResult.ParseError({ issue: decoded.left }))]
      : oversized
    return Either.isLeft(decoded) || issues.length > 0
      ? Either.left(issues)
      : Either.right({ fields: decoded.right, parsed: value, raw })
  }
  return {
    text: (text) => {
      const parsed = Either.try(() => JSON.parse(text) as unknown)
      // What is kept as sent is kept as UTF-8, which has no lone surrogates; escaped ones it has.
      if (Either.isLeft(parsed) || !text.isWellFormed()) return whole("the body is not valid JSON")
      return check(
        parsed.right,
        () => {
          const slices = topLevel(text)
          return (field) => slices.get(field) ?? null
        },
        decodeJson
      )
    },
    value: (value) =>
      Either.getOrElse(
        Either.try(() => check(value, written, decode)),
        () => whole("the input cannot be written as JSON")
      )
  }
}
