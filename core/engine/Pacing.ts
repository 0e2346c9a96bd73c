import { Clock, Effect } from "effect"
import type { Pace } from "../model/calls/DialPace.ts"
import { minute, second } from "../model/Codecs.ts"
import { monotonicMillis } from "../ports/MonotonicTime.ts"
import { Repository } from "../ports/Repository.ts"

/** What the loop of a workspace remembers of its dials. Their times are those of the monotonic clock. */
export interface Pacing {
  readonly workspace: Pace
  /** Of the campaigns that have a cap of their own. */
  readonly campaigns: ReadonlyMap<string, Pace>
  /** The number of the latest turn, and the turn that each campaign had last. */
  readonly turn: number
  readonly turns: ReadonlyMap<string, number>
}

/** Reads from the store what other loops have used up of a pace. */
export const makePaces = Effect.map(Repository, ({ attempts }) => {
  /** A dial that is said to be later than now was placed by a clock that was ahead: it counts as placed now. */
  const read = Effect.fnUntraced(function* (
    workspace_id: string,
    campaign_id: string | null,
    span: number,
    now: number
  ) {
    const starts = yield* attempts.startedSince(workspace_id, campaign_id, now - span)
    const elapsed = yield* monotonicMillis
    return { span, starts: starts.map((at) => elapsed - Math.max(0, now - at)) } satisfies Pace
  })

  return {
    /** What a new loop of a workspace begins with. */
    ofWorkspace: Effect.fnUntraced(function* (workspace_id: string) {
      const now = yield* Clock.currentTimeMillis
      return {
        workspace: yield* read(workspace_id, null, second, now),
        campaigns: new Map(),
        turn: 0,
        turns: new Map()
      } satisfies Pacing
    }),

    ofCampaign: (workspace_id: string, campaign_id: string, now: number) =>
      read(workspace_id, campaign_id, minute, now)
  }
})
