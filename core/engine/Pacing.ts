import { Clock, Effect } from "effect"
import type { Pace } from "../model/calls/DialPace.ts"
import { minute, second } from "../model/Codecs.ts"
import { Repository } from "../ports/Repository.ts"

/** What the loop of a workspace remembers of its dials. */
export interface Pacing {
  readonly workspace: Pace
  /** Of the campaigns that have a cap of their own. */
  readonly campaigns: ReadonlyMap<string, Pace>
  /** The number of the latest turn, and the turn that each campaign had last. */
  readonly turn: number
  readonly turns: ReadonlyMap<string, number>
}

/** Reads from the store what other loops have used up of a pace. */
export const makePaces = Effect.map(Repository, ({ attempts }) => ({
  /** What a new loop of a workspace begins with. */
  ofWorkspace: Effect.fnUntraced(function* (workspace_id: string) {
    const now = yield* Clock.currentTimeMillis
    const starts = yield* attempts.startedSince(workspace_id, null, now - second)
    return {
      workspace: { span: second, starts },
      campaigns: new Map(),
      turn: 0,
      turns: new Map()
    } satisfies Pacing
  }),

  ofCampaign: (workspace_id: string, campaign_id: string, now: number) =>
    Effect.map(attempts.startedSince(workspace_id, campaign_id, now - minute), (starts): Pace => ({
      span: minute,
      starts
    }))
}))
