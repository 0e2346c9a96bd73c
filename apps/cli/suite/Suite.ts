import { Schema } from "effect"
import { SuiteRecord } from "../../../core/model/suites/Suite.ts"
import * as Flags from "../command/Flags.ts"
import { type Column, moment, pairs, printable, wrap } from "../terminal/Table.ts"
import { Entries } from "./Entries.ts"

/** A test suite as the server writes it. */
export const Suite = Schema.Struct({
  ...SuiteRecord.fields,
  config: Schema.Struct({ judges: Schema.Array(Schema.String), variables: Entries(Schema.String) })
})
export type Suite = typeof Suite.Type
type Scenario = Suite["scenarios"][number]

export const id = Flags.argument("SUITE_ID", "The suite's id, as `suite list` shows it.")

export const path = "/agent-test-suites"
export const pathOf = (suiteId: string): string => `${path}/${encodeURIComponent(suiteId)}`

/** How often its scenarios are played in one run. */
const playsOf = ({ scenarios }: Suite): number => scenarios.reduce((sum, { runs }) => sum + runs, 0)

export const columns: ReadonlyArray<Column<Suite>> = [
  { title: "ID", value: ({ id }) => id },
  { title: "NAME", value: ({ name }) => name },
  { title: "AGENT", value: ({ agent_id }) => agent_id },
  { title: "SCENARIOS", value: ({ scenarios }) => scenarios.length },
  { title: "PLAYS", value: playsOf },
  { title: "CREATED", value: ({ created_at }) => moment(created_at) }
]

export const scenarioColumns: ReadonlyArray<Column<Scenario>> = [
  { title: "SCENARIO", value: ({ label }) => label },
  { title: "PLAYS", value: ({ runs }) => runs },
  { title: "MAX TURNS", value: ({ max_turns }) => max_turns }
]

const standardWidth = 100

/** A text of several lines, each wrapped and indented. */
const indented = (text: string, width: number): ReadonlyArray<string> =>
  text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "")
    .flatMap((line) => wrap(printable(line), Math.max(30, width - 4)).map((part) => `    ${part}`))

const scenarioOf = ({ instructions, label, max_turns, runs }: Scenario, at: number, width: number): string =>
  [
    `${at + 1}. ${printable(label)} (played ${runs === 1 ? "once" : `${runs} times`}, at most ${max_turns} turns)`,
    ...indented(instructions, width)
  ].join("\n")

/** A suite for people: its fields, then every scenario with its instructions. */
export const described = (suite: Suite, width: number = standardWidth): string => {
  const { judges, variables } = suite.config
  const facts = pairs([
    ["ID", suite.id],
    ["NAME", suite.name],
    ["AGENT", suite.agent_id],
    ["JUDGES", judges.join(", ")],
    ...variables.map(([name, value]) => ["VARIABLE", `${name} = ${JSON.stringify(value)}`] as const),
    ["CREATED", moment(suite.created_at)],
    ["CHANGED", moment(suite.updated_at)],
    ["PLAYS", playsOf(suite)]
  ])
  return [facts, ...suite.scenarios.map((scenario, i) => scenarioOf(scenario, i, width))].join("\n\n")
}
