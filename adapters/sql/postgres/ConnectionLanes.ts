import type { Fault } from "./Faults.ts"
import type { Session } from "./Session.ts"

/** A unit that waits for its turn. */
export interface WaitingUnit {
  /** Its turn has come. It calls `ended` once it has sent its last query. */
  readonly begin: (session: Session, ended: () => void) => void
  /** There is no connection. */
  readonly lose: (fault: Fault) => void
}

interface Lane {
  readonly key: number
  readonly waiting: Set<WaitingUnit>
  session: Session | undefined
  riding: boolean
  /** Units begun since the lane got its connection. */
  begun: number
}

export interface ConnectionLanes {
  readonly join: (key: number, rider: WaitingUnit) => void
  readonly leave: (key: number, rider: WaitingUnit) => void
}

/** Opens a session, and calls `answered` after each of its answers. */
export type Connect = (answered: () => void, connected: (session: Session | Fault) => void) => void

/** Units that a lane begins before it lets others have the connection. */
const turn = 64

/**
 * Units of one key go one after the other, each behind the other on one connection, which the lane keeps for as
 * long as there are some; lanes go side by side, at most `most` of them, and then in turn.
 */
export const makeConnectionLanes = (most: number, connect: Connect): ConnectionLanes => {
  const lanes = new Map<number, Lane>()
  /** ConnectionLanes without a connection that have units waiting. */
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
          const riders = [...lane.waiting]
          lane.waiting.clear()
          close(lane)
          for (const rider of riders) rider.lose(session)
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
    if (session === undefined || lane.riding) return
    const stays = !session.broken() && (lane.begun < turn || ready.length === 0)
    const [rider] = stays ? lane.waiting : []
    if (rider === undefined) {
      if (session.unanswered() === 0) close(lane)
      return
    }
    lane.waiting.delete(rider)
    lane.riding = true
    lane.begun += 1
    rider.begin(session, () => {
      lane.riding = false
      next(lane)
    })
  }

  return {
    join: (key, rider) => {
      let lane = lanes.get(key)
      if (lane === undefined) {
        lane = { key, waiting: new Set(), session: undefined, riding: false, begun: 0 }
        lanes.set(key, lane)
        ready.push(lane)
      }
      lane.waiting.add(rider)
      if (lane.session === undefined) dispatch()
      else next(lane)
    },
    leave: (key, rider) => {
      lanes.get(key)?.waiting.delete(rider)
    }
  }
}
