import { Option } from "effect"
import type { Play } from "../../core/model/suites/Play.ts"
import type { Run } from "../../core/model/suites/Run.ts"
import { errored } from "../../core/model/suites/RunMachine.ts"
import type { HoldRows, PlayRows, RunFilter, RunRows, SuiteRows } from "../../core/ports/SuiteRows.ts"
import { byText } from "./SortedSet.ts"
import type { Store } from "./Store.ts"
import { take } from "./Table.ts"

export const suites = ({ undo, read, write }: Store): SuiteRows => {
  const named = (workspace_id: string, name: string) =>
    read(workspace_id).suites.byName.find((suite) => byText(suite.name, name))

  return {
    insert: (suite) =>
      undo.verb(() => {
        if (named(suite.customer_id, suite.name) !== undefined) return false
        write(suite.customer_id).suites.table.insert(suite)
        return true
      }),
    get: (workspace_id, id) => undo.verb(() => Option.fromNullable(read(workspace_id).suites.table.get(id))),
    nameExists: (workspace_id, name) => undo.verb(() => named(workspace_id, name) !== undefined),
    list: (workspace_id, { agent_id }, page) =>
      undo.verb(() =>
        read(workspace_id).suites.table.page(
          page,
          agent_id === undefined ? undefined : (suite) => suite.agent_id === agent_id
        )
      ),
    update: ({ config, customer_id, id, name, scenarios, updated_at }) =>
      undo.verb(() => {
        const { table } = read(customer_id).suites
        const stored = table.get(id)
        if (stored === undefined || (named(customer_id, name)?.id ?? id) !== id) return false
        table.set({ ...stored, name, scenarios, config, updated_at })
        return true
      }),
    remove: (workspace_id, id) => undo.verb(() => read(workspace_id).suites.table.delete(id))
  }
}

const admits = (filter: RunFilter) => {
  const { agent_id, status, suite_id } = filter
  if (Object.values(filter).every((value) => value === undefined)) return undefined
  return (run: Run): boolean =>
    (suite_id === undefined || run.suite_id === suite_id) &&
    (agent_id === undefined || run.agent_id === agent_id) &&
    (status === undefined || run.status === status)
}

export const runs = ({ undo, read, write }: Store): RunRows => ({
  insert: (run) => undo.verb(() => write(run.customer_id).runs.table.insert(run)),
  get: (workspace_id, id) => undo.verb(() => Option.fromNullable(read(workspace_id).runs.table.get(id))),
  list: (workspace_id, filter, page) =>
    undo.verb(() => read(workspace_id).runs.table.page(page, admits(filter))),
  update: (run) =>
    undo.verb(() => {
      const { table } = read(run.customer_id).runs
      const stored = table.get(run.id)
      if (stored === undefined) return
      const { agent_id, created_at, judges, subject, suite_id } = stored
      table.set({ ...run, suite_id, agent_id, subject, judges, created_at })
    }),
  overdue: (workspace_id, now) =>
    undo.verb(() =>
      take(read(workspace_id).runs.open.ascending(), Infinity, (run) => run.deadline_at <= now)
    ),
  nextDeadline: (workspace_id) =>
    undo.verb(() => Option.fromNullable(read(workspace_id).runs.open.first()?.deadline_at))
})

export const plays = ({ undo, read, write }: Store): PlayRows => {
  const playsOf = (workspace_id: string, run_id: string): ReadonlyArray<Play> =>
    take(
      read(workspace_id).plays.ofRun.ascending((play) => byText(play.run_id, run_id)),
      Infinity,
      (play) => play.run_id === run_id
    )

  return {
    insert: (entries) =>
      undo.verb(() => {
        for (const play of entries) write(play.customer_id).plays.table.insert(play)
      }),
    get: (workspace_id, id) => undo.verb(() => Option.fromNullable(read(workspace_id).plays.table.get(id))),
    ofRun: (workspace_id, run_id) => undo.verb(() => playsOf(workspace_id, run_id)),
    behind: (workspace_id, run_id, position, limit) =>
      undo.verb(() =>
        take(
          read(workspace_id).plays.ofRun.ascending(
            (play) => byText(play.run_id, run_id) || (play.position > position ? 0 : -1)
          ),
          limit,
          (play) => play.run_id === run_id
        )
      ),
    due: (workspace_id, now, limit) =>
      undo.verb(() => take(read(workspace_id).plays.due.ascending(), limit, (play) => play.due_at <= now)),
    nextDue: (workspace_id, after) =>
      undo.verb(() =>
        Option.fromNullable(
          read(workspace_id).plays.due.find((play) => (play.due_at > after ? 0 : -1))?.due_at
        )
      ),
    update: (play) =>
      undo.verb(() => {
        const { table } = read(play.customer_id).plays
        const stored = table.get(play.id)
        if (stored === undefined || stored.version !== play.version - 1) return false
        const { position, run_id, run_index, scenario } = stored
        table.set({ ...play, run_id, position, run_index, scenario })
        return true
      }),
    close: (workspace_id, run_id, error, at) =>
      undo.verb(() => {
        const open = playsOf(workspace_id, run_id).filter((play) => play.open)
        for (const play of open) read(workspace_id).plays.table.set(errored(play, error, at))
        return open.length
      })
  }
}

export const holds = ({ undo, read, write }: Store): HoldRows => ({
  insert: (hold) => undo.verb(() => write(hold.customer_id).holds.table.insert(hold)),
  remove: (workspace_id, id) => undo.verb(() => read(workspace_id).holds.table.delete(id)),
  expired: (workspace_id, now) =>
    undo.verb(() =>
      take(read(workspace_id).holds.expiring.ascending(), Infinity, (hold) => hold.expires_at <= now)
    ),
  nextExpiry: (workspace_id) =>
    undo.verb(() => Option.fromNullable(read(workspace_id).holds.expiring.first()?.expires_at))
})
