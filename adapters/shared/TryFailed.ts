import { Data } from "effect"

/** A try that brought no answer. `error` is a few words, with nothing of the URL in them. */
export class TryFailed extends Data.TaggedError("TryFailed")<{
  /** `refused`: the address may not be called, or the request cannot be written. Nothing was sent. */
  readonly reason: "refused" | "timeout" | "unreachable"
  readonly error: string
  /**
   * What may mend it at once: the connection was never made, so another address of the host may do; or a
   * kept connection turned out closed, so a new one may do.
   */
  readonly remedy: "other_address" | "new_connection" | "none"
}> {}
