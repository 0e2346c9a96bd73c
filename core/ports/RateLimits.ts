import { Context, Data, type Effect } from "effect"

/** Too many at one time; `retry_after` in seconds. */
export class TooManyRequests extends Data.TaggedError("TooManyRequests")<{ readonly retry_after: number }> {
  override get message() {
    return `too many requests: try again in ${this.retry_after} seconds`
  }
}

/** What is left of a credential's requests. */
export interface Quota {
  /** False: this request is one too many. */
  readonly allowed: boolean
  /** Requests at once, and in each window of so many seconds. */
  readonly limit: number
  readonly window: number
  readonly remaining: number
  /** Seconds until all are there again. */
  readonly reset: number
  /** Seconds until one is there again; 0 when there is one. */
  readonly retry_after: number
}

/** What a workspace may do how often. */
export class RateLimits extends Context.Tag("outdial/RateLimits")<
  RateLimits,
  {
    /** Takes one of the workspace's generations of scenarios. Of any number of racers no more get one than there are. */
    readonly generation: (workspace_id: string) => Effect.Effect<void, TooManyRequests>
    /** Takes one of the requests of a credential of the workspace; null when requests are not limited. */
    readonly request: ((workspace_id: string, subject: string) => Effect.Effect<Quota>) | null
  }
>() {}
