import { Clock, Context, Effect, Layer } from "effect"
import { makeUsageCounting } from "../engine/UsageCounting.ts"
import { hour } from "../model/Codecs.ts"
import { InvalidInput } from "../model/InvalidInput.ts"
import {
  keyOf,
  noUsage,
  plus,
  shown,
  spanOf,
  type Usage,
  type UsageBy,
  type UsageCount
} from "../model/workspaces/Usage.ts"
import { Repository } from "../ports/Repository.ts"

const make = Effect.gen(function* () {
  const { usage } = yield* Repository
  const count = yield* makeUsageCounting

  const report: UsageReportsShape["report"] = Effect.fn("UsageReports.report")(function* (
    workspace_id,
    { by, ...asked }
  ) {
    const span = spanOf(asked, yield* Clock.currentTimeMillis)
    if (span instanceof InvalidInput) return yield* span
    const { from, until } = span
    const sums = new Map<string, typeof noUsage>()
    const add = (at: number, used: UsageCount) => {
      const key = keyOf(by, at, used)
      sums.set(key, plus(sums.get(key) ?? noUsage, used))
    }
    const settled = yield* count(workspace_id, from, until)
    for (const used of yield* usage.kept(workspace_id, from, settled)) add(used.day, used)
    for (let at = settled; at < until; at += hour) {
      for (const used of yield* usage.count(workspace_id, at, at + hour)) add(at, used)
    }
    const rows = [...sums].sort(([left], [right]) => (left < right ? -1 : 1))
    return {
      by,
      from,
      until,
      data: rows.map(([key, used]) => ({ key: key === "" ? null : key, ...shown(used) })),
      total: shown(rows.reduce((total, [, used]) => plus(total, used), noUsage))
    }
  })

  return UsageReports.of({ report })
})

export interface UsageRequest {
  readonly by: UsageBy
  /** Epoch milliseconds, as `until`; by default the first of the month. */
  readonly from?: number | undefined
  /** Exclusive; by default now. */
  readonly until?: number | undefined
}

export interface UsageReportsShape {
  /** What was used, in whole hours of UTC. Hours long past are counted once, and read from then on. */
  readonly report: (workspace_id: string, request: UsageRequest) => Effect.Effect<Usage, InvalidInput>
}

/** What a workspace has used, by day, campaign or agent. */
export class UsageReports extends Context.Tag("outdial/UsageReports")<UsageReports, UsageReportsShape>() {
  static readonly layer = Layer.effect(this, make)
}
