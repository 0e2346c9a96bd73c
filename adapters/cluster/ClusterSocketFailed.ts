import { Data } from "effect"

/** The socket on which the other processes reach this one cannot be opened. */
export class ClusterSocketFailed extends Data.TaggedError("ClusterSocketFailed")<{
  readonly message: string
  readonly cause: unknown
}> {}
