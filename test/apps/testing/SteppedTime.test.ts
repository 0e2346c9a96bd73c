import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, ManagedRuntime } from "effect"
import { Callees } from "../../../apps/testing/Callees.ts"
import { busy, type Fate, reject } from "../../../apps/testing/main.ts"
import { Outside } from "../../../apps/testing/Outside.ts"
import { millisOf } from "../../../apps/testing/Span.ts"
import { SteppedTime } from "../../../apps/testing/SteppedTime.ts"
import { Timekeeper } from "../../../apps/testing/Timekeeper.ts"

const make = () => {
  const time = new SteppedTime(1_000)
  const keeper = new Timekeeper(time, new Outside(1_000))
  const runtime = ManagedRuntime.make(Layer.merge(Layer.setClock(time), Layer.setScheduler(time)))
  return { time, keeper, runtime }
}

describe("stepped time", () => {
  it("wakes sleepers at their own times, and those of one time in their order", async () => {
    const { keeper, runtime, time } = make()
    const woken: Array<readonly [string, number]> = []
    const sleeper = (name: string, millis: number) =>
      Effect.map(Effect.sleep(millis), () => woken.push([name, time.unsafeCurrentTimeMillis()]))
    const all = runtime.runFork(
      Effect.all([sleeper("c", 30), sleeper("a", 10), sleeper("b", 10), sleeper("zero", 0)], {
        concurrency: "unbounded"
      })
    )
    await keeper.moveTo(() => 1_029)
    assert.deepStrictEqual(woken, [
      ["zero", 1_000],
      ["a", 1_010],
      ["b", 1_010]
    ])
    assert.strictEqual(time.unsafeCurrentTimeMillis(), 1_029)
    await keeper.moveToIdle(1_000, () => "")
    assert.deepStrictEqual(woken.at(-1), ["c", 1_030])
    assert.isNotNull(all.unsafePoll())
  })

  it("forgets sleepers that were interrupted", async () => {
    const { keeper, runtime, time } = make()
    const fiber = runtime.runFork(Effect.sleep("1 hour"))
    await keeper.drain()
    assert.strictEqual(time.next(), 1_000 + 3_600_000)
    await Effect.runPromise(Fiber.interrupt(fiber))
    await keeper.moveToIdle(1, () => "")
    assert.strictEqual(time.next(), undefined)
  })

  it("runs what is ready to its end, however much comes of it", async () => {
    const { keeper, time } = make()
    let left = 10_000
    const again = () => {
      left -= 1
      if (left > 0) time.scheduleTask(again)
    }
    time.scheduleTask(again)
    await keeper.drain()
    assert.strictEqual(left, 0)
  })
})

describe("a length of time", () => {
  it("is milliseconds, or a text", () => {
    assert.deepStrictEqual(
      [0, 250, "15 minutes", "1 hour", "2 days", "1.5 seconds"].map((span) => millisOf(span as "1 hour")),
      [0, 250, 900_000, 3_600_000, 172_800_000, 1_500]
    )
    for (const wrong of [-1, Number.NaN, Infinity]) assert.throws(() => millisOf(wrong), RangeError)
  })
})

describe("a set of callees", () => {
  it("forgets a callee for the one that is set in its place, which counts as the last", () => {
    const callees = new Callees()
    const does = (number: string) => (callees.of(number) as Fate | undefined)?.does
    callees.set("+1415*", busy())
    callees.set("+1*", reject())
    assert.strictEqual(does("+14155550123"), "reject")
    callees.set("+1415*", busy())
    assert.strictEqual(does("+14155550123"), "busy")
    assert.strictEqual(does("+12125550123"), "reject")
    assert.isUndefined(does("+4930123456"))
    assert.deepStrictEqual(callees.known, ["+1*", "+1415*"])
  })
})
