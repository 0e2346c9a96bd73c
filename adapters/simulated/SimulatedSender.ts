import { Context, Effect, Layer, Queue, Ref, type Scope, Stream } from "effect"
import { CarrierReports, relay } from "../../core/engine/CarrierReports.ts"
import type { CircuitOptions } from "../../core/engine/Circuit.ts"
import * as SenderCircuit from "../../core/engine/SenderCircuit.ts"
import type { CallProgress, Progress } from "../../core/model/calls/CarrierProgress.ts"
import type { MessageRequest } from "../../core/model/messages/MessageRequest.ts"
import type { Reply } from "../../core/model/messages/Reply.ts"
import { CarrierUnreachable, DialInDoubt, DialRefused } from "../../core/ports/CallDialer.ts"
import { MessageSender, type SenderDriver } from "../../core/ports/MessageSender.ts"
import { makeForwardTime } from "../../core/ports/MonotonicTime.ts"
import * as DueQueue from "./DueQueue.ts"
import { makeDueTimer } from "./DueTimer.ts"

/** What became of a message, `after` seconds after it was sent. */
type Cue = readonly [after: number, what: "sent" | "delivered" | "failed" | "reply"]

/** The course of a message, chosen by the last four digits of the number that it goes to. */
const courseOf = (to_number: string): ReadonlyArray<Cue> => {
  switch (to_number.slice(-4)) {
    case "0003":
      return [[1, "failed"]]
    case "0008":
      return [[1, "sent"]]
    case "0010":
      return [
        [1, "sent"],
        [2, "delivered"],
        [10, "reply"]
      ]
    default:
      return [
        [1, "sent"],
        [2, "delivered"]
      ]
  }
}

const refusals: Readonly<Record<string, DialRefused>> = {
  "0005": new DialRefused({
    outcome: "rejected",
    sub_status: "do_not_call",
    code: "opted_out",
    message: "The person wants no messages"
  }),
  "0007": new DialRefused({
    outcome: "failed",
    sub_status: "invalid_number",
    code: "invalid_number",
    message: "The number has no account on the channel"
  })
}

const progressOf = (what: Exclude<Cue[1], "reply">, at: number): Progress =>
  what === "sent"
    ? { _tag: "Sent", at }
    : {
        _tag: "Ended",
        at,
        outcome: what,
        sub_status: what === "failed" ? "carrier_error" : null,
        duration_seconds: 0,
        error_code: what === "failed" ? "undeliverable" : null,
        error_message: what === "failed" ? "The message could not be delivered" : null
      }

/** A message that was received, for tests to look at. */
export type Received = Pick<
  MessageRequest,
  "key" | "workspace_id" | "to_number" | "from_number" | "parameters"
> & {
  readonly template: string
}

/** What the simulated provider has received, oldest first. */
export class MessageLedger extends Context.Tag("outdial/simulated/MessageLedger")<
  MessageLedger,
  {
    readonly messages: Effect.Effect<ReadonlyArray<Received>>
    /** From now on nothing arrives; false: all is well again. */
    readonly fail: (fails: boolean) => Effect.Effect<void>
  }
>() {}

export interface SimulatedSenderOptions {
  /** What durations are divided by; Infinity: no delays. Default 1. */
  readonly speed?: number | undefined
  readonly circuit?: CircuitOptions | undefined
}

const mostKept = 100_000

const make = Effect.fnUntraced(function* ({
  speed = 1
}: SimulatedSenderOptions): Effect.fn.Return<
  { readonly driver: SenderDriver; readonly ledger: Context.Tag.Service<MessageLedger> },
  never,
  CarrierReports | Scope.Scope
> {
  const progress = yield* Queue.unbounded<CallProgress>()
  const replies = yield* Queue.unbounded<Reply>()
  const reports = yield* CarrierReports
  yield* relay(Stream.fromQueue(progress), reports.record)
  yield* relay(Stream.fromQueue(replies), (chunk) => Effect.forEach(chunk, reports.reply, { discard: true }))
  const failing = yield* Ref.make(false)
  const received: Array<Received> = []
  /** Keys that were received: a second message under one is not sent again. */
  const known = new Set<string>()
  const due = DueQueue.make<() => void>()

  const advance = (now: number) => {
    for (let tell = due.take(now); tell !== undefined; tell = due.take(now)) tell()
  }
  const time = yield* makeForwardTime
  const reschedule = yield* makeDueTimer(time, advance, due.next)

  const arrive = Effect.flatMap(Ref.get(failing), (fails) =>
    fails ? new CarrierUnreachable({ message: "the simulated provider is out of reach" }) : Effect.void
  )

  const file = (request: MessageRequest, now: number) => {
    const { from_number, key, parameters, template, to_number, workspace_id } = request
    if (known.has(key)) return
    known.add(key)
    received.push({ key, workspace_id, to_number, from_number, parameters, template: template.name })
    if (received.length > mostKept) for (const { key } of received.splice(0, mostKept / 2)) known.delete(key)
    for (const [after, what] of courseOf(to_number)) {
      const at = now + Math.round((after * 1_000) / speed)
      due.add(at, () =>
        what === "reply"
          ? replies.unsafeOffer({ from_number: to_number, to_number: from_number, at, text: "Yes, please." })
          : progress.unsafeOffer({ workspace_id, key, progress: progressOf(what, at) })
      )
    }
    reschedule()
  }

  const send = Effect.fnUntraced(function* (request: MessageRequest) {
    yield* arrive
    const digits = request.to_number.slice(-4)
    const refusal = refusals[digits]
    if (refusal !== undefined) return yield* refusal
    if (digits === "0009") {
      yield* Effect.sleep(Math.round(10_000 / speed))
      return yield* new DialInDoubt({ message: "the simulated provider did not answer in time" })
    }
    file(request, yield* time)
    return `simmsg_${request.key}`
  })

  return {
    driver: { send, ping: arrive },
    ledger: {
      messages: Effect.sync(() => [...received]),
      fail: (fails) => Ref.set(failing, fails)
    }
  }
})

/**
 * A provider of messages in this process, and the ledger of what it received. The last four digits of the number
 * choose what happens: 0003 fails, 0005 has opted out, 0007 is no account, 0008 is sent and never delivered, 0009
 * goes unanswered, 0010 is delivered and replies "Yes, please."; anything else is delivered.
 */
export const layer = (
  options: SimulatedSenderOptions = {}
): Layer.Layer<MessageSender | MessageLedger, never, CarrierReports> =>
  Layer.scopedContext(
    Effect.gen(function* () {
      const { driver, ledger } = yield* make(options)
      const sender = yield* SenderCircuit.make(driver, { dialTimeout: Infinity, ...options.circuit })
      return Context.make(MessageSender, sender).pipe(Context.add(MessageLedger, ledger))
    })
  )
