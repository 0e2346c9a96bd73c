/** A statement as PostgreSQL takes it. */
export interface Prepared {
  /** The statement's own: it is prepared under this name once on each connection. */
  readonly name: string
  readonly text: string
}

/** `?` becomes `$1`, `$2` …, but for those inside of literals. */
export const numbered = (sql: string): string => {
  let count = 0
  return sql.replace(/'[^']*'|\?/g, (found) => (found === "?" ? `$${++count}` : found))
}

const prepared = new Map<string, Prepared>()

export const prepare = (sql: string): Prepared => {
  let statement = prepared.get(sql)
  if (statement === undefined) {
    statement = { name: `outdial_${prepared.size}`, text: numbered(sql) }
    prepared.set(sql, statement)
  }
  return statement
}
