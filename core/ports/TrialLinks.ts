import { Context } from "effect"

/** An address at which an agent is tried out. */
export interface TrialLink {
  /** Absolute: `wss://…` or `ws://…` */
  readonly url: string
  /** Until when a line may be opened there, in epoch milliseconds. */
  readonly expires_at: number
}

/**
 * Addresses of WebSockets at which an agent is tried out without a carrier. Each names one session under a seal and needs
 * no key. All of it is computed, nothing is looked up.
 */
export class TrialLinks extends Context.Tag("outdial/TrialLinks")<
  TrialLinks,
  {
    /** `origin` (`https://host:port`) is where the request has reached the server; a public address that is set wins. */
    readonly make: (
      session: { readonly workspace_id: string; readonly session_id: string },
      now: number,
      origin?: string | undefined
    ) => TrialLink
  }
>() {}
