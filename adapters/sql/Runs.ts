import { Effect } from "effect"
import { standardTalk } from "../../core/model/agents/Talk.ts"
import type { Run } from "../../core/model/suites/Run.ts"
import type { Subject, TestedAgent } from "../../core/model/suites/Subject.ts"
import type { RunRows } from "../../core/ports/SuiteRows.ts"
import type { Database, Param } from "./Database.ts"
import { assign, column, filtered, insertInto, pageOf, pick, prefixed, reader } from "./Statements.ts"

const fixed = ["id", "customer_id", "suite_id", "agent_id", "created_at"] as const
const plain = [
  "status",
  "deadline_at",
  "score",
  "points",
  "judged",
  "credits_used",
  "started_at",
  "completed_at",
  "error"
] as const
const counted = ["total", "passed", "failed", "errored"] as const
const mutable = [...plain, ...counted]
const columns = [...fixed, ...mutable]
const subject = ["judges", "agent"] as const

type RunRow = Omit<Run, "counts" | "judges" | "subject"> &
  Run["counts"] & { readonly judges: string; readonly agent: string }

/** Runs of earlier versions kept of their agent what it says, with its variables filled in. */
const earlier = {
  ...standardTalk,
  channel: "voice",
  voice: "",
  idle_timeout_warning: 10,
  idle_timeout_end: 30,
  max_call_length: 3600
} as const

const subjectOf = (stored: Subject | TestedAgent): Subject =>
  "agent" in stored
    ? stored
    : { agent: { ...earlier, ...stored }, variables: null, real_tools: false, model: null }

const mutableOf = (run: Run): Array<Param> => [...pick(run, plain), ...pick(run.counts, counted)]

const fromRow = (row: RunRow): Run => ({
  id: row.id,
  customer_id: row.customer_id,
  suite_id: row.suite_id,
  agent_id: row.agent_id,
  status: row.status,
  counts: { total: row.total, passed: row.passed, failed: row.failed, errored: row.errored },
  score: row.score,
  credits_used: row.credits_used,
  error: row.error,
  started_at: row.started_at,
  completed_at: row.completed_at,
  created_at: row.created_at,
  subject: subjectOf(JSON.parse(row.agent) as Subject | TestedAgent),
  judges: JSON.parse(row.judges) as Run["judges"],
  deadline_at: row.deadline_at,
  points: row.points,
  judged: row.judged
})

const both = [prefixed("runs", columns), prefixed("run_subjects", subject)]
// The run's id joined to nothing: what is sought of runs is not sought again among their subjects.
const join =
  "join run_subjects on run_subjects.customer_id = runs.customer_id and run_subjects.run_id = runs.id || ''"

const select = `select ${both.join(", ")} from runs ${join} where runs.customer_id = ?`
const open = "status in ('queued', 'running')"

const sql = {
  insert: insertInto("runs", columns),
  insertSubject: insertInto("run_subjects", ["customer_id", "run_id", ...subject]),
  get: `${select} and id = ?`,
  update: `update runs set ${assign(mutable)} where customer_id = ? and id = ?`,
  overdue: `${select} and ${open} and deadline_at <= ? order by deadline_at, id`,
  nextDeadline: `select deadline_at from runs where customer_id = ? and ${open} order by deadline_at limit 1`
}

const conditions = { suite_id: "suite_id = ?", agent_id: "agent_id = ?", status: "status = ?" } as const

export const runs = (database: Database["Type"]): RunRows => {
  const read = reader(database, fromRow)
  return {
    insert: (run) =>
      database.unit(
        run.customer_id,
        Effect.zipRight(
          database.run(run.customer_id, sql.insert, [...pick(run, fixed), ...mutableOf(run)]),
          Effect.asVoid(
            database.run(run.customer_id, sql.insertSubject, [
              run.customer_id,
              run.id,
              JSON.stringify(run.judges),
              JSON.stringify(run.subject)
            ])
          )
        )
      ),
    get: (workspace_id, id) => read.one(workspace_id, sql.get, id),
    list: (workspace_id, filter, page) => {
      const { params, where } = filtered(["customer_id = ?"], conditions, filter)
      const texts = pageOf({ table: "runs", columns: both, where, order: "id desc", join })
      return read.page(workspace_id, texts, page, ...params)
    },
    update: (run) =>
      Effect.asVoid(database.run(run.customer_id, sql.update, [...mutableOf(run), run.customer_id, run.id])),
    overdue: (workspace_id, now) => read.all(workspace_id, sql.overdue, now),
    nextDeadline: (workspace_id) => column<number>(database, "deadline_at")(workspace_id, sql.nextDeadline)
  }
}
