import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Queue, TestClock } from "effect"
import { asText, inTurn, listen } from "../../Listener.ts"
import { awaitSleepUntil, connectTo } from "./Client.ts"
import { type Asked, competent, refuse, say, turn } from "./OpenAiServer.ts"

const busy = (header?: string) => (asked: Asked) =>
  refuse(asked, 429, header === undefined ? {} : { "retry-after": header })

describe("a model that takes no more for the moment", () => {
  it.scoped.each([
    ["7", 7_000],
    ["Thu, 01 Jan 1970 00:00:09 GMT", 9_000],
    ["Thursday, 01-Jan-70 00:00:11 GMT", 11_000],
    ["0.5", 500],
    ["0", 200],
    [undefined, 1_000],
    ["soon", 1_000]
  ] as const)("is left alone for as long as it says (%s), and then asked again", ([header, until]) =>
    Effect.gen(function* () {
      const model = yield* connectTo(inTurn(busy(header), competent))
      const verb = yield* Effect.fork(model.personaTurn)
      yield* awaitSleepUntil(until)
      yield* TestClock.adjust(until - 1)
      assert.strictEqual(yield* Queue.size(model.received), 1)
      yield* TestClock.adjust(1)
      assert.strictEqual((yield* Fiber.join(verb)).text, turn.text)
      assert.strictEqual(yield* Queue.size(model.received), 2)
    })
  )

  it.scoped.each([
    ["61", 61],
    ["Thu, 01 Jan 1970 00:02:00 GMT", 120],
    ["99999999", 3_600]
  ] as const)(
    "is ModelBusy at once when it wants longer than the deadline allows (%s)",
    ([header, seconds]) =>
      Effect.gen(function* () {
        const model = yield* connectTo(busy(header))
        const failure = yield* Effect.flip(model.personaTurn)
        assert.strictEqual(failure._tag, "ModelBusy")
        assert.strictEqual(failure._tag === "ModelBusy" && failure.retry_after, seconds)
        assert.strictEqual(yield* Queue.size(model.received), 1)
      })
  )

  it.scoped("is sent no other request meanwhile", () =>
    Effect.gen(function* () {
      const model = yield* connectTo(inTurn(busy("30"), competent))
      const first = yield* Effect.fork(model.personaTurn)
      yield* awaitSleepUntil(30_000)
      const others = yield* Effect.fork(Effect.all([model.personaTurn, model.judge], { concurrency: 2 }))
      yield* TestClock.adjust("29 seconds")
      assert.strictEqual(yield* Queue.size(model.received), 1)
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(first)
      yield* Fiber.join(others)
      assert.strictEqual(yield* Queue.size(model.received), 4)
    })
  )

  it.scoped("is asked less and less often while it keeps saying 0", () =>
    Effect.gen(function* () {
      const model = yield* connectTo(busy("0"), { timeout: "20 seconds" })
      const verb = yield* Effect.fork(Effect.flip(model.personaTurn))
      for (const at of [200, 600, 1_400, 3_000, 6_200, 11_200, 16_200]) {
        yield* awaitSleepUntil(at)
        yield* TestClock.setTime(at)
      }
      const failure = yield* Fiber.join(verb)
      assert.strictEqual(failure._tag, "ModelBusy")
      assert.strictEqual(yield* Queue.size(model.received), 8)
    })
  )
})

describe("requests in flight", () => {
  it.scoped.each([50, 3] as const)("are never more than %i, and as many as that", (concurrency) =>
    Effect.gen(function* () {
      const held: Array<Asked> = []
      let isOpen = false
      const model = yield* connectTo(
        (asked) => {
          if (isOpen) say(asked, turn)
          else held.push(asked)
        },
        concurrency === 50 ? {} : { concurrency }
      )
      const verbs = yield* Effect.fork(
        Effect.all(
          Array.from({ length: 160 }, () => model.personaTurn),
          { concurrency: "unbounded" }
        )
      )
      const first = yield* Queue.takeN(model.received, concurrency)
      assert.strictEqual(first.length, concurrency)
      const other = yield* listen(asText, ({ response }) => response.end())
      yield* Effect.promise(() => fetch(other.url).then((response) => response.text()))
      assert.strictEqual(yield* Queue.size(model.received), 0)
      say(held.shift()!, turn)
      yield* Queue.take(model.received)
      assert.strictEqual(model.most(), concurrency)
      isOpen = true
      for (const asked of held) say(asked, turn)
      const turns = yield* Fiber.join(verbs)
      assert.strictEqual(turns.length, 160)
      assert.strictEqual(model.most(), concurrency)
    })
  )

  it.scoped("free their place when they fail or are interrupted", () =>
    Effect.gen(function* () {
      const model = yield* connectTo(
        inTurn(
          () => {},
          (asked) => refuse(asked, 500),
          competent
        ),
        { concurrency: 1 }
      )
      const interrupted = yield* Effect.fork(model.personaTurn)
      yield* Queue.take(model.received)
      yield* Fiber.interrupt(interrupted)
      yield* Effect.flip(model.personaTurn)
      assert.strictEqual((yield* model.personaTurn).text, turn.text)
    })
  )

  it.scoped("a verb that finds no place in time has ModelTimedOut", () =>
    Effect.gen(function* () {
      const model = yield* connectTo(() => {}, { concurrency: 1, timeout: "5 seconds" })
      const first = yield* Effect.fork(Effect.flip(model.personaTurn))
      yield* Queue.take(model.received)
      const second = yield* Effect.fork(Effect.flip(model.judge))
      yield* awaitSleepUntil(5_000)
      yield* Effect.yieldNow()
      yield* TestClock.adjust("5 seconds")
      assert.strictEqual((yield* Fiber.join(first))._tag, "ModelTimedOut")
      assert.strictEqual((yield* Fiber.join(second))._tag, "ModelTimedOut")
      assert.strictEqual(yield* Queue.size(model.received), 0)
    })
  )
})
