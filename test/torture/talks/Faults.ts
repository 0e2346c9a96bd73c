import type { Patch } from "../../programs/Programs.ts"
import * as Presets from "./Presets.ts"
import type { Scenario } from "./Scenario.ts"
import type { Promised } from "./Verdict.ts"

/** A mistake that is planted in the sources, and the promises of which it must break at least one. */
export interface Fault {
  readonly name: string
  readonly patches: ReadonlyArray<Patch>
  readonly breaks: ReadonlyArray<Promised>
}

/** What ends in a turn waits for the next slice. */
const unhurried: Patch = {
  file: "core/engine/StoredConversation.ts",
  find: "journal.hurry()",
  put: ""
}

const unflushed: Patch = { file: "core/engine/ToolUses.ts", find: "yield* journal.flush\n", put: "\n" }

export const faults: ReadonlyArray<Fault> = [
  {
    name: "a tool is carried out again when its answer was lost",
    patches: [
      {
        file: "core/engine/ToolUses.ts",
        find: "toolOf(use.name)?.repeatable === true ? use : { ...use, result: unknown }",
        put: "toolOf(use.name)?.repeatable === true || unknown !== null ? use : { ...use, result: unknown }"
      }
    ],
    breaks: ["no tool carried out twice"]
  },
  {
    name: "a tool is carried out before its use is stored",
    patches: [unhurried, unflushed],
    breaks: ["no tool carried out twice"]
  },
  {
    name: "the journal is written every ten seconds",
    patches: [
      unhurried,
      unflushed,
      {
        file: "core/engine/JournalWriter.ts",
        find: "const interval = second",
        put: "const interval = 10 * second"
      }
    ],
    breaks: ["all that was heard is in the history, but for the last second"]
  }
]

/** The scenario that shows a fault. */
export const scenarioOf = ({ patches }: Fault, seed: number, say: (line: string) => void): Scenario => ({
  ...Presets.short,
  kills: 4,
  lines: 12,
  clause: 100,
  apart: 2_500,
  seed,
  patches,
  say
})
