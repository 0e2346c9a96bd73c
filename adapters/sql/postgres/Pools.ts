import { Effect } from "effect"
import { closing, ending } from "./Closing.ts"
import type { ClientConfig, Driver, PoolConfig } from "./Driver.ts"
import { type Fault, faultOf, unavailable } from "./Faults.ts"
import { beat, heardOf, silence } from "./Liveness.ts"
import { lockLayout } from "./Locks.ts"
import { types } from "./Values.ts"

/** Times in milliseconds. */
export interface Settings {
  readonly url: string
  readonly connections: number
  readonly connectTimeout: number
  readonly statementTimeout: number
  readonly lockTimeout: number
}

/** How much longer than the server allows itself an answer may take before the connection counts as lost. */
const grace = 2_000
/**
 * How long one process waits for another that lays out the database: so often for so many milliseconds. One statement
 * that waits all the time would keep the other from making indexes, which waits for all statements under way.
 */
const layoutTries = 1_500
const layoutTry = 200
/** How many of these waits go by before the log says so again. */
const layoutReport = 50

const lockNotAvailable = "55P03"
const idleTimeout = 60_000
/** The oldest version that still gets fixes. */
const oldestVersion = 14

export const clientConfig = ({ connectTimeout, url }: Settings, answerTimeout: number): ClientConfig => ({
  connectionString: url,
  application_name: "outdial",
  connectionTimeoutMillis: connectTimeout,
  query_timeout: answerTimeout,
  keepAlive: true,
  types
})

interface Shown {
  /** 150008 is 15.8 */
  readonly version: number
  readonly encoding: string
}

/** An error that the server has sent. */
interface Answered {
  readonly code?: unknown
}

const shown = `select current_setting('server_version_num')::int as version,
  current_setting('server_encoding') as encoding`

/** Why a server cannot be used. */
export const objection = ({ encoding, version }: Shown): string | undefined => {
  const major = Math.floor(version / 10_000)
  if (major < oldestVersion) return `it is PostgreSQL ${major}, and has to be ${oldestVersion} or later`
  return encoding === "UTF8" ? undefined : `it is encoded in ${encoding}, and has to be in UTF8`
}

const wait = <A>(promise: () => Promise<A>) =>
  Effect.tryPromise({ try: promise, catch: (error) => faultOf(error).defect })

/**
 * Takes the lock of the layout until the scope ends; one process at a time has it. Fails at once with a server that
 * cannot be used. `lost` tells the server now and then that this process still runs, without which the server would
 * give the lock to another process, and fails once that may have happened.
 */
export const layoutLock = Effect.fnUntraced(function* (driver: Driver, settings: Settings) {
  const client = yield* Effect.acquireRelease(
    Effect.try({
      // The driver's own message would repeat the URL.
      try: () => driver.client(clientConfig(settings, settings.connectTimeout)),
      catch: () => unavailable("its URL cannot be read")
    }),
    (opened) =>
      ending(
        () => opened.end(),
        () => void opened.connection.stream.destroy()
      )
  )
  client.on("error", () => undefined)
  yield* wait(() => client.connect())
  const { rows } = yield* wait(() => client.query(shown))
  const refusal = objection(rows[0] as Shown)
  if (refusal !== undefined) return yield* unavailable(refusal)
  yield* wait(() =>
    client.query(`set lock_timeout = ${layoutTry}; set idle_session_timeout = ${silence}; ${heardOf}`)
  )
  const taken = Effect.tryPromise({
    try: () => client.query(lockLayout),
    catch: (error) => error as Answered
  }).pipe(
    Effect.as(true),
    Effect.catchAll((error) =>
      error.code === lockNotAvailable ? Effect.succeed(false) : Effect.fail(faultOf(error).defect)
    )
  )
  for (let tried = 1; !(yield* taken); tried++) {
    if (tried === layoutTries) {
      const minutes = (layoutTries * layoutTry) / 60_000
      return yield* unavailable(`another process has been laying it out for ${minutes} minutes`)
    }
    if (tried % layoutReport === 0)
      yield* Effect.logInfo("Waiting for another process, which lays out the database")
  }
  const alive = wait(() => client.query("select 1"))
  const lost: Effect.Effect<never, Fault["defect"]> = Effect.forever(Effect.delay(alive, beat))
  return { lost }
})

const makePool = (
  driver: Driver,
  settings: Settings,
  max: number,
  pipeline: boolean,
  setup: ReadonlyArray<string>
) =>
  closing(() => {
    const limit = `set statement_timeout = ${settings.statementTimeout}`
    const config: PoolConfig = {
      ...clientConfig(settings, settings.statementTimeout + grace),
      max,
      pipeline,
      idleTimeoutMillis: idleTimeout,
      onConnect: (client) => client.query([limit, heardOf, ...setup].join("; "))
    }
    return driver.pool(config)
  })

/**
 * The connections: those that read what is committed; those that run units, which do not wait for the disk; and
 * one that does, for all units that are committed meanwhile.
 */
export const makePools = Effect.fnUntraced(function* (driver: Driver, settings: Settings) {
  const readers = Math.max(1, Math.floor(settings.connections / 3))
  const writers = Math.max(1, settings.connections - readers - 1)
  return {
    readers,
    writers,
    reading: yield* makePool(driver, settings, readers, false, [
      "set default_transaction_read_only = on",
      // The server starts processes for what it takes for many rows: parts of a list, which are counted in a millisecond.
      "set max_parallel_workers_per_gather = 0"
    ]),
    writing: yield* makePool(driver, settings, writers, true, [
      `set lock_timeout = ${settings.lockTimeout}`,
      `set idle_in_transaction_session_timeout = ${Math.min(3_000, settings.statementTimeout)}`,
      "set synchronous_commit = off"
    ]),
    flushing: yield* makePool(driver, settings, 1, false, [
      "select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') = 'off'"
    ])
  }
})
