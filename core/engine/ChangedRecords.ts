import { Clock, Effect, Option } from "effect"
import type { Call, Phase } from "../model/calls/Call.ts"
import { toJson } from "../model/campaigns/Campaign.ts"
import type { Change } from "../model/changes/Change.ts"
import type { Repository } from "../ports/Repository.ts"

/** Of each kind, how many of the newest are looked at. */
const newest = { calls: 100, campaigns: 100, runs: 20, webhooks: 100, deliveries: 20 } as const

/** Calls under way that are looked at, and calls that wait and are due that are looked at in one go. */
const mostLive = 1_000
const mostDue = 100

/** Calls that wait and are remembered; those that were looked at longest ago are forgotten when there are more. */
const mostKnown = 10_000

/** A clock of another process may be behind by so much, and a transaction take so long, in milliseconds. */
const overlap = 5_000

/** Those of the records that differ from what they were when they were last seen. */
const makeDiffering = <A>(idOf: (record: A) => string, markOf: (record: A) => string) => {
  let known: ReadonlyMap<string, string> = new Map()
  return (records: ReadonlyArray<A>): ReadonlyArray<A> => {
    const before = known
    known = new Map(records.map((record) => [idOf(record), markOf(record)]))
    return records.filter((record) => before.get(idOf(record)) !== known.get(idOf(record)))
  }
}

interface KnownCall {
  readonly version: number
  readonly phase: Phase
  readonly due_at: number | null
  readonly created_at: number
}

type Rows = Repository["Type"]

/**
 * Finds the calls that have changed: those under way, those created lately, those that were under way, and those that
 * wait and are due. No index tells when a call was changed, which would cost every step of every call.
 */
const makeCalls = ({ calls }: Rows, workspace_id: string) => {
  const known = new Map<string, KnownCall>()
  let lookedAt: number | null = null

  /** Those that were seen before, are not among these, and may have changed. */
  const suspects = (found: ReadonlyMap<string, Call>, now: number): ReadonlyArray<string> => {
    const gone: Array<string> = []
    const due: Array<string> = []
    for (const [id, { due_at, phase }] of known) {
      if (found.has(id)) continue
      if (phase === "live") gone.push(id)
      else if (phase === "waiting" && due_at !== null && due_at <= now && due.length < mostDue) due.push(id)
    }
    return [...gone, ...due]
  }

  const first = Effect.fnUntraced(function* () {
    const page = { limit: newest.calls, offset: 0 }
    const queued = yield* calls.list(workspace_id, { status: "queued" }, page)
    const retried = yield* calls.list(workspace_id, { status: "retry_scheduled" }, page)
    return [...queued.data, ...retried.data]
  })

  const remember = (call: Call) => {
    known.delete(call.call_id)
    const { created_at, due_at, phase, version } = call
    known.set(call.call_id, { created_at, due_at, phase, version })
  }

  const forget = (since: number) => {
    for (const [id, { created_at, phase }] of known) {
      if ((phase === "done" && created_at < since) || known.size > mostKnown) known.delete(id)
    }
  }

  return Effect.fnUntraced(function* () {
    const now = yield* Clock.currentTimeMillis
    const since = (lookedAt ?? now) - overlap
    const live = yield* calls.live(workspace_id, "", mostLive)
    const page = { limit: newest.calls, offset: 0 }
    const created = yield* calls.list(workspace_id, { created_after: since }, page)
    const waiting = lookedAt === null ? yield* first() : []
    const found = new Map([...waiting, ...created.data, ...live].map((call) => [call.call_id, call]))
    for (const id of suspects(found, now)) {
      const call = yield* calls.get(workspace_id, id)
      if (Option.isSome(call)) found.set(id, call.value)
      else known.delete(id)
    }
    const changed = [...found.values()].filter(
      ({ call_id, version }) => known.get(call_id)?.version !== version
    )
    for (const call of found.values()) remember(call)
    lookedAt = now
    forget(since)
    return changed
  })
}

/** Looks at a workspace's records: what has changed since it looked before. What it finds first is all. */
export const makeChangedRecords = (repository: Rows, workspace_id: string) => {
  const calls = makeCalls(repository, workspace_id)
  const campaigns = makeDiffering(
    ({ campaign }: Extract<Change, { type: "campaign" }>["record"]) => campaign.id,
    toJson
  )
  const runs = makeDiffering(
    ({ id }: Extract<Change, { type: "run" }>["record"]) => id,
    ({ counts, credits_used, score, status }) => JSON.stringify([status, counts, score, credits_used])
  )
  const deliveries = makeDiffering(
    ({ id }: Extract<Change, { type: "delivery" }>["record"]) => id,
    ({ attempts, status, updated_at }) => `${status} ${attempts} ${updated_at}`
  )
  const page = (limit: number) => ({ limit, offset: 0 })

  return Effect.fnUntraced(function* () {
    const changes: Array<Change> = []
    for (const record of yield* calls()) changes.push({ type: "call", record })
    const { data: latest } = yield* repository.campaigns.list(workspace_id, {}, page(newest.campaigns))
    for (const record of campaigns(latest)) changes.push({ type: "campaign", record })
    const { data: played } = yield* repository.runs.list(workspace_id, {}, page(newest.runs))
    for (const record of runs(played)) changes.push({ type: "run", record })
    const { data: endpoints } = yield* repository.webhooks.list(workspace_id, page(newest.webhooks))
    const lists = yield* Effect.forEach(endpoints, ({ id: webhook_id }) =>
      repository.deliveries.list(workspace_id, { webhook_id }, page(newest.deliveries))
    )
    for (const record of deliveries(lists.flatMap(({ data }) => data))) {
      changes.push({ type: "delivery", record })
    }
    return changes
  })
}
