import type { Fault } from "./Faults.ts"
import type { Session } from "./Session.ts"

/** A unit that waits for its turn. */
export interface WaitingUnit {
  /** Its turn has come. It calls `ended` once it has sent its last query. */
  readonly begin: (session: Session, ended: () => void) => void
  /** No connection can be opened. */
  readonly lose: (fault: Fault) => void
}

interface Lane {
  readonly key: number
  readonly waiting: Set<WaitingUnit>
  session: Session | undefined
  /** One of its units sends its queries now. */
  busy: boolean
  /** Units begun since the lane got its connection. */
  begun: number
}

export interface ConnectionLanes {
  readonly join: (key: number, unit: WaitingUnit) => void
  readonly leave: (key: number, unit: WaitingUnit) => void
}

/** Opens a session, and calls `answered` after each of its answers. */
export type Connect = (answered: () => void, connected: (session: Session | Fault) => void) => void

/** Units that a lane begins before it gives its connection to another lane that waits. */
const turn = 64

/**
 * Units of one key go one after the other, each behind the other on one connection, which the lane keeps for as
 * long as there are some; lanes go side by side, at most `most` of them, and then in turn.
 */
export const makeConnectionLanes = (most: number, connect: Connect): ConnectionLanes => {
  const lanes = new Map<number, Lane>()
  /** Lanes without a connection that have units waiting. */
  const ready: Array<Lane> = []
  let open = 0

  const dispatch = () => {
    while (open < most && ready.length > 0) {
      const lane = ready.shift()!
      open += 1
      connect(
        () => next(lane),
        (session) => {
          if ("send" in session) {
            lane.session = session
            return next(lane)
          }
          const units = [...lane.waiting]
          lane.waiting.clear()
          close(lane)
          for (const unit of units) unit.lose(session)
        }
      )
    }
  }

  const close = (lane: Lane) => {
    lane.session?.release()
    lane.session = undefined
    lane.begun = 0
    open -= 1
    if (lane.waiting.size > 0) ready.push(lane)
    else lanes.delete(lane.key)
    dispatch()
  }

  const next = (lane: Lane): void => {
    const { session } = lane
    if (session === undefined || lane.busy) return
    const stays = !session.broken() && (lane.begun < turn || ready.length === 0)
    const [unit] = stays ? lane.waiting : []
    if (unit === undefined) {
      if (session.unanswered() === 0) close(lane)
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
        ready.push(lane)
      }
      lane.waiting.add(unit)
      if (lane.session === undefined) dispatch()
      else next(lane)
    },
    leave: (key, unit) => {
      lanes.get(key)?.waiting.delete(unit)
    }
  }
}
