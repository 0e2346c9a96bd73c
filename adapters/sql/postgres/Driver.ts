import type { Writable } from "node:stream"

/** The part of the driver that is used. `Postgres.ts` alone imports the driver itself. */
export interface Driver {
  /** Throws where the URL cannot be read. */
  readonly client: (config: ClientConfig) => Client
  readonly pool: (config: PoolConfig) => Pool
}

export interface Query {
  readonly text: string
  /** It is prepared under this name once on each connection. */
  readonly name: string
  readonly values: Array<string | number | null>
}

export interface Result {
  readonly command: string
  readonly rowCount: number | null
  readonly rows: ReadonlyArray<unknown>
}

export type Answered = (error: Error | null | undefined, result: Result) => void

/** Times in milliseconds. */
export interface ClientConfig {
  readonly connectionString: string
  readonly application_name: string
  readonly connectionTimeoutMillis: number
  readonly query_timeout: number
  readonly keepAlive: boolean
  readonly types: { readonly getTypeParser: (oid: number) => (value: string) => unknown }
}

export interface Client {
  readonly connection: { readonly stream: Writable }
  connect(): Promise<unknown>
  query(query: string | { readonly text: string; readonly query_timeout: number }): Promise<Result>
  end(): Promise<void>
  on(event: "error", lost: (error: Error) => void): unknown
}

/** A connection of a pool, lent to a caller. */
export interface PoolClient {
  readonly connection: { readonly stream: Writable }
  query(query: Query | string, answered: Answered): void
  on(event: "error", lost: (error: Error) => void): unknown
  off(event: "error", lost: (error: Error) => void): unknown
  /** Gives it back; a broken one is closed. */
  release(broken?: boolean): void
}

export interface PoolConfig extends ClientConfig {
  readonly max: number
  readonly idleTimeoutMillis: number
  /** Sends a query without waiting for the answer to the one before. */
  readonly pipeline: boolean
  /** Runs on a new connection before its first use. */
  readonly onConnect: (client: Pick<Client, "query">) => Promise<unknown>
}

export interface Pool {
  connect(connected: (error: Error | undefined, client: PoolClient | undefined) => void): void
  query(query: Query | string, answered: Answered): void
  end(): Promise<void>
  on(event: "error", lost: (error: Error) => void): unknown
  /** A connection was opened; a connection was closed. */
  on(event: "connect" | "remove", changed: (client: PoolClient) => void): unknown
}
