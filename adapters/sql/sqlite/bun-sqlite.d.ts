/** What is used of Bun's own SQLite, whose types come with Bun alone. */
declare module "bun:sqlite" {
  type Value = string | number | null

  export class Statement {
    readonly columnNames: ReadonlyArray<string>
    all(...params: ReadonlyArray<Value>): ReadonlyArray<unknown>
    values(...params: ReadonlyArray<Value>): ReadonlyArray<ReadonlyArray<unknown>>
    run(...params: ReadonlyArray<Value>): { readonly changes: number }
  }

  export interface Options {
    readonly readonly?: boolean
    readonly readwrite?: boolean
    readonly create?: boolean
  }

  export class Database {
    constructor(filename: string, options?: Options)
    prepare(sql: string): Statement
    run(sql: string): unknown
    close(): void
  }
}
