import { Context, type Effect, type Stream } from "effect"
import type { Parameters } from "../messages/Parameters.ts"
import type { Template } from "../templates/Template.ts"
import type { CallProgress, CarrierUnreachable, DialInDoubt, DialRefused } from "./CallDialer.ts"

/** Everything that a provider needs to send one message. */
export interface MessageRequest {
  /** The attempt's id. A provider that can hands it back with what it tells of the message. */
  readonly key: string
  readonly workspace_id: string
  readonly call_id: string
  readonly session_id: string
  readonly to_number: string
  readonly from_number: string
  readonly template: Template
  /** What the template's placeholders are replaced by. */
  readonly parameters: Parameters
}

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
