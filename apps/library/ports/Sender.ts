import { type Chunk, Effect, Layer } from "effect"
import { CarrierReports } from "../../../core/engine/CarrierReports.ts"
import * as SenderCircuit from "../../../core/engine/SenderCircuit.ts"
import type { CallProgress } from "../../../core/model/calls/CarrierProgress.ts"
import type { MessageRequest } from "../../../core/model/messages/MessageRequest.ts"
import type { Reply } from "../../../core/model/messages/Reply.ts"
import { CarrierUnreachable, DialInDoubt, DialRefused } from "../../../core/ports/CallDialer.ts"
import { MessageSender } from "../../../core/ports/MessageSender.ts"
import { type Answer, anything, asking, hearing, type Listening, type OnError } from "./Lift.ts"
import { CallProgressSchema, Id, ReplySchema } from "./Told.ts"

/**
 * A provider of messages of your own, for campaigns of channel `msg`. Each attempt is sent under one key, at most
 * once: what `send` throws says whether that has happened.
 *
 * - `DialRefused`: the provider said no for good. The message ends or is tried again, as its outcome says.
 * - `CarrierUnreachable`: the request certainly never arrived. The same message is sent again, under the same key.
 * - `DialInDoubt`, anything else that is thrown, and an answer that is no text: it is not known. If no progress comes within two minutes either,
 *   the message ends as `unknown`, `in_doubt`, and is never sent again.
 *
 * A request that takes longer than 15 seconds is in doubt, and its signal is aborted. After five failures in a row
 * nothing is sent until `ping` succeeds.
 */
export interface Sender {
  /** Sends the message, and answers the provider's own id once the provider has taken it. */
  readonly send: (request: MessageRequest, signal: AbortSignal) => Answer<string>
  /** A harmless request that tells whether the provider answers. Without it, it is taken to. */
  readonly ping?: ((signal: AbortSignal) => Answer<void>) | undefined
  /**
   * Called once, with what takes progress, told by the message's key: `{_tag: "Sent", at}`, and at the end
   * `{_tag: "Ended", outcome: "delivered" | "failed", …}`, `at` in epoch milliseconds. It may come late, twice or
   * out of order; a message of which none comes ends as `sent` after ten minutes. What it answers is called at the
   * end.
   */
  readonly onProgress?: Listening<CallProgress> | undefined
  /** Called once, with what takes messages that customers send. What it answers is called at the end. */
  readonly onReply?: Listening<Reply> | undefined
}

const sending = asking<DialRefused | CarrierUnreachable | DialInDoubt>(
  [DialRefused, CarrierUnreachable, DialInDoubt],
  () => new DialInDoubt({ message: "the provider's send failed for a reason of its own" })
)
const pinging = asking(
  [CarrierUnreachable],
  () => new CarrierUnreachable({ message: "the provider does not answer" })
)

export const layer = (sender: Sender, onError: OnError): Layer.Layer<MessageSender, never, CarrierReports> =>
  Layer.scoped(
    MessageSender,
    Effect.gen(function* () {
      const reports = yield* CarrierReports
      const replied = (chunk: Chunk.Chunk<Reply>) => Effect.forEach(chunk, reports.reply, { discard: true })
      yield* hearing(
        "sender.onProgress",
        CallProgressSchema,
        sender.onProgress?.bind(sender),
        onError,
        reports.record
      )
      yield* hearing("sender.onReply", ReplySchema, sender.onReply?.bind(sender), onError, replied)
      const [send, ping] = [sending(onError), pinging(onError)]
      return yield* SenderCircuit.make({
        send: (request) => send("sender.send", Id, (signal) => sender.send(request, signal)),
        ping:
          sender.ping === undefined
            ? Effect.void
            : ping("sender.ping", anything, (signal) => sender.ping!(signal))
      })
    })
  )
