import { allName, streamName } from "../Operation.ts"
import { errorCodes, type Group, groups, type Operation, schemas } from "./Contract.ts"
import {
  declarationOf,
  docOf,
  type JsonSchema,
  membersOf,
  nameOf,
  refsOf,
  typeOf,
  wrapped
} from "./Typescript.ts"

const notice = "// Written by apps/client/generator/main.ts from adapters/http/contract.\n\n"

const capital = (name: string): string => name[0]!.toUpperCase() + name.slice(1)

/** The interface of a group's methods: named like the group, unless a record has that name. */
const typeName = ({ name }: Group): string =>
  schemas[capital(name)] === undefined ? capital(name) : `${capital(name)}Operations`

const queryName = ({ id }: Operation): string => `${capital(id)}Query`

/** What the client adds to what the interface says of itself. */
const notes: Readonly<Record<string, string>> = {
  placeCall:
    "A body without `idempotency_key` is given one by the client, so that it may be sent again without dialling " +
    "twice. When a try was lost and a later one answers that the key is taken, the call that has it is read and " +
    "returned."
}

/** Statuses that any operation may answer, and of which there is nothing more to say. */
const common = ["401", "403", "413", "415", "500"]

const documentationOf = (operation: Operation): string =>
  docOf([
    ...operation.words.flatMap((line) => wrapped(line)),
    ...(notes[operation.id] === undefined ? [] : ["", ...wrapped(notes[operation.id]!)]),
    "",
    `Source: \`${operation.method} ${operation.path}\`.`,
    "",
    ...operation.errors
      .filter(([status]) => !common.includes(status))
      .flatMap(([status, condition]) => wrapped(`@throws {OutdialError} ${status}: ${condition}`))
  ])

const parametersOf = (operation: Operation, more: string): string =>
  [
    ...operation.pathParameters.map((name) => `${name}: string`),
    ...(operation.payload === "file" ? ["file: FileInput"] : []),
    ...(operation.payload !== null && operation.payload !== "file"
      ? [`body: ${typeOf(operation.payload)}`]
      : []),
    ...(operation.query === null ? [] : [`query?: ${more}`]),
    "options?: RequestOptions"
  ].join(", ")

const methodsOf = (operation: Operation): string => {
  const { answer, name, record } = operation
  const result = answer === "text" ? "string" : typeOf(answer)
  const query = queryName(operation)
  const method = `${documentationOf(operation)}readonly ${name}: (${parametersOf(operation, query)}) => Promise<${result}>\n`
  if (record !== null) {
    const doc = docOf(
      wrapped(
        `Every record of \`${name}\`, page by page of \`limit\`, which is 100 by default. Each comes once, also when ` +
          "records are added or removed meanwhile."
      )
    )
    return `${method}${doc}readonly ${allName(name)}: (${parametersOf(operation, `Omit<${query}, "offset" | "after" | "before">`)}) => AsyncIterable<${typeOf(record)}>\n`
  }
  if (answer !== "text") return method
  const doc = docOf([`\`${name}\` as it arrives, in bytes; its deadline ends with the answer's head.`])
  return `${method}${doc}readonly ${streamName(name)}: (${parametersOf(operation, query)}) => Promise<NonNullable<Response["body"]>>\n`
}

const payloadsOf = ({ answer, payload, query }: Operation): ReadonlyArray<JsonSchema> =>
  [answer, payload, query].filter((schema) => typeof schema === "object" && schema !== null)

/** The schemas that one speaks of, directly or not, in the order in which they are met. */
const closure = (roots: ReadonlyArray<string>): ReadonlyArray<string> => {
  const met = new Set<string>()
  const visit = (name: string) => {
    if (met.has(name)) return
    met.add(name)
    for (const ref of refsOf(schemas[name] ?? {})) visit(ref)
  }
  for (const root of roots) visit(root)
  return [...met]
}

const needs = new Map(
  groups.map((group) => [
    group.name,
    closure(group.operations.flatMap((operation) => payloadsOf(operation).flatMap(refsOf)))
  ])
)

/** What several groups speak of, and what webhook events and errors are made of. */
const shared = closure([
  ...[...needs.values()].flat().filter((name, _, all) => all.filter((other) => other === name).length > 1),
  "Timestamp",
  "ValidationError"
]).toSorted()

const importsOf = (from: string, text: string, names: ReadonlyArray<string>): string => {
  const code = text.replaceAll(/\/\*[^]*?\*\//g, "")
  const used = names.filter((name) => new RegExp(`\\b${name}\\b`).test(code)).toSorted()
  return used.length === 0 ? "" : `import type { ${used.join(", ")} } from "${from}"\n`
}

const moduleOf = (group: Group): string => {
  const own = needs.get(group.name)!.filter((name) => !shared.includes(name))
  const queries = group.operations.flatMap((operation) =>
    operation.query === null
      ? []
      : [`export interface ${queryName(operation)} {\n${membersOf(operation.query)}}\n`]
  )
  const methods = `export interface ${typeName(group)} {\n${group.operations.map(methodsOf).join("\n")}}\n`
  const text = [...own.map((name) => declarationOf(name, schemas[name]!)), ...queries, methods].join("\n")
  return (
    notice +
    importsOf("../request/Options.ts", text, ["FileInput", "RequestOptions"]) +
    importsOf("./Shared.ts", text, shared) +
    `\n${text}`
  )
}

const moment = { type: "string", format: "date-time", description: "A moment: ISO 8601 in UTC" }

const sharedModule = (): string =>
  notice +
  shared.map((name) => declarationOf(name, name === "Timestamp" ? moment : schemas[name]!)).join("\n") +
  `\n/** The codes of error bodies. */\nexport type ErrorCode = ${errorCodes.map((code) => JSON.stringify(code)).join(" | ")}\n`

/** What is gone is told by its id, or by its number: `{ id, deleted: true }`. */
const removedOf = ({ answer, method }: Operation): string => {
  if (method !== "DELETE" || answer === "text" || answer.$ref === undefined) return ""
  const names = Object.keys(schemas[nameOf(answer.$ref)]!.properties ?? {})
  return names.includes("deleted") ? ` gone:${names.find((name) => name !== "deleted")}` : ""
}

const entryOf = (operation: Operation): string => {
  const { answer, isSlow, method, name, path, payload, query, record } = operation
  const flags = [
    ...(payload === "file" ? [" file"] : payload === null ? [] : [" body"]),
    ...(query === null ? [] : [" query"]),
    ...(record === null ? [] : [" page"]),
    ...(answer === "text" ? [" text"] : []),
    ...(isSlow ? [" slow"] : []),
    removedOf(operation)
  ]
  return `${name}: "${method} ${path}${flags.join("")}"`
}

const operationsModule = (): string => {
  const imports = groups
    .toSorted((left, right) => (left.name < right.name ? -1 : 1))
    .map((group) => `import type { ${typeName(group)} } from "./${capital(group.name)}.ts"\n`)
    .join("")
  const members = groups.map((group) => `readonly ${group.name}: ${typeName(group)}\n`).join("")
  const entries = groups.map(
    ({ name, operations }) => `${name}: {\n${operations.map(entryOf).join(",\n")}\n}`
  )
  const doc = docOf([
    "Method, path, and what goes with them: a JSON body, a file or a query; an answer that is a page or text,",
    "that is slow to come, or that tells by which property what is gone."
  ])
  return (
    `${notice}${imports}\n/** The operations of the interface, by group. */\nexport interface Operations {\n${members}}\n\n` +
    `${doc}export const operations = {\n${entries.join(",\n")}\n} as const\n`
  )
}

const indexModule = (): string => {
  const files = [...groups.map(({ name }) => capital(name)), "Shared"].toSorted()
  return notice + files.map((file) => `export type * from "./${file}.ts"\n`).join("")
}

/** The text of every module of `apps/client/contract`, by its file's name; not formatted yet. */
export const modules = (): ReadonlyMap<string, string> =>
  new Map([
    ...groups.map((group) => [`${capital(group.name)}.ts`, moduleOf(group)] as const),
    ["Operations.ts", operationsModule()],
    ["Shared.ts", sharedModule()],
    ["Types.ts", indexModule()]
  ])
