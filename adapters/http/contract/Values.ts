import { ParseResult, Schema } from "effect"

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

const ByName = Schema.Record({ key: Schema.String, value: Schema.String })

/**
 * Values by key. Over REST each is a parameter of its own, `name.key=value`, which `byPrefix` reads; the library gives
 * them as JSON.
 */
export const Values = (name: string, description: string) =>
  Schema.optional(
    Schema.transformOrFail(
      Schema.String.annotations({
        jsonSchema: { type: "object", additionalProperties: { type: "string" }, description }
      }),
      ByName,
      {
        strict: true,
        decode: (sent, _, ast) =>
          ParseResult.try({
            try: () => JSON.parse(sent) as typeof ByName.Type,
            catch: () => new ParseResult.Type(ast, sent, `${name} must be given as ${name}.key=value`)
          }),
        encode: (values) => ParseResult.succeed(JSON.stringify(values))
      }
    )
  )

/** The parameters whose names begin with a name and a dot, by what follows; what else is given under the name stays. */
export const byPrefix = (
  query: Readonly<Record<string, unknown>>,
  name: string
): typeof ByName.Type | undefined => {
  const given = Object.entries(query).filter(([key]) => key.startsWith(`${name}.`))
  const values = query[name] as typeof ByName.Type | undefined
  if (given.length === 0) return values
  return {
    ...values,
    ...Object.fromEntries(given.map(([key, value]) => [key.slice(name.length + 1), String(value)]))
  }
}
