import { Context, type Effect } from "effect"
import type { MessageRequest } from "../model/messages/MessageRequest.ts"
import type { CarrierUnreachable, DialInDoubt, DialRefused } from "./CallDialer.ts"

/**
 * Sends messages through a provider. `SenderCircuit.make(driver)` adds what all providers share. An adapter reports to
 * `CarrierReports` what becomes of a message (`Sent`, or `Ended` with outcome delivered or failed), and what customers
 * send.
 */
export class MessageSender extends Context.Tag("outdial/MessageSender")<
  MessageSender,
  {
    /** Sends once. Succeeds with the provider's id once the provider has taken the message. */
    readonly send: (
      request: MessageRequest
    ) => Effect.Effect<string, DialRefused | CarrierUnreachable | DialInDoubt>
    /** False while the provider's circuit is open: nothing is sent. */
    readonly available: Effect.Effect<boolean>
    /** Completes when the provider is available, at once if it is. */
    readonly awaitAvailable: Effect.Effect<void>
  }
>() {}

/** What one provider's adapter supplies. */
export interface SenderDriver {
  readonly send: (
    request: MessageRequest
  ) => Effect.Effect<string, DialRefused | CarrierUnreachable | DialInDoubt>
  /** A harmless request that tells whether the provider answers. */
  readonly ping: Effect.Effect<void, CarrierUnreachable>
}
