import type { Plan, Run } from "../../core/model/simulation/Plan.ts"

/** What the simulating process is asked for. */
export interface Request {
  readonly plan: Plan
  readonly seeds: ReadonlyArray<number>
}

/** What it answers: one run for each seed. */
export type Answer = ReadonlyArray<Run>
