import type { Fault } from "./Faults.ts"
import type { Session } from "./Session.ts"

/** A unit that waits for its turn, or a statement that is none's. */
export interface WaitingUnit {
  /** Its turn has come. It calls `ended` once it has sent its last query. */
  readonly begin: (session: Session, ended: () => void) => void
  /** There is no connection, and none could be opened. */
  readonly lose: (fault: Fault) => void
}

interface Lane {
  readonly key: unknown
  readonly waiting: Set<WaitingUnit>
  session: Session | undefined
  /** One of its units sends its queries now. */
  busy: boolean
  /** Units begun since the lane got its connection. */
  begun: number
}

export interface ConnectionLanes {
  readonly join: (key: unknown, unit: WaitingUnit) => void
  readonly leave: (key: unknown, unit: WaitingUnit) => void
}

export type Connect = (connected: (session: Session | Fault) => void) => void

/** Units that a lane begins before it gives its connection to another lane that waits. */
const turn = 64

/**
 * Units of one key go one after the other, each behind the other on one connection, which the lane keeps for as
 * long as there are some; lanes go side by side, at most `most` of them, and then in turn.
 *
 * A lane waits for as long as those before it take, and takes whichever connection is free first. Where one cannot be
 * opened, all wait for those that are open; where none is, those are lost for which no other is being opened.
 */
export const makeConnectionLanes = (most: number, connect: Connect): ConnectionLanes => {
  const lanes = new Map<unknown, Lane>()
  /** Lanes without a connection that have units waiting. */
  const ready = new Set<Lane>()
  /** Connections that are free while another is being opened: its refusal must not be the last word. */
  const free: Array<Session> = []
  /** Connections that are being opened; those that are open and not given back. */
  let opening = 0
  let opened = 0

  const dispatch = () => {
    share()
    while (opening < ready.size && opening + opened < most) {
      opening += 1
      connect(connected)
    }
  }

  const connected = (answer: Session | Fault) => {
    opening -= 1
    if ("send" in answer) {
      opened += 1
      free.push(answer)
    }
    share()
    if (!("send" in answer) && opened === 0) lose(answer)
  }

  const lose = (fault: Fault) => {
    const lost = [...ready].slice(0, ready.size - opening)
    for (const lane of lost) {
      ready.delete(lane)
      lanes.delete(lane.key)
    }
    for (const { waiting } of lost) for (const unit of waiting) unit.lose(fault)
  }

  const share = () => {
    for (const session of free.splice(0)) give(session)
  }

  /** A lane that waits gets the connection at once. */
  const give = (session: Session) => {
    const [lane] = ready
    if (lane !== undefined) return start(lane, session)
    if (opening > 0) {
      free.push(session)
      return
    }
    opened -= 1
    session.release()
  }

  const start = (lane: Lane, session: Session) => {
    ready.delete(lane)
    lane.session = session
    lane.begun = 0
    session.answered = () => next(lane)
    next(lane)
  }

  const close = (lane: Lane, session: Session) => {
    lane.session = undefined
    if (lane.waiting.size > 0) ready.add(lane)
    else lanes.delete(lane.key)
    if (session.broken()) {
      opened -= 1
      session.release()
    } else give(session)
    dispatch()
  }

  const next = (lane: Lane): void => {
    const { session } = lane
    if (session === undefined || lane.busy) return
    const stays = !session.broken() && (lane.begun < turn || ready.size === 0)
    const [unit] = stays ? lane.waiting : []
    if (unit === undefined) {
      if (session.unanswered() === 0) close(lane, session)
      return
    }
    lane.waiting.delete(unit)
    lane.busy = true
    lane.begun += 1
    unit.begin(session, () => {
      lane.busy = false
      next(lane)
    })
  }

  return {
    join: (key, unit) => {
      let lane = lanes.get(key)
      if (lane === undefined) {
        lane = { key, waiting: new Set(), session: undefined, busy: false, begun: 0 }
        lanes.set(key, lane)
        ready.add(lane)
      }
      lane.waiting.add(unit)
      if (lane.session === undefined) dispatch()
      else next(lane)
    },
    leave: (key, unit) => {
      const lane = lanes.get(key)
      if (lane?.waiting.delete(unit) !== true || lane.waiting.size > 0) return
      if (ready.delete(lane)) lanes.delete(key)
    }
  }
}
