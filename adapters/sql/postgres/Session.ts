import type { PoolClient, Query, Result } from "./Driver.ts"
import { type Fault, faultOf } from "./Faults.ts"

export type Answer = (fault: Fault | undefined, result: Result | undefined) => void

/** A connection while one lane has it. Queries are sent at once, one behind the other, and answered in order. */
export interface Session {
  readonly send: (query: Query | string, answer: Answer) => void
  /** Begins a transaction, in which each statement sees what is committed before it, and takes these locks. */
  readonly begin: (locks: ReadonlyArray<string>, answer: Answer) => void
  /** The queries sent that have no answer yet. */
  readonly unanswered: () => number
  /** Sends no more: it was lost, or what it has prepared is stale. */
  readonly broken: () => boolean
  /** Gives the connection back. */
  readonly release: () => void
}

/** Milliseconds after which a connection plans its statements anew. */
const planned = 1_000
const plannedAt = new WeakMap<object, number>()

/** `answered` is called after each answer. */
export const makeSession = (client: PoolClient, answered: () => void): Session => {
  let unanswered = 0
  let broken = false
  // The queries under way are told of it by themselves; without a listener the process would end.
  const lost = () => {
    broken = true
  }
  client.on("error", lost)
  // What is sent in one go goes to the network in one piece.
  const { stream } = client.connection
  let corked = false
  const uncork = () => {
    corked = false
    stream.uncork()
  }
  const send: Session["send"] = (query, answer) => {
    if (!corked) {
      corked = true
      stream.cork()
      process.nextTick(uncork)
    }
    unanswered += 1
    client.query(query, (error, result) => {
      unanswered -= 1
      const fault = error ? faultOf(error) : undefined
      if (fault?.lost === true) broken = true
      answer(fault, result)
      answered()
    })
  }
  return {
    send,
    begin: (locks, answer) => {
      // A plan made while a table was small serves badly once it is not, and statistics come a minute later.
      if (performance.now() - (plannedAt.get(client) ?? -Infinity) > planned) {
        plannedAt.set(client, performance.now())
        send("discard plans", answer)
      }
      send(["begin isolation level read committed read write", ...locks].join("; "), answer)
    },
    unanswered: () => unanswered,
    broken: () => broken,
    release: () => {
      client.off("error", lost)
      client.release(broken)
    }
  }
}
