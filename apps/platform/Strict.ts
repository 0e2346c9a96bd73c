import { Either, ParseResult, Schema, SchemaAST } from "effect"
import { describe, issuesOf } from "../../core/model/Issues.ts"
import { nearest } from "./Nearest.ts"

/** A function of the embedding program. */
export const Function = Schema.declare(
  (value: unknown): value is (...args: ReadonlyArray<never>) => unknown => typeof value === "function"
).annotations({ message: () => ({ message: "must be a function", override: true }) })

/** The names of an object's properties, where the path into a schema ends. */
const namesAt = (ast: SchemaAST.AST, path: ReadonlyArray<PropertyKey>): ReadonlyArray<string> => {
  const [key, ...rest] = path
  const properties = SchemaAST.getPropertySignatures(
    SchemaAST.isUnion(ast) ? (ast.types.find(SchemaAST.isTypeLiteral) ?? ast) : ast
  )
  if (key === undefined) return properties.map(({ name }) => String(name))
  const property = properties.find(({ name }) => name === key)
  return property === undefined ? [] : namesAt(property.type, rest)
}

/**
 * What is wrong with the options `what` ("" for those of the whole), checked as strictly as types do: the option and
 * the rule, or the name that is probably
 * meant. Undefined when nothing is. What was given is not repeated.
 */
export const complaint = <A>(
  what: string,
  schema: Schema.Schema<A>,
  given: unknown,
  excess: "error" | "ignore" = "error"
): string | undefined => {
  const checked = ParseResult.validateEither(schema, { errors: "all", onExcessProperty: excess })(given)
  if (Either.isRight(checked)) return undefined
  const [issue] = issuesOf(new ParseResult.ParseError({ issue: checked.left }))
  const path = [...(what === "" ? [] : [what]), ...issue!.path]
  if (issue!.message !== "is not permitted") return describe({ path, message: issue!.message })
  const meant = nearest(String(path.at(-1)), namesAt(schema.ast, issue!.path.slice(0, -1)))
  return `there is no option ${path.map(String).join(".")}${meant === undefined ? "" : `; ${meant} is probably meant`}`
}
