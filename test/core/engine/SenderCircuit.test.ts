import { Effect, Fiber, TestClock } from "effect"
import { assert, describe, it } from "@effect/vitest"
import * as SenderCircuit from "../../../core/engine/SenderCircuit.ts"
import type { MessageRequest } from "../../../core/model/messages/MessageRequest.ts"
import { CarrierUnreachable, DialInDoubt, DialRefused } from "../../../core/ports/CallDialer.ts"
import type { SenderDriver } from "../../../core/ports/MessageSender.ts"
import { templateOf } from "../model/messages/Templates.ts"

const request: MessageRequest = {
  key: "att_1",
  workspace_id: "ws_1",
  call_id: "msg_1",
  session_id: "sess_1",
  to_number: "+14155550123",
  from_number: "+14155550100",
  template: templateOf([{ type: "body", text: "Hi" }]),
  parameters: { header: new Map(), body: new Map(), buttons: new Map() }
}

const away = new CarrierUnreachable({ message: "away" })
const doubt = new DialInDoubt({ message: "?" })
const refusal = new DialRefused({ outcome: "failed", sub_status: "invalid_number", code: "x", message: "x" })

/** A provider whose answers are set by the test, and how often it was asked to send. */
const provider = Effect.gen(function* () {
  const world = { sends: 0, answer: Effect.succeed("id") as ReturnType<SenderDriver["send"]>, there: true }
  const sender = yield* SenderCircuit.make({
    send: () =>
      Effect.suspend(() => {
        world.sends += 1
        return world.answer
      }),
    ping: Effect.suspend(() => (world.there ? Effect.void : away))
  })
  return { world, sender, send: Effect.either(sender.send(request)) }
})

describe("the circuit of a provider of messages", () => {
  it.scoped("passes on what the provider answers, and takes a refusal for an answer", () =>
    Effect.gen(function* () {
      const { send, sender, world } = yield* provider
      assert.strictEqual(yield* sender.send(request), "id")
      world.answer = refusal
      for (let i = 0; i < 20; i++) yield* send
      const refused = yield* Effect.flip(sender.send(request))
      assert.strictEqual(refused._tag === "DialRefused" && refused.sub_status, "invalid_number")
      assert.isTrue(yield* sender.available)
    })
  )

  it.scoped(
    "takes a message that is not answered within 15 seconds for one in doubt, and sends it once",
    () =>
      Effect.gen(function* () {
        const { sender, world } = yield* provider
        world.answer = Effect.never
        const sending = yield* Effect.fork(Effect.flip(sender.send(request)))
        yield* TestClock.adjust("14999 millis")
        assert.isTrue((yield* Fiber.poll(sending))._tag === "None")
        yield* TestClock.adjust("1 millis")
        assert.strictEqual((yield* Fiber.join(sending))._tag, "DialInDoubt")
        assert.strictEqual(world.sends, 1)
      })
  )

  it.scoped(
    "opens after five failures in a row, sends nothing while it is open, and closes with a ping",
    () =>
      Effect.gen(function* () {
        const { send, sender, world } = yield* provider
        world.there = false
        for (const answer of [away, doubt, away, doubt]) {
          world.answer = answer
          yield* send
        }
        assert.isTrue(yield* sender.available)
        world.answer = away
        yield* send
        assert.isFalse(yield* sender.available)
        const waiting = yield* Effect.fork(sender.awaitAvailable)
        world.answer = Effect.succeed("id")
        assert.strictEqual((yield* Effect.flip(sender.send(request)))._tag, "CarrierUnreachable")
        assert.strictEqual(world.sends, 5)
        yield* TestClock.adjust("1 minute")
        assert.isFalse(yield* sender.available)
        world.there = true
        yield* TestClock.adjust("15 seconds")
        yield* Fiber.join(waiting)
        assert.strictEqual(yield* sender.send(request), "id")
      })
  )
})
