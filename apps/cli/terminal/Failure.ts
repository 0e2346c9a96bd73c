import { Data } from "effect"

/** The command cannot be done, for a reason that its user can mend. */
export class CommandFailed extends Data.TaggedError("CommandFailed")<{ readonly message: string }> {}

/** The command has printed its result, and that is not a good one: it ends with 1. */
export class Unhealthy extends Data.TaggedError("Unhealthy") {}
