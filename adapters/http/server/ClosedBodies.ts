import { Option, type Schema, SchemaAST } from "effect"
import { Api } from "../contract/Api.ts"

type Spec = Record<string, any> // oxlint-disable-line typescript/no-explicit-any

const prefix = "#/components/schemas/"

/** Whether a schema refuses properties that it does not name; as the schema around it, when it does not say. */
const isClosed = (ast: SchemaAST.AST, around: boolean): boolean => {
  const options = Option.getOrUndefined(
    SchemaAST.getAnnotation<SchemaAST.ParseOptions>(SchemaAST.ParseOptionsAnnotationId)(ast)
  )
  return options?.onExcessProperty === undefined ? around : options.onExcessProperty === "error"
}

const isAbsence = ({ _tag }: SchemaAST.AST): boolean => _tag === "UndefinedKeyword"

/** Says `additionalProperties: false` in the JSON Schema of each object whose other properties are refused. */
const close = (ast: SchemaAST.AST, node: Spec | undefined, schemas: Spec, around: boolean): void => {
  if (node === undefined) return
  const place: Spec = node["$ref"] === undefined ? node : schemas[node["$ref"].slice(prefix.length)]
  const closed = isClosed(ast, around)
  switch (ast._tag) {
    case "TypeLiteral":
      if (closed && ast.indexSignatures.length === 0) place["additionalProperties"] = false
      for (const { name, type } of ast.propertySignatures)
        close(type, place["properties"]?.[name], schemas, closed)
      return
    case "TupleType":
      for (const { type } of ast.rest) close(type, place["items"], schemas, closed)
      return
    case "Refinement":
    case "Transformation":
      return close(ast.from, place, schemas, closed)
    case "Union": {
      const members = ast.types.filter((type) => !isAbsence(type))
      members.forEach((type, i) =>
        close(type, members.length === 1 ? place : place["anyOf"]?.[i], schemas, closed)
      )
    }
  }
}

/** Marks the request bodies of a document, by what the contract's schemas refuse. */
export const closeBodies = (spec: Spec): void => {
  for (const group of Object.values(Api.groups)) {
    for (const { method, path, payloadSchema } of Object.values(group.endpoints)) {
      const operation: Spec = spec["paths"][path.replaceAll(/:([a-z_]+)/g, "{$1}")][method.toLowerCase()]
      const body: Spec | undefined = operation["requestBody"]?.content["application/json"]
      if (Option.isSome(payloadSchema)) {
        close(
          (payloadSchema.value as Schema.Schema.All).ast,
          body?.["schema"],
          spec["components"].schemas,
          false
        )
      }
    }
  }
}
