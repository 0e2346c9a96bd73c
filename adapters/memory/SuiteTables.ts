import type { Play } from "../../core/model/suites/Play.ts"
import type { Run } from "../../core/model/suites/Run.ts"
import { isOpen } from "../../core/model/suites/RunMachine.ts"
import type { Suite } from "../../core/model/suites/Suite.ts"
import type { Hold } from "../../core/ports/SuiteRows.ts"
import { byText } from "./SortedSet.ts"
import { Table } from "./Table.ts"
import type { UndoLog } from "./UndoLog.ts"

export const makeSuites = (undo: UndoLog) => {
  const table = new Table<Suite>(undo, ({ id }) => id)
  return { table, byName: table.index((left, right) => byText(left.name, right.name)) }
}

export const makeRuns = (undo: UndoLog) => {
  const table = new Table<Run>(undo, ({ id }) => id)
  return {
    table,
    /** By deadline. */
    open: table.index(
      (left, right) => left.deadline_at - right.deadline_at || byText(left.id, right.id),
      isOpen
    )
  }
}

export const makePlays = (undo: UndoLog) => {
  const table = new Table<Play>(undo, ({ id }) => id)
  return {
    table,
    ofRun: table.index(
      (left, right) =>
        byText(left.run_id, right.run_id) || left.position - right.position || byText(left.id, right.id)
    ),
    due: table.index(
      (left, right) => left.due_at - right.due_at || byText(left.id, right.id),
      ({ open }) => open
    )
  }
}

export const makeHolds = (undo: UndoLog) => {
  const table = new Table<Hold>(undo, ({ id }) => id)
  return {
    table,
    expiring: table.index((left, right) => left.expires_at - right.expires_at || byText(left.id, right.id))
  }
}
