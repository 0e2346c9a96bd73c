import { Effect, Option } from "effect"
import type { SessionTotals } from "../../core/model/conversations/Session.ts"
import { charges, merged, noUsage, type UsageCount } from "../../core/model/workspaces/Usage.ts"
import { idsFrom } from "../../core/ports/Ids.ts"
import type { KeptUsage, UsageRows } from "../../core/ports/UsageRows.ts"
import type { Database } from "./Database.ts"
import { insertInto, pick, write } from "./Statements.ts"

const amounts = Object.keys(noUsage) as ReadonlyArray<keyof typeof noUsage>
const columns = ["campaign_id", "agent_id", ...amounts] as const

const inTime = "a.customer_id = ? and a.started_at >= ? and a.started_at < ?"
const bigint = (sum: string) => `cast(sum(${sum}) as bigint)`
const own = (alias: string, id: string, what: string) =>
  `left join ${what} ${alias} on ${alias}.customer_id = l.customer_id and ${alias}.${id} = l.reference`

const sql = {
  attempts:
    "select coalesce(a.campaign_id, '') as campaign_id, c.agent_id, count(*) as attempts, " +
    `${bigint("case when a.outcome = 'answered' then 1 else 0 end")} as reached, ` +
    "sum(a.duration_seconds) as seconds, " +
    `${bigint("case when a.channel = 'msg' then 1 else 0 end")} as messages ` +
    "from attempts a join calls c on c.customer_id = a.customer_id and c.call_id = a.call_id " +
    `where ${inTime} group by 1, 2`,
  totals:
    "select coalesce(a.campaign_id, '') as campaign_id, s.agent_id, s.totals from attempts a " +
    `join sessions s on s.customer_id = a.customer_id and s.session_id = a.session_id where ${inTime}`,
  charged:
    "select coalesce(c.campaign_id, '') as campaign_id, " +
    `coalesce(c.agent_id, r.agent_id, u.agent_id, s.agent_id, '') as agent_id, ${bigint("-l.amount")} as credits ` +
    `from ledger l ${own("c", "call_id", "calls")} ${own("r", "id", "runs")} ${own("u", "id", "suites")} ` +
    `${own("s", "session_id", "sessions")} where l.customer_id = ? and l.id >= ? and l.id < ? ` +
    `and l.kind in (${charges.map((kind) => `'${kind}'`).join(", ")}) group by 1, 2`,
  nextAttempt:
    "select started_at as at from attempts where customer_id = ? and started_at >= ? order by started_at limit 1",
  nextEntry: "select created_at as at from ledger where customer_id = ? and id >= ? order by id limit 1",
  keep: insertInto("usage_counts", ["customer_id", "hour", ...columns]),
  mark: insertInto("usage_hours", ["customer_id", "hour"]),
  hours: "select hour from usage_hours where customer_id = ? and hour >= ? and hour < ? order by hour",
  kept:
    "select hour - hour % 86400000 as day, campaign_id, agent_id, " +
    `${amounts.map((name) => (name === "seconds" ? "sum(seconds) as seconds" : `${bigint(name)} as ${name}`)).join(", ")} ` +
    "from usage_counts where customer_id = ? and hour >= ? and hour < ? group by 1, 2, 3"
}

export const usage = (database: Database["Type"]): UsageRows => {
  const earliest = (workspace_id: string, text: string, from: number | string) =>
    Effect.map(database.all<{ readonly at: number }>(workspace_id, text, [workspace_id, from]), (rows) =>
      rows.map(({ at }) => at)
    )

  const count: UsageRows["count"] = Effect.fnUntraced(function* (workspace_id, from, until) {
    const span = [workspace_id, from, until]
    const attempts = yield* database.all<UsageCount>(workspace_id, sql.attempts, span)
    const talks = yield* database.all<UsageCount & { readonly totals: string }>(
      workspace_id,
      sql.totals,
      span
    )
    const charged = yield* database.all<UsageCount>(workspace_id, sql.charged, [
      workspace_id,
      idsFrom("led", from),
      idsFrom("led", until)
    ])
    const turns = talks.map(({ agent_id, campaign_id, totals }) => ({
      agent_id,
      campaign_id,
      turns: (JSON.parse(totals) as SessionTotals).turns
    }))
    return merged([...attempts, ...turns, ...charged])
  })

  return {
    count,
    next: (workspace_id, from) =>
      Effect.zipWith(
        earliest(workspace_id, sql.nextAttempt, from),
        earliest(workspace_id, sql.nextEntry, idsFrom("led", from)),
        (attempts, entries) => {
          const found = [...attempts, ...entries]
          return found.length === 0 ? Option.none() : Option.some(Math.max(from, Math.min(...found)))
        }
      ),
    keep: (workspace_id, at, counts) =>
      database.unit(
        workspace_id,
        Effect.zipRight(
          write(database, workspace_id, sql.mark, [workspace_id, at]),
          Effect.forEach(
            counts,
            (each) => write(database, workspace_id, sql.keep, [workspace_id, at, ...pick(each, columns)]),
            { discard: true }
          )
        )
      ),
    hours: (workspace_id, from, until) =>
      Effect.map(
        database.all<{ readonly hour: number }>(workspace_id, sql.hours, [workspace_id, from, until]),
        (rows) => rows.map(({ hour }) => hour)
      ),
    kept: (workspace_id, from, until) =>
      database.all<KeptUsage>(workspace_id, sql.kept, [workspace_id, from, until])
  }
}
