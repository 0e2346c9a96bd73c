import { Context, type Effect, type Stream } from "effect"
import type { CallProgress } from "../model/calls/CarrierProgress.ts"
import type { MessageRequest } from "../model/messages/MessageRequest.ts"
import type { CarrierUnreachable, DialInDoubt, DialRefused } from "./CallDialer.ts"

/** A message that a customer has sent to a number of ours. */
export interface Reply {
  readonly from_number: string
  readonly to_number: string
  /** Epoch milliseconds. */
  readonly at: number
}

/** Sends messages through a provider. `make(driver)` in SenderCircuit adds what all providers share. */
export class MessageSender extends Context.Tag("outdial/MessageSender")<
  MessageSender,
  {
    /** Sends once. Succeeds with the provider's id once the provider has taken the message. */
    readonly send: (
      request: MessageRequest
    ) => Effect.Effect<string, DialRefused | CarrierUnreachable | DialInDoubt>
    /**
     * What this process hears of messages by itself: `Sent`, or `Ended` with outcome delivered or failed.
     * Providers that call back over HTTP have a receiver instead.
     */
    readonly progress: Stream.Stream<CallProgress>
    /** What this process hears from customers by itself. */
    readonly replies: Stream.Stream<Reply>
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
  readonly progress: Stream.Stream<CallProgress>
  readonly replies: Stream.Stream<Reply>
  /** A harmless request that tells whether the provider answers. */
  readonly ping: Effect.Effect<void, CarrierUnreachable>
}
