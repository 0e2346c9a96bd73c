import { Effect, Option, Struct } from "effect"
import { hasEnded } from "../../core/model/campaigns/CampaignMachine.ts"
import { sum } from "../../core/model/workspaces/Ledger.ts"
import type { ApiKey } from "../../core/model/workspaces/Workspace.ts"
import type { AgentRows, AgentUser } from "../../core/ports/AgentRows.ts"
import type { ApiKeyRows } from "../../core/ports/ApiKeyRows.ts"
import type { CreditRows } from "../../core/ports/CreditRows.ts"
import type { PhoneNumberRows } from "../../core/ports/PhoneNumberRows.ts"
import { platformWide } from "../../core/ports/Repository.ts"
import type { WorkspaceRows } from "../../core/ports/WorkspaceRows.ts"
import { byText } from "./SortedSet.ts"
import type { Store } from "./Store.ts"
import type { Index, Table } from "./Table.ts"

export const workspaces = ({ read, undo, workspaces: table, write }: Store): WorkspaceRows => ({
  insert: (workspace) => undo.verb(() => table(workspace.id).insert(workspace)),
  get: (id) => undo.verb(() => Option.fromNullable(table(id).get(id))),
  indexedKeys: (id) => undo.verb(() => table(id).get(id)?.indexed_metadata_keys ?? []),
  list: (page) => undo.verb(() => table(platformWide).page(page)),
  update: (workspace) =>
    undo.verb(() => {
      const stored = table(workspace.id).get(workspace.id)
      if (stored !== undefined) table(workspace.id).set({ ...workspace, created_at: stored.created_at })
    }),
  toolSecret: (workspace_id) =>
    undo.verb(() =>
      Option.map(
        Option.fromNullable(read(workspace_id).toolSecrets.get(workspace_id)),
        Struct.omit("workspace_id")
      )
    ),
  keepToolSecret: (workspace_id, secret) =>
    undo.verb(() => void write(workspace_id).toolSecrets.set({ ...secret, workspace_id })),
  withWork: Effect.suspend(() =>
    undo.verb(() =>
      Array.from(table(platformWide).byAge.ascending(), ({ id }) => id).filter((id) => {
        const { calls, campaigns, deliveries, holds, plays, runs, sessions } = read(id)
        const open = [
          calls.waiting,
          calls.overdue,
          campaigns.due.dial,
          campaigns.due.tend,
          plays.due,
          runs.open,
          holds.expiring,
          deliveries.lanes,
          sessions.reviews
        ]
        return open.some(({ size }) => size > 0)
      })
    )
  ),
  setBack: (workspace_id, now) =>
    undo.verb(() => {
      const { attempts, calls, campaigns, deliveries, plays } = read(workspace_id)
      let changed = 0
      const change = <Row>(
        rows: Index<Row>,
        table: Table<Row>,
        wanted: (row: Row) => boolean,
        next: (row: Row) => Row
      ) => {
        for (const row of Array.from(rows.ascending()).filter(wanted)) {
          table.set(next(row))
          changed += 1
        }
      }
      const isAhead = ({ updated_at }: { readonly updated_at: number }) => updated_at > now
      /** As long after now as it was after the row was stored. */
      const due = (at: number, { updated_at }: { readonly updated_at: number }) =>
        now + Math.max(0, at - updated_at)
      for (const rows of [calls.waiting, calls.overdue]) {
        change(rows, calls.table, isAhead, (call) => {
          const due_at = due(call.due_at!, call)
          const scheduled_for = call.scheduled_for === call.due_at ? due_at : call.scheduled_for
          return { ...call, due_at, scheduled_for, updated_at: now, version: call.version + 1 }
        })
      }
      change(
        attempts.started,
        attempts.table,
        (attempt) => attempt.started_at! > now && attempt.completed_at === null,
        (attempt) => ({
          ...attempt,
          started_at: now,
          answered_at: attempt.answered_at === null ? null : Math.min(attempt.answered_at, now)
        })
      )
      for (const work of ["dial", "tend"] as const) {
        change(
          campaigns.due[work],
          campaigns.tallies,
          ({ campaign_id, due_at }) =>
            due_at! > now && (work === "dial" || campaigns.table.get(campaign_id)!.status === "cancelled"),
          (counters) => ({ ...counters, due_at: now })
        )
      }
      change(deliveries.due, deliveries.table, isAhead, (delivery) => ({
        ...delivery,
        next_attempt_at: due(delivery.next_attempt_at!, delivery),
        updated_at: now
      }))
      change(plays.due, plays.table, isAhead, (play) => ({
        ...play,
        due_at: due(play.due_at, play),
        updated_at: now
      }))
      return changed > 0
    })
})

export const apiKeys = ({ apiKeys: table, undo, read, write }: Store): ApiKeyRows => {
  /** Answers whether it was changed. */
  const changeKey = (
    workspace_id: string,
    key_id: string,
    change: (key: ApiKey) => ApiKey | null
  ): boolean => {
    const key = read(workspace_id).apiKeys.get(key_id)
    const changed = key === undefined ? null : change(key)
    if (changed === null) return false
    table(workspace_id).set(changed)
    read(workspace_id).apiKeys.set(changed)
    return true
  }
  return {
    insert: (key) =>
      undo.verb(() => {
        table(key.customer_id).insert(key)
        write(key.customer_id).apiKeys.set(key)
      }),
    get: (key_id) => undo.verb(() => Option.fromNullable(table(platformWide).get(key_id))),
    find: (workspace_id, key_id) =>
      undo.verb(() => Option.fromNullable(read(workspace_id).apiKeys.get(key_id))),
    list: (workspace_id, page) => undo.verb(() => read(workspace_id).apiKeys.page(page)),
    update: ({ customer_id, expires_at, id, name }) =>
      undo.verb(() => void changeKey(customer_id, id, (key) => ({ ...key, name, expires_at }))),
    used: (workspace_id, key_id, at) =>
      undo.verb(
        () =>
          void changeKey(workspace_id, key_id, (key) => ({
            ...key,
            last_used_at: Math.max(at, key.last_used_at ?? at)
          }))
      ),
    revoke: (workspace_id, key_id, at) =>
      undo.verb(() =>
        changeKey(workspace_id, key_id, (key) =>
          key.revoked_at === null ? { ...key, revoked_at: at } : null
        )
      )
  }
}

export const credits = ({ undo, read, write }: Store): CreditRows => ({
  balance: (workspace_id) => undo.verb(() => read(workspace_id).balances.get(workspace_id)?.amount ?? 0),
  append: (workspace_id, entries) =>
    undo.verb(() => {
      const { balances, ledger } = write(workspace_id)
      const amount = (balances.get(workspace_id)?.amount ?? 0) + sum(entries)
      if (amount < 0) return false
      balances.set({ customer_id: workspace_id, amount })
      ledger.append(entries)
      return true
    }),
  list: (workspace_id, filter, page) => undo.verb(() => read(workspace_id).ledger.page(page, filter))
})

export const phoneNumbers = ({ undo, read, readAll, write }: Store): PhoneNumberRows => ({
  insert: (number) =>
    undo.verb(() => {
      const { byNumber, table } = write(number.customer_id).phoneNumbers
      const known = byNumber.find((other) => byText(other.number, number.number))
      if (known === undefined) table.insert(number)
      return known === undefined
    }),
  get: (workspace_id, id) =>
    undo.verb(() => Option.fromNullable(read(workspace_id).phoneNumbers.table.get(id))),
  first: (workspace_id) =>
    undo.verb(() => Option.fromNullable(read(workspace_id).phoneNumbers.table.byAge.first())),
  holders: (number) =>
    undo.verb(() =>
      Array.from(readAll()).flatMap(
        (space) => space.phoneNumbers.byNumber.find((other) => byText(other.number, number)) ?? []
      )
    ),
  list: (workspace_id, page) => undo.verb(() => read(workspace_id).phoneNumbers.table.page(page)),
  update: ({ customer_id, id, label }) =>
    undo.verb(() => {
      const { table } = read(customer_id).phoneNumbers
      const stored = table.get(id)
      if (stored !== undefined) table.set({ ...stored, label })
    }),
  remove: (workspace_id, id) => undo.verb(() => read(workspace_id).phoneNumbers.table.delete(id))
})

export const agents = ({ undo, read, write }: Store): AgentRows => ({
  insert: (agent) => undo.verb(() => write(agent.customer_id).agents.insert(agent)),
  get: (workspace_id, id) => undo.verb(() => Option.fromNullable(read(workspace_id).agents.get(id))),
  list: (workspace_id, { published }, page) =>
    undo.verb(() =>
      read(workspace_id).agents.page(
        page,
        published === undefined ? undefined : (agent) => agent.published === published
      )
    ),
  update: (agent) =>
    undo.verb(() => {
      const table = read(agent.customer_id).agents
      const stored = table.get(agent.id)
      if (stored !== undefined) table.set({ ...agent, created_at: stored.created_at })
    }),
  userOf: (workspace_id, id) =>
    undo.verb(() => {
      const { calls, campaigns, suites } = read(workspace_id)
      const isOf = ({ agent_id }: { readonly agent_id: string }) => agent_id === id
      const named = <Row>(
        user: AgentUser["user"],
        rows: Iterable<Row>,
        idOf: (row: Row) => string | null
      ) => {
        for (const row of rows) {
          const found = idOf(row)
          if (found !== null) return [{ user, id: found }]
        }
        return []
      }
      return Option.fromNullable(
        [
          ...named("campaign_id", campaigns.table.byAge.ascending(), (campaign) =>
            isOf(campaign) && !hasEnded(campaign) ? campaign.id : null
          ),
          ...[calls.waiting, calls.overdue].flatMap((open) =>
            named("call_id", open.ascending(), (call) => (isOf(call) ? call.call_id : null))
          ),
          ...named("suite_id", suites.table.byAge.ascending(), (suite) => (isOf(suite) ? suite.id : null))
        ][0]
      )
    }),
  remove: (workspace_id, id) =>
    undo.verb(() => {
      const { agentVersions, agents } = read(workspace_id)
      const versions = Array.from(agentVersions.byAge.ascending()).filter(({ agent_id }) => agent_id === id)
      for (const { version } of versions) agentVersions.delete(`${id} ${version}`)
      return agents.delete(id)
    }),
  spoken: (workspace_id, id) =>
    undo.verb(() => {
      const { agentVersions, agents } = read(workspace_id)
      const agent = agents.get(id)
      if (agent === undefined || !agent.unpublished_changes) return Option.fromNullable(agent)
      return Option.some({ ...agent, ...agentVersions.get(`${id} ${agent.version}`)?.agent })
    }),
  insertVersion: (version) => undo.verb(() => write(version.customer_id).agentVersions.insert(version)),
  version: (workspace_id, id, version) =>
    undo.verb(() => Option.fromNullable(read(workspace_id).agentVersions.get(`${id} ${version}`))),
  versions: (workspace_id, id, page) =>
    undo.verb(() => {
      const keyOf = (version: string | undefined) => (version === undefined ? undefined : `${id} ${version}`)
      const keyed = { ...page, after: keyOf(page.after), before: keyOf(page.before) }
      return read(workspace_id).agentVersions.page(keyed, ({ agent_id }) => agent_id === id)
    })
})
