import { Cause, ConfigError } from "effect"
import { WorkspaceNotFound } from "../../core/model/workspaces/WorkspaceErrors.ts"
import { StoreUnavailable } from "../../core/ports/Repository.ts"

/** What Effect says of a value that it cannot read, in the words of the pages. */
const plain: Readonly<Record<string, string>> = {
  "must be a boolean value": "must be true or false",
  "must be a duration": "must be a duration, such as 30 seconds"
}

const configIssues = (error: ConfigError.ConfigError): ReadonlyArray<string> => {
  switch (error._op) {
    case "And":
    case "Or":
      return [...configIssues(error.left), ...configIssues(error.right)]
    case "MissingData":
      return [`${error.path.join("_")} is not set`]
    default: {
      // What was received is left out: it may be a secret.
      const reason = error.message.replace(/^Expected/, "must be").replace(/,? but received[\s\S]*$/, "")
      return [`${error.path.join("_")} ${plain[reason] ?? reason}`.trimStart()]
    }
  }
}

/** One sentence for each setting that is wrong; each begins with its name. */
export const settingsIssues = (error: ConfigError.ConfigError): ReadonlyArray<string> => {
  const byName = new Map<string, string>()
  for (const issue of configIssues(error)) {
    const name = issue.split(" ", 1)[0]!
    if (!byName.has(name)) byName.set(name, issue)
  }
  return [...byName.values()]
}

const rootOf = (error: unknown): unknown => {
  let root = error
  for (let depth = 0; depth < 8; depth++) {
    const cause = (root as { readonly cause?: unknown } | null | undefined)?.cause
    if (cause === undefined || cause === null) break
    root = cause
  }
  return root
}

const storeAdvice: ReadonlyArray<readonly [RegExp, string]> = [
  [
    /^(ERR_DLOPEN_FAILED|NO_BINDING)$/,
    "better-sqlite3 is not built for this Node; npm rebuild better-sqlite3"
  ],
  [/^SQLITE_BUSY/, "another process has held it for too long; try again"],
  [/^SQLITE_READONLY/, "it cannot be written"],
  [/^SQLITE_FULL/, "the disk is full"],
  [/^SQLITE_NOTADB/, "the file is not an Outdial database"],
  [/^SQLITE_CORRUPT/, "the file is damaged; restore a backup"],
  [/^SQLITE_CANTOPEN/, "its file cannot be opened"],
  [/^(ECONNREFUSED|ENOENT|EACCES)$/, "no PostgreSQL server listens there"],
  [/^(ENOTFOUND|EAI_AGAIN)$/, "its host is not known"],
  [/^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ECONNRESET|EPIPE)$/, "its server does not answer"],
  [/^28/, "its server refuses the user or the password"],
  [/^3D000$/, "its server has no database of that name"],
  [/^42501$/, "its user may not do that; make it the owner of the database"],
  [/CERT|VERIFY/, "its server's certificate is not trusted; name who signed it: ?sslrootcert=<file>"],
  [/^53100$/, "the server's disk is full"],
  [/^53300$/, "its server has no connection left; see OUTDIAL_DATABASE_CONNECTIONS"],
  [/^(25006|57P0\d)$/, "its server is read-only, starting or stopping; try again"]
]

/** What went wrong, in a word; the loader of native modules has none, but tells where it has looked. */
const codeOf = (root: object): unknown =>
  "code" in root ? root.code : "tries" in root ? "NO_BINDING" : undefined

export const storeReason = (error: StoreUnavailable): string => {
  const root = rootOf(error) as { readonly message?: unknown } | undefined
  const code = String(codeOf(root ?? {}))
  const advice = storeAdvice.find(([pattern]) => pattern.test(code))?.[1]
  return advice === undefined ? String(root?.message ?? "no reason given") : `${advice} (${code})`
}

const passing =
  /^(ECONNREFUSED|ENOENT|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ECONNRESET|EPIPE|53300|25006|57P0\d)$/
/** What the driver says of a connection that was lost, or of an answer that did not come. */
const lost = /timeout|terminated|not queryable/i

/** Whether the store may be usable again in a moment: its server is away, starting, or slow. */
export const isPassing = (error: StoreUnavailable): boolean => {
  const root = (rootOf(error) ?? {}) as { readonly message?: unknown }
  return passing.test(String(codeOf(root))) || lost.test(String(root.message))
}

/** One line that says what went wrong, for an error that was to be expected; undefined for any other. */
export const sentence = (error: unknown): string | undefined => {
  if (ConfigError.isConfigError(error)) return settingsIssues(error).join("; ")
  if (error instanceof StoreUnavailable) return `the database cannot be used: ${storeReason(error)}`
  if (error instanceof WorkspaceNotFound) return `no such workspace: ${error.workspace_id}`
  const { _tag, message } = (error ?? {}) as { readonly _tag?: unknown; readonly message?: unknown }
  return typeof _tag === "string" && typeof message === "string" && message !== "" ? message : undefined
}

/** One line for what ended a program; an unexpected error is shown with where it came from. */
export const explain = (cause: Cause.Cause<unknown>): string => {
  const error = Cause.squash(cause)
  const { _tag, cause: root } = (error ?? {}) as { readonly _tag?: string; readonly cause?: unknown }
  if (_tag === "ServeError")
    return `it cannot listen: ${String((root as Error | undefined)?.message ?? root)}`
  return sentence(error) ?? Cause.pretty(cause)
}
