import type { Failure } from "../../adapters/simulated/CarrierLedger.ts"
import type { EventType } from "../../core/model/webhooks/Webhook.ts"
import type { Callee, Dialled } from "./Callee.ts"
import type { Who } from "./Callees.ts"
import type { ListenOptions } from "./Listener.ts"
import type { Delivered, WebhookHandler } from "./Receiver.ts"
import type { Span } from "./Span.ts"
import type { TenantOptions } from "./Tenant.ts"

export interface TestPlatformOptions extends TenantOptions {
  /** When virtual time begins. Default 2026-01-05T15:00:00Z, a Monday: ten in the morning in New York. */
  readonly start?: Date | string
  /** A whole number that ids, keys, secrets and jitter are made by. Default 1. */
  readonly seed?: number
  /**
   * Whether a number that is dialled needs a callee of the test's own. Without it (the default) such a number does as
   * the simulated carrier has it: 0001 at its end is busy, and so on.
   */
  readonly strict?: boolean
  /** How long time waits for the test's own functions, in real milliseconds. Default 4,000. */
  readonly patience?: number
  /** Settings of the server by name, such as `OUTDIAL_PRICE_PER_MINUTE`. */
  readonly settings?: Readonly<Record<string, string>>
}

export interface NewWebhook {
  /** Where the application would receive it. Default `https://app.test/webhooks`. */
  readonly url?: string
  /** The kinds of events that it receives. Default all. */
  readonly event_types?: ReadonlyArray<EventType>
}

/** A platform in memory, in a time of its own, with one workspace in which a call can be placed at once. */
export interface TestPlatform {
  readonly workspace_id: string
  /** A published voice agent. */
  readonly agent_id: string
  /** The workspace's own number, which calls are dialled from. */
  readonly phone_number_id: string
  /** A key with every scope, for `X-API-KEY`. */
  readonly apiKey: string
  /** `http://outdial.test/v0`, which `fetch` alone reaches. */
  readonly baseUrl: string
  /**
   * Answers requests to the REST interface as the server does. It resolves once everything has happened that follows
   * at the same moment of virtual time: a call that was placed is dialled by then. It is bound: it can be handed over.
   *
   * @throws {TypeError} for another origin
   */
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>
  /** Every dial that reached the carrier so far, oldest first; one under way is added as it happens. */
  readonly dialled: ReadonlyArray<Dialled>
  /** Every try of a webhook event so far, oldest first, failed ones too. */
  readonly delivered: ReadonlyArray<Delivered>
  /** Virtual time. */
  readonly now: Date
  /**
   * Says what becomes of dials to a number (E.164), to numbers with `*` for any digits, to those that match a RegExp,
   * or, with `*` alone, to all others. A number's own callee comes first, then the pattern that was set last.
   *
   * @throws {TypeError} for what is none of these
   */
  readonly callee: (who: Who, callee: Callee) => void
  /** Hands every webhook to the application's own route, whichever address it is for; null: to none. */
  readonly onWebhook: (handler: WebhookHandler | null) => void
  /**
   * Moves virtual time on. Everything that falls due on the way happens in order, and what comes of it too, the
   * application's receivers included, before it resolves. Timers of the application itself are real: they do not move.
   *
   * @throws {RangeError} when it is negative or endless
   * @throws {UnscriptedNumber | CalleeFailed} when a callee is missing, under `strict`, or has thrown
   * @throws {StillWaiting} when a function of the test takes longer than the patience lasts
   * @throws {TimeIsHeld} when it is called by a webhook's receiver or a callee
   */
  readonly advance: (span: Span) => Promise<void>
  /** The same up to a moment, which must not be over. */
  readonly advanceTo: (moment: Date | string) => Promise<void>
  /**
   * The same until nothing is to come any more: no retry, no campaign's next call, no webhook's next try.
   *
   * @throws {NeverIdle} when something is still to come `atMost` (default 30 days) later
   */
  readonly runUntilIdle: (options?: { readonly atMost?: Span }) => Promise<void>
  readonly carrier: {
    /**
     * From now on the carrier fails. `unreachable`: nothing arrives, and the platform knows it; `time_out`: nothing
     * arrives, and no request is answered; `lost_answers`: dials are taken, but their answers get lost.
     */
    readonly fail: (mode: Failure) => Promise<void>
    /** All is well again; the platform finds out at its next probe, within 15 seconds of virtual time. */
    readonly recover: () => Promise<void>
  }
  readonly webhooks: {
    /** Registers an address; its `secret` verifies what is sent there. The application may do so over REST too. */
    readonly create: (
      webhook?: NewWebhook
    ) => Promise<{ readonly id: string; readonly url: string; readonly secret: string }>
    /** Answers webhooks with a status in the receiver's place: `times` of them, or all until `recover`. */
    readonly respond: (status: number, options?: { readonly times?: number }) => void
    /** Webhooks reach their receiver again. */
    readonly recover: () => void
  }
  /** Adds credits to the workspace, a whole number. */
  readonly topUp: (amount: number) => Promise<void>
  /** Listens for software that is not in this process; answers the base URL, `http://127.0.0.1:<port>/v0`. */
  readonly listen: (where?: ListenOptions) => Promise<string>
  /**
   * Ends the platform: to be called when the test ends.
   *
   * @throws {UnscriptedNumber | CalleeFailed} that no `advance` has thrown before
   */
  readonly dispose: () => Promise<void>
}
