import { Clock, Deferred, type Duration, Effect, Exit, Fiber, Queue } from "effect"
import { assert, describe, it } from "@effect/vitest"
import { Stuck, VirtualTime } from "../../../core/engine/VirtualTime.ts"
import { day } from "../../../core/model/Codecs.ts"

describe("virtual time", () => {
  it.live("passes while all sleep, and in no time", () =>
    Effect.gen(function* () {
      const began = performance.now()
      const time = new VirtualTime(1_000)
      const seen = yield* time.run(
        Effect.gen(function* () {
          const seen: Array<readonly [string, number]> = []
          const sleeper = (name: string, every: Duration.DurationInput) =>
            Effect.gen(function* () {
              for (let i = 0; i < 3; i++) {
                yield* Effect.sleep(every)
                seen.push([name, yield* Clock.currentTimeMillis])
              }
            })
          yield* Effect.all([sleeper("a", "2 days"), sleeper("b", "3 days")], { concurrency: "unbounded" })
          return seen
        })
      )
      const days = seen.map(([name, at]) => `${name}${(at - 1_000) / day}`)
      assert.deepStrictEqual(days, ["a2", "b3", "a4", "b6", "a6", "b9"])
      assert.isBelow(performance.now() - began, 5_000)
    })
  )

  it.live("runs whatever waits for others before it goes on", () =>
    Effect.gen(function* () {
      const time = new VirtualTime(0)
      const at = yield* time.run(
        Effect.gen(function* () {
          const queue = yield* Queue.bounded<number>(2)
          const taken = yield* Effect.fork(
            Effect.forEach(Array.from({ length: 50 }), () => Queue.take(queue))
          )
          yield* Effect.forEach(Array.from({ length: 50 }), (_, i) => Queue.offer(queue, i))
          assert.deepStrictEqual(
            yield* Fiber.join(taken),
            Array.from({ length: 50 }, (_, i) => i)
          )
          return yield* Clock.currentTimeMillis
        })
      )
      assert.strictEqual(at, 0)
    })
  )

  it.live("is quiet once nothing happens any more, time-outs that were called off not counted", () =>
    Effect.gen(function* () {
      const time = new VirtualTime(0)
      const at = yield* time.run(
        Effect.gen(function* () {
          yield* Effect.forkDaemon(Effect.timeout(Effect.sleep("5 seconds"), "1 day"))
          yield* time.quiet
          return yield* Clock.currentTimeMillis
        })
      )
      assert.strictEqual(at, 5_000)
    })
  )

  it.live("tells of work that waits for something outside of it", () =>
    Effect.gen(function* () {
      const never = yield* Deferred.make<void>()
      const exit = yield* Effect.exit(new VirtualTime(0).run(Deferred.await(never)))
      assert.deepStrictEqual(exit, Exit.fail(new Stuck()))
    })
  )

  it.live("stands still while work outside of it is under way", () =>
    Effect.gen(function* () {
      const time = new VirtualTime(0)
      const later = Effect.zipRight(
        Effect.sleep("1 hour"),
        Effect.sync(() => time.unsafeCurrentTimeMillis())
      )
      const asked = time
        .outside(Effect.as(Effect.sleep("5 millis"), "answer"))
        .pipe(Effect.map((answer) => [answer, time.unsafeCurrentTimeMillis()]))
      const both = yield* time.run(Effect.all([later, asked], { concurrency: 2 }))
      assert.deepStrictEqual(both, [3_600_000, ["answer", 0]])
    })
  )

  it.live("breaks off work outside of it with what waits for it", () =>
    Effect.gen(function* () {
      const broken = yield* Deferred.make<void>()
      const time = new VirtualTime(0)
      const endless = Effect.onInterrupt(Effect.never, () => Deferred.succeed(broken, undefined))
      const asked = Effect.timeoutOption(time.outside(endless), "1 second")
      const running = yield* Effect.fork(time.run(asked))
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(running)
      yield* Deferred.await(broken)
    })
  )

  it.live("hands on how work ends", () =>
    Effect.gen(function* () {
      const work = Effect.zipRight(Effect.sleep("1 hour"), Effect.fail("why"))
      assert.deepStrictEqual(yield* Effect.exit(new VirtualTime(0).run(work)), Exit.fail("why"))
    })
  )

  it.live("lets others run meanwhile, and is broken off by them", () =>
    Effect.gen(function* () {
      const time = new VirtualTime(0)
      const endless = Effect.forever(Effect.sleep("1 second"))
      const exit = yield* Effect.exit(
        Effect.timeoutFail(time.run(endless), { duration: "30 millis", onTimeout: () => "late" })
      )
      assert.deepStrictEqual(exit, Exit.fail("late"))
      const stopped = time.unsafeCurrentTimeMillis()
      assert.isAbove(stopped, 0)
      yield* Effect.yieldNow()
      assert.strictEqual(time.unsafeCurrentTimeMillis(), stopped)
    })
  )
})
