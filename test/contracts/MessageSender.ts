import { Context, Deferred, Effect, Layer } from "effect"
import { assert, layer } from "@effect/vitest"
import { CarrierReports } from "../../core/engine/CarrierReports.ts"
import type { CallProgress, Progress } from "../../core/model/calls/CarrierProgress.ts"
import type { MessageRequest } from "../../core/model/messages/MessageRequest.ts"
import type { Reply } from "../../core/model/messages/Reply.ts"
import { MessageSender } from "../../core/ports/MessageSender.ts"
import { makeTemplate } from "./repository/Fixtures.ts"

export const from_number = "+15557654321"

export const messageRequest = (
  key: string,
  to_number: string,
  over: Partial<MessageRequest> = {}
): MessageRequest => ({
  key,
  workspace_id: "ws_1",
  call_id: `msg_of_${key}`,
  session_id: `sess_of_${key}`,
  to_number,
  from_number,
  template: makeTemplate(1, { status: "approved", provider_template_id: "1" }),
  parameters: { header: new Map(), body: new Map([["1", "Ada"]]), buttons: new Map() },
  ...over
})

/** How a provider calls what it refuses. */
export interface Codes {
  readonly opted_out: string
  readonly no_account: string
  readonly undeliverable: string
}

/** How often a provider has received a message under a key. */
export class Received extends Context.Tag("test/messages/Received")<
  Received,
  { readonly messages: (key: string) => Effect.Effect<number> }
>() {}

/** Takes all that a provider reports, and lets a test wait for what it needs. */
class Ear extends Context.Tag("test/messages/Ear")<
  Ear,
  {
    readonly progress: (
      key: string,
      condition: (progress: ReadonlyArray<Progress>) => boolean
    ) => Effect.Effect<ReadonlyArray<Progress>>
    /** The next reply of a customer. */
    readonly reply: (from_number: string) => Effect.Effect<Reply>
  }
>() {
  static readonly layer: Layer.Layer<Ear | CarrierReports> = Layer.effectContext(
    Effect.sync(() => {
      const heard: Array<CallProgress> = []
      const replies: Array<Reply> = []
      const waiting = new Set<() => void>()
      const checked = (take: () => void) =>
        Effect.sync(() => {
          take()
          for (const check of waiting) check()
        })
      const reports = CarrierReports.of({
        record: (batch) => checked(() => heard.push(...batch)),
        reply: (reply) => checked(() => replies.push(reply))
      })
      const until = <A>(find: () => A | undefined) =>
        Effect.gen(function* () {
          const found = yield* Deferred.make<A>()
          const check = () => {
            const value = find()
            if (value !== undefined) Deferred.unsafeDone(found, Effect.succeed(value))
          }
          waiting.add(check)
          check()
          return yield* Effect.ensuring(
            Deferred.await(found),
            Effect.sync(() => waiting.delete(check))
          )
        })
      return Context.make(CarrierReports, reports).pipe(
        Context.add(Ear, {
          progress: (key, condition) =>
            until(() => {
              const told = heard.filter((each) => each.key === key).map(({ progress }) => progress)
              return condition(told) ? told : undefined
            }),
          reply: (from) => until(() => replies.find(({ from_number }) => from_number === from))
        })
      )
    })
  )
}

const has = (tag: Progress["_tag"]) => (progress: ReadonlyArray<Progress>) =>
  progress.some(({ _tag }) => _tag === tag)

const endOf = (progress: ReadonlyArray<Progress>) => {
  const end = progress.find((each) => each._tag === "Ended")
  assert.isDefined(end)
  return end!
}

let keys = 0
const newKey = () => `att_${process.pid}_${keys++}`

/**
 * What every adapter of a provider of messages does. The number that is written to chooses what happens, as the
 * simulated provider has it; `provider` tells of messages at a speed at which a test can wait, and its clock is the
 * real one.
 */
export const messageSenderContract = <E>(
  name: string,
  provider: Layer.Layer<MessageSender | Received, E, CarrierReports>,
  codes: Codes
) =>
  layer(provider.pipe(Layer.provideMerge(Ear.layer)), { excludeTestServices: true })(name, (it) => {
    it.effect("a message is taken under the provider's id, told as sent, then as delivered", () =>
      Effect.gen(function* () {
        const key = newKey()
        const began = Date.now()
        const id = yield* (yield* MessageSender).send(messageRequest(key, "+15550001234"))
        assert.notStrictEqual(id, "")
        const told = yield* (yield* Ear).progress(key, has("Ended"))
        assert.strictEqual(told[0]?._tag, "Sent")
        const end = endOf(told)
        assert.deepInclude(end, {
          outcome: "delivered",
          sub_status: null,
          duration_seconds: 0,
          error_code: null,
          error_message: null
        })
        assert.isAtLeast(end.at, told[0]!.at)
        assert.isTrue(told.every(({ at }) => at >= began && at <= Date.now() + 1))
      })
    )

    it.effect("a number that ends in 0003 fails after the message was taken, and it is told why", () =>
      Effect.gen(function* () {
        const key = newKey()
        yield* (yield* MessageSender).send(messageRequest(key, "+15550000003"))
        const end = endOf(yield* (yield* Ear).progress(key, has("Ended")))
        assert.deepInclude(end, {
          outcome: "failed",
          sub_status: "carrier_error",
          error_code: codes.undeliverable
        })
        assert.isNotEmpty(end.error_message)
        assert.notMatch(end.error_message!, /\d/)
      })
    )

    for (const [digits, what, outcome, sub_status, code] of [
      ["0005", "wants no messages", "rejected", "do_not_call", codes.opted_out],
      ["0007", "has no account", "failed", "invalid_number", codes.no_account]
    ] as const) {
      it.effect(`a number that ends in ${digits} ${what}: the message is refused for good`, () =>
        Effect.gen(function* () {
          const refusal = yield* Effect.flip(
            (yield* MessageSender).send(messageRequest(newKey(), `+1555000${digits}`))
          )
          assert.strictEqual(refusal._tag, "DialRefused")
          if (refusal._tag !== "DialRefused") return
          assert.deepStrictEqual(
            [refusal.outcome, refusal.sub_status, refusal.code],
            [outcome, sub_status, code]
          )
          assert.notMatch(refusal.message, /\d/)
        })
      )
    }

    it.effect("a number that ends in 0008 is told as sent, and no more", () =>
      Effect.gen(function* () {
        const sender = yield* MessageSender
        const ear = yield* Ear
        const [silent, other] = [newKey(), newKey()]
        yield* sender.send(messageRequest(silent, "+15550000008"))
        yield* ear.progress(silent, has("Sent"))
        yield* sender.send(messageRequest(other, "+15550001234"))
        yield* ear.progress(other, has("Ended"))
        const told = yield* ear.progress(silent, () => true)
        assert.deepStrictEqual(
          told.map(({ _tag }) => _tag),
          ["Sent"]
        )
      })
    )

    it.effect("a number that ends in 0009 leaves the message in doubt", () =>
      Effect.gen(function* () {
        const doubt = yield* Effect.flip(
          (yield* MessageSender).send(messageRequest(newKey(), "+15550000009"))
        )
        assert.strictEqual(doubt._tag, "DialInDoubt")
        assert.notMatch(doubt.message, /\d{4}/)
      })
    )

    it.effect("a number that ends in 0010 replies, to the number that wrote to it", () =>
      Effect.gen(function* () {
        const began = Date.now()
        const to_number = "+15550100010"
        yield* (yield* MessageSender).send(messageRequest(newKey(), to_number))
        const reply = yield* (yield* Ear).reply(to_number)
        assert.strictEqual(reply.to_number, from_number)
        // A provider may tell the time in whole seconds.
        assert.isAtLeast(reply.at, began - 1_000)
        assert.isAtMost(reply.at, Date.now())
      })
    )

    it.effect("a message is received once for each time that it is sent", () =>
      Effect.gen(function* () {
        const sender = yield* MessageSender
        const received = yield* Received
        const [one, other] = [newKey(), newKey()]
        yield* sender.send(messageRequest(one, "+15550001234"))
        yield* sender.send(messageRequest(other, "+15550001234"))
        assert.deepStrictEqual([yield* received.messages(one), yield* received.messages(other)], [1, 1])
        assert.strictEqual(yield* received.messages(newKey()), 0)
      })
    )

    it.effect("messages side by side are told each under its own key", () =>
      Effect.gen(function* () {
        const sender = yield* MessageSender
        const ear = yield* Ear
        const sent = yield* Effect.forEach(
          Array.from({ length: 100 }, (_, i) => [newKey(), i % 2 === 0 ? "0003" : "1234"] as const),
          ([key, digits]) =>
            Effect.as(sender.send(messageRequest(key, `+1555000${digits}`)), [key, digits] as const),
          { concurrency: "unbounded" }
        )
        for (const [key, digits] of sent) {
          const { outcome } = endOf(yield* ear.progress(key, has("Ended")))
          assert.strictEqual(outcome, digits === "0003" ? "failed" : "delivered")
        }
      })
    )

    it.effect("the provider is available", () =>
      Effect.gen(function* () {
        const { available, awaitAvailable } = yield* MessageSender
        yield* awaitAvailable
        assert.isTrue(yield* available)
      })
    )
  })
