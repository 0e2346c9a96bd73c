import { Option, type Schema, SchemaAST } from "effect"

/** Whether a JSON value, as `JSON.parse` answers it, keeps the rules of a schema. */
type Conforms = (json: unknown) => boolean

const defaults: SchemaAST.ParseOptions = {}

const ofLiteral = ({ indexSignatures, propertySignatures }: SchemaAST.TypeLiteral): Conforms | null => {
  const named = new Map<PropertyKey, Conforms>()
  for (const { name, type } of propertySignatures) {
    const conforms = of(type)
    if (conforms === null) return null
    named.set(name, conforms)
  }
  const [others, ...more] = indexSignatures
  const other = others === undefined ? never : of(others.type)
  if (other === null || more.length > 0 || (others && !SchemaAST.isStringKeyword(others.parameter)))
    return null
  if (others !== undefined && named.size > 0) return null
  const required = propertySignatures.filter(({ isOptional }) => !isOptional).map(({ name }) => name)
  return (json) => {
    if (typeof json !== "object" || json === null || Array.isArray(json)) return false
    for (const name of required) if (!Object.hasOwn(json, name)) return false
    for (const name of Object.keys(json)) {
      const conforms = name === "__proto__" ? never : (named.get(name) ?? other)
      if (!conforms((json as Readonly<Record<string, unknown>>)[name])) return false
    }
    return true
  }
}

const ofUnion = ({ types }: SchemaAST.Union): Conforms | null => {
  const each = types.map(of)
  const all = each.filter((conforms) => conforms !== null)
  return all.length === each.length ? (json) => all.some((conforms) => conforms(json)) : null
}

const ofRefinement = (ast: SchemaAST.Refinement): Conforms | null => {
  const from = of(ast.from)
  return from && ((json) => from(json) && Option.isNone(ast.filter(json, defaults, ast)))
}

const never: Conforms = () => false

const of = (ast: SchemaAST.AST): Conforms | null => {
  switch (ast._tag) {
    case "UnknownKeyword":
      return () => true
    case "UndefinedKeyword":
      return never
    case "StringKeyword":
      return (json) => typeof json === "string"
    case "NumberKeyword":
      return (json) => typeof json === "number"
    case "BooleanKeyword":
      return (json) => typeof json === "boolean"
    case "Literal":
      return (json) => json === ast.literal
    case "Union":
      return ofUnion(ast)
    case "Refinement":
      return ofRefinement(ast)
    case "TypeLiteral":
      return ofLiteral(ast)
    default:
      return null
  }
}

/**
 * What tells that a JSON value is valid as it stands: to decode it would answer an equal one, in six times the time. It
 * may say no to a valid value, which is then decoded. Null of a schema that transforms values, or has arrays.
 */
export const conformsTo = <A, I>(schema: Schema.Schema<A, I>): ((json: unknown) => json is A) | null =>
  of(schema.ast) as ((json: unknown) => json is A) | null
