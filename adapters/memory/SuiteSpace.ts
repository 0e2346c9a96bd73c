import type { Hold } from "../../core/ports/SuiteRows.ts"
import type { Play } from "../../core/suites/Play.ts"
import type { Run } from "../../core/suites/Run.ts"
import { isOpen } from "../../core/suites/RunMachine.ts"
import type { Suite } from "../../core/suites/Suite.ts"
import type { Journal } from "./Journal.ts"
import { byText } from "./SortedSet.ts"
import { Table } from "./Table.ts"

export const makeSuites = (journal: Journal) => {
  const table = new Table<Suite>(journal, ({ id }) => id)
  return { table, byName: table.index((left, right) => byText(left.name, right.name)) }
}

export const makeRuns = (journal: Journal) => {
  const table = new Table<Run>(journal, ({ id }) => id)
  return {
    table,
    /** By deadline. */
    open: table.index(
      (left, right) => left.deadline_at - right.deadline_at || byText(left.id, right.id),
      isOpen
    )
  }
}

export const makePlays = (journal: Journal) => {
  const table = new Table<Play>(journal, ({ id }) => id)
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

export const makeHolds = (journal: Journal) => {
  const table = new Table<Hold>(journal, ({ id }) => id)
  return {
    table,
    expiring: table.index((left, right) => left.expires_at - right.expires_at || byText(left.id, right.id))
  }
}
