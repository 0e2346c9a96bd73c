import { Data } from "effect"

/** The command cannot be done, for a reason that its user can mend. */
export class CommandFailed extends Data.TaggedError("CommandFailed")<{ readonly message: string }> {}

/** The command has said all that it had to say, and something is amiss. */
export class Unhealthy extends Data.TaggedError("Unhealthy") {}
