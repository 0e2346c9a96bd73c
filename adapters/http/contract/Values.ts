import { Either, ParseResult, Schema } from "effect"
import { isStorable } from "../../../core/model/Codecs.ts"
import { Value } from "./Paging.ts"

/** One of several words, or more than one, with commas between them. */
export const OneOrMore = <Word extends string>(
  name: string,
  words: Schema.Literal<[Word, ...Array<Word>]>,
  description: string
) => {
  const allowed = words.literals
  const quoted = allowed.map((word) => `"${word}"`)
  const one = { type: "string", enum: allowed }
  const message = `${name} must be ${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1)}`
  const Sent = Schema.Union(Schema.String, Schema.Array(Schema.String)).annotations({
    jsonSchema: { anyOf: [one, { type: "array", items: one }], description }
  })
  return Schema.transformOrFail(Sent, Schema.Any as Schema.Schema<Word | ReadonlyArray<Word>>, {
    strict: true,
    decode: (sent, _, ast) => {
      const given = [sent].flat().flatMap((text) => text.split(","))
      const found = allowed.filter((word) => given.includes(word))
      return given.every((word) => allowed.includes(word as Word))
        ? ParseResult.succeed(found.length === 1 ? found[0]! : found)
        : ParseResult.fail(new ParseResult.Type(ast, sent, message))
    },
    encode: (word) => ParseResult.succeed(String(word))
  })
}

const Text = Schema.String.pipe(Schema.filter(isStorable))
const ByName = Schema.Record({ key: Text, value: Text })
const fromJson = Schema.decodeUnknownEither(Schema.parseJson(ByName))
const byName = { type: "object" as const, additionalProperties: { type: "string" as const } }

/**
 * Values by key. Over REST each is a parameter of its own, `name.key=value`, which `byPrefix` reads; the library gives
 * them as JSON.
 */
export const Values = (name: string, description: string) =>
  Schema.optional(
    Schema.transformOrFail(Schema.String.annotations({ jsonSchema: { ...byName, description } }), ByName, {
      strict: true,
      decode: (sent, _, ast) =>
        Either.mapLeft(
          fromJson(sent),
          () => new ParseResult.Type(ast, sent, `${name} must be given as ${name}.key=value`)
        ),
      encode: (values) => ParseResult.succeed(JSON.stringify(values))
    })
  )

const textRule = (name: string) =>
  `${name} must be one text without NUL characters or lone surrogates, or be given as ${name}.key=value`

/** The same, or one text that is the value of any key. */
export const TextOrValues = (name: string, description: string) =>
  Schema.optional(
    Schema.transform(
      Value(textRule(name))
        .pipe(Schema.filter(isStorable))
        .annotations({
          message: () => textRule(name),
          jsonSchema: { anyOf: [{ type: "string" }, byName], description }
        }),
      Schema.Union(Schema.String, ByName),
      {
        strict: true,
        decode: (sent) => Either.getOrElse(fromJson(sent), () => sent),
        encode: (values) => (typeof values === "string" ? values : JSON.stringify(values))
      }
    )
  )

/** The parameters whose names begin with a name and a dot, by what follows; what else is given under the name stays. */
export const byPrefix = <Query extends object, Name extends keyof Query & string>(
  query: Query,
  name: Name
): Query[Name] | typeof ByName.Type => {
  const given = Object.entries(query).filter(([key]) => key.startsWith(`${name}.`))
  const values = query[name]
  if (given.length === 0) return values
  return {
    ...(typeof values === "object" ? values : {}),
    ...Object.fromEntries(given.map(([key, value]) => [key.slice(name.length + 1), String(value)]))
  }
}
