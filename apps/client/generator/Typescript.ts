/** A JSON schema as the OpenAPI document has it. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string
  readonly enum?: ReadonlyArray<unknown>
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly oneOf?: ReadonlyArray<JsonSchema>
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly additionalProperties?: boolean | JsonSchema
  readonly required?: ReadonlyArray<string>
  readonly description?: string
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly format?: string
}

export const nameOf = (ref: string): string => ref.split("/").at(-1)!

/** A comment above what it is about; nothing when there is nothing to say. */
export const docOf = (lines: ReadonlyArray<string>): string => {
  const safe = lines.map((line) => line.replaceAll("*/", "*\\/"))
  if (safe.length === 0) return ""
  return safe.length === 1 && safe[0]!.length < 100
    ? `/** ${safe[0]} */\n`
    : `/**\n${safe.map((line) => (line === "" ? " *\n" : ` * ${line}\n`)).join("")} */\n`
}

/** Text in lines of a width that a comment may have. */
export const wrapped = (text: string, width = 100): ReadonlyArray<string> =>
  text.split("\n").flatMap((paragraph) => {
    const lines: Array<string> = []
    let line = ""
    for (const word of paragraph.split(" ")) {
      if (line !== "" && line.length + word.length >= width) {
        lines.push(line)
        line = word
      } else line = line === "" ? word : `${line} ${word}`
    }
    return [...lines, line]
  })

const rulesOf = ({ default: fallback, maximum, minimum }: JsonSchema): ReadonlyArray<string> => [
  ...(minimum !== undefined && maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER
    ? [`${minimum} to ${maximum}`]
    : []),
  ...(fallback === undefined ? [] : [`Default ${JSON.stringify(fallback)}`])
]

const withStop = (sentence: string): string => (/[.!?]$/.test(sentence) ? sentence : `${sentence}.`)

const propertyDoc = (schema: JsonSchema): string => {
  const { description } = schema
  const rules = rulesOf(schema).filter((rule) => description?.includes(rule) !== true)
  const sentences = [...(description === undefined ? [] : [description]), ...rules]
  return docOf(sentences.length === 0 ? [] : wrapped(sentences.map(withStop).join(" ")))
}

/** The properties of an object as members of a type. */
export const membersOf = ({ properties = {}, required = [] }: JsonSchema): string =>
  Object.entries(properties)
    .map(([name, schema]) => {
      const optional = !required.includes(name)
      const type = typeOf(schema)
      return `${propertyDoc(schema)}readonly ${name}${optional ? "?" : ""}: ${type}${optional ? " | undefined" : ""}\n`
    })
    .join("")

const objectOf = (schema: JsonSchema): string => {
  const others = schema.additionalProperties
  if (Object.keys(schema.properties ?? {}).length > 0) return `{\n${membersOf(schema)}}`
  return `Readonly<Record<string, ${typeof others === "object" ? typeOf(others) : "unknown"}>>`
}

const scalars: Readonly<Record<string, string>> = {
  string: "string",
  integer: "number",
  number: "number",
  boolean: "boolean",
  null: "null"
}

/** A schema as a type: what is on the wire, so that moments are ISO 8601 text. */
export const typeOf = (schema: JsonSchema): string => {
  if (schema.$ref !== undefined) return nameOf(schema.$ref)
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ")
  const union = schema.anyOf ?? schema.oneOf
  if (union !== undefined) return union.map(typeOf).join(" | ")
  if (schema.type === "array") return `ReadonlyArray<${typeOf(schema.items ?? {})}>`
  if (schema.type === "object") return objectOf(schema)
  if (schema.format === "date-time") return "Timestamp"
  return schema.type === undefined ? "unknown" : scalars[schema.type]!
}

/** The names of the schemas that a schema speaks of. */
export const refsOf = (schema: JsonSchema): ReadonlyArray<string> => {
  if (schema.$ref !== undefined) return [nameOf(schema.$ref)]
  const { additionalProperties: others } = schema
  const inner = [
    ...(schema.anyOf ?? schema.oneOf ?? []),
    ...(schema.items === undefined ? [] : [schema.items]),
    ...(typeof others === "object" ? [others] : []),
    ...Object.values(schema.properties ?? {})
  ]
  return [...inner.flatMap(refsOf), ...(schema.format === "date-time" ? ["Timestamp"] : [])]
}

/** A named schema as a declaration. */
export const declarationOf = (name: string, schema: JsonSchema): string => {
  const doc = docOf(schema.description === undefined ? [] : wrapped(withStop(schema.description)))
  return schema.properties !== undefined && Object.keys(schema.properties).length > 0
    ? `${doc}export interface ${name} {\n${membersOf(schema)}}\n`
    : `${doc}export type ${name} = ${schema.format === "date-time" ? "string" : typeOf(schema)}\n`
}
