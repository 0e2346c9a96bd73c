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
  /** Is called after each answer. The lane that has the connection sets it. */
  answered: () => void
}

/** Milliseconds after which a connection plans its statements anew. */
const planned = 1_000

const makeSession = (client: PoolClient): Session => {
  let unanswered = 0
  let broken = false
  let plannedAt = -Infinity
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
      session.answered()
    })
  }
  const session: Session = {
    send,
    begin: (locks, answer) => {
      // A plan made while a table was small serves badly once it is not, and statistics come a minute later.
      if (performance.now() - plannedAt > planned) {
        plannedAt = performance.now()
        send("discard plans", answer)
      }
      send(["begin isolation level read committed read write", ...locks].join("; "), answer)
    },
    unanswered: () => unanswered,
    broken: () => broken,
    release: () => client.release(broken),
    answered: () => undefined
  }
  return session
}

const sessions = new WeakMap<PoolClient, Session>()

/** The session of a connection that a pool has lent. */
export const sessionOf = (client: PoolClient): Session => {
  let session = sessions.get(client)
  if (session === undefined) {
    session = makeSession(client)
    sessions.set(client, session)
  }
  return session
}
