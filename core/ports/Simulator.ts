import { Context, Data, type Effect } from "effect"
import type { Plan, Run } from "../model/simulation/Plan.ts"

/** So many simulations are under way that this one did not get its turn. */
export class SimulatorBusy extends Data.TaggedError("SimulatorBusy")<{}> {
  override readonly message = "another simulation is under way; send the same request again later"
}

/** There is nothing here that simulates. */
export class SimulatorMissing extends Data.TaggedError("SimulatorMissing")<{}> {
  override readonly message = "campaigns cannot be simulated here"
}

/** It takes longer, or more memory, than it may. */
export class SimulationTooLong extends Data.TaggedError("SimulationTooLong")<{}> {
  override readonly message = "the simulation took too long: ask for fewer seeds"
}

/** Plays campaigns in virtual time, beside whatever else the process does. */
export class Simulator extends Context.Tag("outdial/Simulator")<
  Simulator,
  {
    /** One run for each seed, in their order. The same plan and seed have the same run. */
    readonly play: (
      plan: Plan,
      seeds: ReadonlyArray<number>
    ) => Effect.Effect<ReadonlyArray<Run>, SimulatorBusy | SimulationTooLong>
  }
>() {}
