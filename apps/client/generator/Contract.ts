import { Api } from "../../../adapters/http/contract/Api.ts"
import { openApi } from "../../../adapters/http/server/Docs.ts"
import type { JsonSchema } from "./Typescript.ts"

type Content = Readonly<Record<string, { readonly schema: JsonSchema }>>

/** An operation of the OpenAPI document, as far as a client needs it. */
interface Described {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly parameters: ReadonlyArray<{
    readonly name: string
    readonly in: string
    readonly required: boolean
    readonly schema: JsonSchema
  }>
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>
}

export interface Operation {
  /** How the client calls it: `import` of `recipients.import`. */
  readonly name: string
  readonly id: string
  readonly method: string
  /** With its parameters as `{call_id}`. */
  readonly path: string
  readonly words: ReadonlyArray<string>
  /** When it answers which status but 200, in words. */
  readonly errors: ReadonlyArray<readonly [status: string, condition: string]>
  readonly pathParameters: ReadonlyArray<string>
  readonly query: JsonSchema | null
  /** `file`: a form with one. */
  readonly payload: JsonSchema | "file" | null
  /** `text`: no JSON. */
  readonly answer: JsonSchema | "text"
  /** The records of a page, for an operation that answers pages. */
  readonly record: JsonSchema | null
  /** It waits for another service. */
  readonly isSlow: boolean
}

export interface Group {
  /** `doNotCall` */
  readonly name: string
  readonly operations: ReadonlyArray<Operation>
}

const spec = openApi("") as unknown as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> }
}

export const schemas = spec.components.schemas

const deref = (schema: JsonSchema): JsonSchema =>
  schema.$ref === undefined ? schema : schemas[schema.$ref.split("/").at(-1)!]!

const queryOf = ({ parameters }: Described): JsonSchema | null => {
  const asked = parameters.filter((parameter) => parameter.in === "query")
  if (asked.length === 0) return null
  return {
    type: "object",
    properties: Object.fromEntries(asked.map(({ name, schema }) => [name, schema])),
    required: asked.filter(({ required }) => required).map(({ name }) => name)
  }
}

const payloadOf = ({ requestBody }: Described): Operation["payload"] => {
  if (requestBody === undefined) return null
  return requestBody.content["application/json"]?.schema ?? "file"
}

const recordOf = (answer: Operation["answer"]): JsonSchema | null => {
  const properties = answer === "text" ? undefined : deref(answer).properties
  return properties?.["pagination"] === undefined ? null : (properties["data"]?.items ?? null)
}

const operationOf = (name: string, method: string, path: string): Operation => {
  const described = spec.paths[path]![method.toLowerCase()]!
  const answer = described.responses["200"]?.content?.["application/json"]?.schema ?? "text"
  return {
    name,
    id: described.operationId,
    method,
    path,
    words: [`${described.summary}.`, ...described.description.split("\n")],
    errors: Object.entries(described.responses)
      .filter(([status]) => status !== "200")
      .map(([status, { description }]) => [status, description] as const),
    pathParameters: described.parameters
      .filter((parameter) => parameter.in === "path")
      .map((parameter) => parameter.name),
    query: queryOf(described),
    payload: payloadOf(described),
    answer,
    record: recordOf(answer),
    isSlow: described.responses["504"] !== undefined
  }
}

const camelCase = (name: string): string =>
  name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** Every operation of the interface, by the groups of its contract. */
export const groups: ReadonlyArray<Group> = Object.values(Api.groups).map((group) => ({
  name: camelCase(group.identifier),
  operations: Object.values(group.endpoints).map((endpoint) =>
    operationOf(endpoint.name, endpoint.method, endpoint.path.replaceAll(/:([a-z_]+)/g, "{$1}"))
  )
}))

/** The codes that error bodies have. */
export const errorCodes: ReadonlyArray<string> = [
  ...new Set(
    Object.values(schemas).flatMap(
      ({ properties }) => (properties?.["error"]?.properties?.["code"]?.enum as Array<string>) ?? []
    )
  )
].sort()
