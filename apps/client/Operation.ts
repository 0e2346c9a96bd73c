import { OutdialError } from "./OutdialError.ts"
import type { FileInput, RequestOptions } from "./request/Options.ts"
import type { Request, Transport } from "./Transport.ts"

/** An operation as a line of the table of operations says it. */
export interface Operation {
  readonly method: string
  readonly path: string
  readonly has: (flag: string) => boolean
  /** By which property an answer tells what is gone, for one that removes. */
  readonly gone: string | undefined
  /** How many arguments come before query and options. */
  readonly count: number
}

export const parse = (entry: string): Operation => {
  const [method, path, ...flags] = entry.split(" ") as [string, string, ...Array<string>]
  const has = (flag: string) => flags.includes(flag)
  return {
    method,
    path,
    has,
    gone: flags.find((flag) => flag.startsWith("gone:"))?.slice("gone:".length),
    count: path.split("{").length - 1 + (has("body") || has("file") ? 1 : 0)
  }
}

/** What iterates over all pages of an operation: `all` for `list`, `allAttempts` for `attempts`. */
export const allName = (name: string): string =>
  name === "list" ? "all" : `all${name[0]!.toUpperCase()}${name.slice(1)}`

export const streamName = (name: string): string => `${name}Stream`

/** Posts that come to the same when they are acted on twice. */
const harmlessTwice: ReadonlyArray<string> = [
  "/agents/{agent_id}/publish",
  "/agents/{agent_id}/unpublish",
  "/do-not-call",
  "/do-not-call/import"
]

const isRepeatable = ({ method, path }: Operation): boolean =>
  method === "GET" || method === "DELETE" || (method === "POST" && harmlessTwice.includes(path))

const timeoutOf = ({ has }: Operation): number | null => {
  if (has("file") || has("text")) return 600_000
  return has("slow") ? 120_000 : null
}

/** A path with its parameters. One that would make another operation's path of it is refused. */
const pathOf = (path: string, values: ReadonlyArray<unknown>): string => {
  let next = 0
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[next++]
    if (typeof value !== "string" || /^\.{0,2}$/.test(value)) {
      throw new OutdialError({ code: "invalid_request", message: `${name} is not an id` })
    }
    return encodeURIComponent(value)
  })
}

const queryOf = (parameters: unknown): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters ?? {})) {
    if (value === undefined) continue
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      query.append(name, String(value))
    } else for (const [key, each] of Object.entries(value)) query.append(`${name}.${key}`, String(each))
  }
  const text = String(query)
  return text === "" ? "" : `?${text}`
}

const formOf = (file: FileInput): FormData => {
  const data = file instanceof Blob ? file : file.data
  const form = new FormData()
  form.append(
    "file",
    data instanceof Blob ? data : new Blob([data as ArrayBuffer]),
    "name" in file ? String(file.name) : "file"
  )
  return form
}

const bodyOf = ({ count, has }: Operation, args: ReadonlyArray<unknown>): Request["body"] => {
  const payload = args[count - 1]
  if (has("file")) return formOf(payload as FileInput)
  return has("body") ? JSON.stringify(payload) : null
}

/** What has been removed by a try that was lost is not there for the next one. */
const recoverOf = ({ gone }: Operation, args: ReadonlyArray<unknown>): Request["recover"] => {
  if (gone === undefined) return null
  return async (refusal) => {
    if (refusal.status !== 404) throw refusal
    return { [gone]: args[0], deleted: true }
  }
}

/** Sends an operation with its arguments, which come as its type in the contract says. */
export const invoke = async (
  send: Transport,
  operation: Operation,
  args: ReadonlyArray<unknown>,
  over: Partial<Request> = {}
): Promise<unknown> => {
  const { count, has, method, path } = operation
  const [query, options] = has("query") ? args.slice(count) : [undefined, args[count]]
  const request: Request = {
    method,
    path: pathOf(path, args) + queryOf(query),
    body: bodyOf(operation, args),
    isRepeatable: isRepeatable(operation),
    timeoutMs: timeoutOf(operation),
    answer: has("text") ? "text" : "json",
    recover: recoverOf(operation, args),
    ...over
  }
  return send(request, options as RequestOptions | undefined)
}
