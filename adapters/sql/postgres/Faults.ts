import { Data } from "effect"
import { StoreUnavailable } from "../../../core/ports/Repository.ts"

/** The store refused what it was given: a value, or a row that breaks a rule of its table. */
export class StatementRefused extends Data.TaggedError("StatementRefused")<{
  readonly code: string
  readonly constraint: string | undefined
}> {
  override readonly message = `the store refused a statement (${[this.code, this.constraint].filter(Boolean).join(", ")})`
}

/**
 * Why a connection or a statement failed, without the values that the driver's own error repeats. `code` is the
 * server's SQLSTATE or the system's name for it, such as ECONNREFUSED.
 */
class Failure extends Data.TaggedError("PostgresFailure")<{
  readonly code?: string
  readonly message: string
}> {}

export interface Fault {
  readonly defect: StatementRefused | StoreUnavailable
  /** Nothing happened, and the same may succeed when it is tried again. */
  readonly again: boolean
  /** The connection is gone, or of no use. */
  readonly lost: boolean
}

/** Classes of SQLSTATE in which the caller is at fault: data exceptions, broken constraints, limits of size. */
const callers = ["22", "23", "54"]
/** Not serialisable, deadlock. */
const conflicts = ["40001", "40P01"]
/** A prepared statement cannot be used any more: the layout has changed, or the statement is gone. */
const stale = ["0A000", "26000"]

/** Errors that the driver finds by itself and gives no code. */
const nameless = [
  [/timeout/, "ETIMEDOUT"],
  [/terminated|not queryable/, "ECONNRESET"],
  [/password must be/, "28P01"]
] as const

const sqlState = /^[0-9A-Z]{5}$/

/** Reads an error of the driver: a server's answer has a SQLSTATE as `code`, a socket's error another or none. */
export const faultOf = (error: unknown): Fault => {
  const { code, constraint, message, routine } = error as {
    readonly [key in "code" | "constraint" | "message" | "routine"]?: unknown
  }
  const state = typeof code === "string" && sqlState.test(code) && routine !== undefined ? code : undefined
  if (state !== undefined && callers.includes(state.slice(0, 2))) {
    const name = typeof constraint === "string" ? constraint : undefined
    return { defect: new StatementRefused({ code: state, constraint: name }), again: false, lost: false }
  }
  const told = typeof message === "string" && message !== "" ? message : "no connection"
  const name = typeof code === "string" ? code : nameless.find(([pattern]) => pattern.test(told))?.[1]
  const failure = new Failure({ message: told, ...(name === undefined ? {} : { code: name }) })
  return {
    defect: new StoreUnavailable({ cause: failure }),
    again: state !== undefined && (conflicts.includes(state) || stale.includes(state)),
    lost: state === undefined || !conflicts.includes(state)
  }
}

export const unavailable = (message: string): StoreUnavailable =>
  new StoreUnavailable({ cause: new Failure({ message }) })
