import { Context, Data, type Effect } from "effect"

/** Too many at one time; `retry_after` in seconds. */
export class TooManyRequests extends Data.TaggedError("TooManyRequests")<{ readonly retry_after: number }> {
  override get message() {
    return `too many requests: try again in ${this.retry_after} seconds`
  }
}

/** What a workspace may do how often. */
export class RateLimits extends Context.Tag("outdial/RateLimits")<
  RateLimits,
  {
    /** Takes one of the workspace's generations of scenarios. Of any number of racers no more get one than there are. */
    readonly generation: (workspace_id: string) => Effect.Effect<void, TooManyRequests>
  }
>() {}
