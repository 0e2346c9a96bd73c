import { Option } from "effect"
import { day } from "../../core/model/Codecs.ts"
import { charges, merged } from "../../core/model/workspaces/Usage.ts"
import type { KeptUsage, UsageRows } from "../../core/ports/UsageRows.ts"
import type { Store } from "./Store.ts"
import { type Index, take } from "./Table.ts"
import type { UsageHour } from "./TenantTables.ts"

export const usage = ({ read, undo, write }: Store): UsageRows => ({
  count: (workspace_id, from, until) =>
    undo.verb(() => {
      const { attempts, calls, ledger, runs, sessions, suites } = read(workspace_id)
      const begun = take(
        attempts.started.ascending(({ started_at }) => started_at! - from),
        Infinity,
        ({ started_at }) => started_at! < until
      )
      const used = begun.map((attempt) => ({
        campaign_id: attempt.campaign_id ?? "",
        agent_id: calls.table.get(attempt.call_id)?.agent_id ?? "",
        attempts: 1,
        reached: attempt.outcome === "answered" ? 1 : 0,
        seconds: attempt.duration_seconds,
        messages: attempt.channel === "msg" ? 1 : 0,
        turns: sessions.table.get(attempt.session_id)?.turns ?? 0
      }))
      const charged = ledger
        .between(from, until)
        .filter(({ kind }) => charges.includes(kind))
        .map(({ amount, reference }) => {
          const id = reference ?? ""
          const call = calls.table.get(id)
          const owner = call ?? runs.table.get(id) ?? suites.table.get(id) ?? sessions.table.get(id)
          return {
            campaign_id: call?.campaign_id ?? "",
            agent_id: owner?.agent_id ?? "",
            credits: -amount
          }
        })
      return merged([...used, ...charged])
    }),
  next: (workspace_id, from) =>
    undo.verb(() => {
      const { attempts, ledger } = read(workspace_id)
      const found = [
        attempts.started.find(({ started_at }) => (started_at! >= from ? 0 : -1))?.started_at,
        ledger.between(from, Infinity)[0]?.created_at
      ].filter((at) => typeof at === "number")
      return found.length === 0 ? Option.none() : Option.some(Math.min(...found))
    }),
  keep: (workspace_id, at, counts) => undo.verb(() => write(workspace_id).usage.insert({ at, counts })),
  hours: (workspace_id, from, until) =>
    undo.verb(() => kept(read(workspace_id).usage.byAge, from, until).map(({ at }) => at)),
  kept: (workspace_id, from, until) =>
    undo.verb(() => {
      const days = new Map<number, KeptUsage[]>()
      for (const { at, counts } of kept(read(workspace_id).usage.byAge, from, until)) {
        const begin = at - (at % day)
        const known = days.get(begin) ?? []
        days.set(
          begin,
          merged([...known, ...counts]).map((count) => ({ ...count, day: begin }))
        )
      }
      return [...days.values()].flat()
    })
})

const kept = (hours: Index<UsageHour>, from: number, until: number) =>
  take(
    hours.ascending(({ at }) => at - from),
    Infinity,
    ({ at }) => at < until
  )
