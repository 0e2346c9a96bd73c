/** A statement as PostgreSQL takes it, with what its text tells. */
export interface Prepared {
  /** The statement's own: it is prepared under this name once on each connection. */
  readonly name: string
  readonly text: string
  /** Which of the parameters is the workspace, or -1 for none. */
  readonly owner: number
  /** It is about what is several workspaces', or none's. */
  readonly shared: boolean
}

/** `?` becomes `$1`, `$2` …, but for those inside of literals. */
export const numbered = (sql: string): string => {
  let count = 0
  return sql.replace(/'[^']*'|\?/g, (found) => (found === "?" ? `$${++count}` : found))
}

const insertion = /^insert into (\w+) \(([^)]*)\) (?:values \(|select )\?/
const byOwner = /\bcustomer_id = \?/
const byWorkspace = /\b(?:from workspaces|^update workspaces set .*) where id = \?/

/** The workspace's place among the parameters, which is the same for the rows that are sought and for those added. */
const ownerOf = (sql: string): number => {
  const inserted = insertion.exec(sql)
  if (inserted !== null) {
    return inserted[2]!.split(", ").indexOf(inserted[1] === "workspaces" ? "id" : "customer_id")
  }
  const found = byOwner.exec(sql) ?? byWorkspace.exec(sql)
  if (found === null) return -1
  return sql.slice(0, found.index + found[0].length).split("?").length - 2
}

/** A list is one workspace's, whose lock the unit has since it looked the list up. */
const byList = /^insert into recipients \(list,|\bwhere list = \?/
/** What is written is counted from what all workspaces have. */
const counted = /^insert .* select \?/

const prepared = new Map<string, Prepared>()

export const prepare = (sql: string): Prepared => {
  let statement = prepared.get(sql)
  if (statement === undefined) {
    const owner = ownerOf(sql)
    statement = {
      name: `outdial_${prepared.size}`,
      text: numbered(sql),
      owner,
      shared: owner < 0 ? !byList.test(sql) : counted.test(sql)
    }
    prepared.set(sql, statement)
  }
  return statement
}

/** The statements so far that are not one workspace's alone. */
export const sharedTexts = (): ReadonlyArray<string> =>
  [...prepared].flatMap(([sql, statement]) => (statement.shared ? [sql] : []))
