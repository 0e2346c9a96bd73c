import { Effect } from "effect"
import type { Play } from "../../core/model/suites/Play.ts"
import type { Scenario } from "../../core/model/suites/Suite.ts"
import type { PlayRows } from "../../core/ports/SuiteRows.ts"
import type { Database, Param } from "./Database.ts"
import {
  asIs,
  assign,
  changes,
  column,
  first,
  insertInto,
  ownersOf,
  pick,
  prefixed,
  write
} from "./Statements.ts"

const fixed = ["id", "customer_id", "run_id", "position", "run_index"] as const
const plain = ["status", "due_at", "failures", "updated_at", "version", "error"] as const
const mutable = [...plain, "open", "over", "judgments", "transcript"]
const columns = [...fixed, "scenario_id", ...mutable]

interface PlayRow extends Omit<Play, "open" | "over" | "judgments" | "transcript" | "scenario"> {
  readonly open: number
  readonly over: number
  readonly judgments: string
  readonly transcript: string
  readonly scenario: string
}

const mutableOf = (play: Play): Array<Param> => [
  ...pick(play, plain),
  Number(play.open),
  Number(play.over),
  JSON.stringify(play.judgments),
  JSON.stringify(play.transcript)
]

const fromRow = (row: PlayRow, scenario: Scenario): Play => ({
  id: row.id,
  customer_id: row.customer_id,
  run_id: row.run_id,
  position: row.position,
  run_index: row.run_index,
  scenario,
  open: row.open === 1,
  over: row.over === 1,
  status: row.status,
  transcript: JSON.parse(row.transcript) as Play["transcript"],
  judgments: JSON.parse(row.judgments) as Play["judgments"],
  error: row.error,
  due_at: row.due_at,
  failures: row.failures,
  updated_at: row.updated_at,
  version: row.version
})

/** Plays that have the same scenario share it. */
const fromRows = (rows: ReadonlyArray<PlayRow>): ReadonlyArray<Play> => {
  const scenarios = new Map<string, Scenario>()
  return rows.map((row) => {
    const scenario = scenarios.get(row.scenario) ?? (JSON.parse(row.scenario) as Scenario)
    scenarios.set(row.scenario, scenario)
    return fromRow(row, scenario)
  })
}

const select =
  `select ${prefixed("plays", columns)}, play_scenarios.scenario from plays join play_scenarios ` +
  "on play_scenarios.customer_id = plays.customer_id and play_scenarios.id = plays.scenario_id " +
  "where plays.customer_id = ?"

const sql = {
  insert: insertInto("plays", columns),
  insertScenario: insertInto("play_scenarios", ["customer_id", "id", "scenario"]),
  get: `${select} and plays.id = ?`,
  ofRun: `${select} and plays.run_id = ? order by plays.position`,
  behind: `${select} and plays.run_id = ? and plays.position > ? order by plays.position limit ?`,
  due: `${select} and plays.open = 1 and plays.due_at <= ? order by plays.due_at, plays.id limit ?`,
  nextDue:
    "select due_at from plays where customer_id = ? and open = 1 and due_at > ? order by due_at limit 1",
  update: `update plays set ${assign(mutable)} where customer_id = ? and id = ? and version = ?`,
  close:
    "update plays set open = 0, status = 'error', error = ?, failures = 0, updated_at = ?, " +
    "due_at = case when due_at < ? then due_at else ? end, version = version + 1 where customer_id = ? and run_id = ? and open = 1"
}

export const plays = (database: Database["Type"]): PlayRows => {
  const read = (workspace_id: string, text: string, ...params: ReadonlyArray<Param>) =>
    Effect.map(database.all<PlayRow>(workspace_id, text, [workspace_id, ...params]), fromRows)

  /** A scenario that plays share is stored once, under the id of the first of them. */
  const insert = Effect.fnUntraced(function* (entries: ReadonlyArray<Play>) {
    const firsts = new Map<Scenario, Play>()
    for (const play of entries) {
      const { customer_id, id, scenario } = play
      let shared = firsts.get(scenario)
      if (shared?.customer_id !== customer_id) {
        shared = play
        firsts.set(scenario, play)
        yield* write(database, customer_id, sql.insertScenario, [customer_id, id, JSON.stringify(scenario)])
      }
      yield* write(database, customer_id, sql.insert, [...pick(play, fixed), shared.id, ...mutableOf(play)])
    }
  })

  return {
    insert: (entries) => database.unit(ownersOf(entries), insert(entries)),
    get: (workspace_id, id) => Effect.map(read(workspace_id, sql.get, id), first(asIs)),
    ofRun: (workspace_id, run_id) => read(workspace_id, sql.ofRun, run_id),
    behind: (workspace_id, run_id, position, limit) =>
      read(workspace_id, sql.behind, run_id, position, limit),
    due: (workspace_id, now, limit) => read(workspace_id, sql.due, now, limit),
    nextDue: (workspace_id, after) => column<number>(database, "due_at")(workspace_id, sql.nextDue, after),
    update: (play) =>
      changes(database, play.customer_id, sql.update, [
        ...mutableOf(play),
        play.customer_id,
        play.id,
        play.version - 1
      ]),
    close: (workspace_id, run_id, error, at) =>
      database.run(workspace_id, sql.close, [error, at, at, at, workspace_id, run_id])
  }
}
