import { Deferred, Effect, Exit, Fiber, Logger, TestClock } from "effect"
import { assert, describe, it } from "@effect/vitest"
import * as CarrierCircuit from "../../../core/engine/CarrierCircuit.ts"
import {
  type CarrierDriver,
  CarrierUnreachable,
  DialInDoubt,
  DialRefused,
  LookupFailed
} from "../../../core/ports/CallDialer.ts"
import { dialRequest, referTo } from "../../contracts/CallDialer.ts"

type Mode = "well" | "unreachable" | "in_doubt" | "refusing" | "hanging"

/** A carrier whose every answer the test sets, and which counts what it is asked. */
const carrier = () => {
  const state = { mode: "well" as Mode, pings: true, dials: 0, pinged: 0, lookups: 0, lookupsFailing: 0 }
  const driver: CarrierDriver = {
    dial: () =>
      Effect.suspend((): ReturnType<CarrierDriver["dial"]> => {
        state.dials += 1
        switch (state.mode) {
          case "well":
            return Effect.succeed("id")
          case "unreachable":
            return new CarrierUnreachable({ message: "refused" })
          case "in_doubt":
            return new DialInDoubt({ message: "502" })
          case "refusing":
            return new DialRefused({
              outcome: "failed",
              sub_status: "invalid_number",
              code: "21211",
              message: "invalid"
            })
          case "hanging":
            return Effect.never
        }
      }),
    lookup: () =>
      Effect.suspend((): ReturnType<CarrierDriver["lookup"]> => {
        state.lookups += 1
        return state.lookups <= state.lookupsFailing
          ? new LookupFailed({ message: "502" })
          : Effect.succeed({ _tag: "NeverReceived" })
      }),
    hangUp: () => Effect.void,
    ping: Effect.suspend(() => {
      state.pinged += 1
      return state.pings ? Effect.void : new CarrierUnreachable({ message: "refused" })
    })
  }
  return { state, driver }
}

const request = dialRequest("att_1", "+15550001234")
const tagOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.match(effect, { onSuccess: () => "Accepted", onFailure: ({ _tag }) => _tag })

const opened = Effect.gen(function* () {
  const { driver, state } = carrier()
  const dialer = yield* CarrierCircuit.make(driver)
  state.mode = "unreachable"
  state.pings = false
  for (let i = 0; i < 5; i++) yield* Effect.exit(dialer.dial(request))
  return { dialer, state }
})

describe("the carrier's circuit", () => {
  for (const mode of ["unreachable", "in_doubt"] as const) {
    it.scoped(`opens after five dials in a row that are ${mode}`, () =>
      Effect.gen(function* () {
        const { driver, state } = carrier()
        const dialer = yield* CarrierCircuit.make(driver)
        state.mode = mode
        for (let i = 0; i < 4; i++) yield* Effect.exit(dialer.dial(request))
        assert.isTrue(yield* dialer.available)
        yield* Effect.exit(dialer.dial(request))
        assert.isFalse(yield* dialer.available)
      })
    )
  }

  it.scoped("refuses at once while it is open, and nothing reaches the carrier", () =>
    Effect.gen(function* () {
      const { dialer, state } = yield* opened
      state.mode = "well"
      assert.strictEqual(yield* tagOf(dialer.dial(request)), "CarrierUnreachable")
      assert.strictEqual(state.dials, 5)
    })
  )

  it.scoped("counts failures in a row alone: a call that is accepted or refused starts anew", () =>
    Effect.gen(function* () {
      const { driver, state } = carrier()
      const dialer = yield* CarrierCircuit.make(driver)
      for (const good of ["well", "refusing"] as const) {
        state.mode = "in_doubt"
        for (let i = 0; i < 4; i++) yield* Effect.exit(dialer.dial(request))
        state.mode = good
        yield* Effect.exit(dialer.dial(request))
      }
      state.mode = "in_doubt"
      for (let i = 0; i < 4; i++) yield* Effect.exit(dialer.dial(request))
      assert.isTrue(yield* dialer.available)
    })
  )

  it.scoped("a dial that takes longer than 15 seconds is in doubt", () =>
    Effect.gen(function* () {
      const { driver, state } = carrier()
      const dialer = yield* CarrierCircuit.make(driver)
      state.mode = "hanging"
      const dial = yield* Effect.fork(tagOf(dialer.dial(request)))
      yield* TestClock.adjust("14999 millis")
      assert.isNull(yield* Fiber.poll(dial).pipe(Effect.map((exit) => (exit._tag === "None" ? null : exit))))
      yield* TestClock.adjust("1 millis")
      assert.strictEqual(yield* Fiber.join(dial), "DialInDoubt")
    })
  )

  it.scoped(
    "is probed after 1, 2, 4, 8 seconds, then every 15, until a probe is answered and closes it",
    () =>
      Effect.gen(function* () {
        const { dialer, state } = yield* opened
        const waiting = yield* Effect.fork(dialer.awaitAvailable)
        for (const [wait, pings] of [
          [1, 1],
          [2, 2],
          [4, 3],
          [8, 4],
          [15, 5],
          [15, 6]
        ] as const) {
          yield* TestClock.adjust((wait - 1) * 1_000 + 999)
          assert.strictEqual(state.pinged, pings - 1)
          yield* TestClock.adjust(1)
          assert.strictEqual(state.pinged, pings)
        }
        assert.isFalse(yield* dialer.available)
        state.pings = true
        yield* TestClock.adjust("15 seconds")
        yield* Fiber.join(waiting)
        assert.isTrue(yield* dialer.available)
        state.mode = "well"
        assert.strictEqual(yield* dialer.dial(request), "id")
        yield* TestClock.adjust("10 minutes")
        assert.strictEqual(state.pinged, 7)
      })
  )

  it.scoped("never probes while all is well", () =>
    Effect.gen(function* () {
      const { driver, state } = carrier()
      const dialer = yield* CarrierCircuit.make(driver)
      yield* dialer.dial(request)
      yield* dialer.awaitAvailable
      yield* TestClock.adjust("1 hour")
      assert.strictEqual(state.pinged, 0)
    })
  )

  it.scoped("a single unreachable dial has the carrier probed within a second, and no answer opens it", () =>
    Effect.gen(function* () {
      const { driver, state } = carrier()
      const dialer = yield* CarrierCircuit.make(driver)
      state.mode = "unreachable"
      yield* Effect.exit(dialer.dial(request))
      yield* TestClock.adjust("1 second")
      assert.strictEqual(state.pinged, 1)
      assert.isTrue(yield* dialer.available)
      state.pings = false
      yield* Effect.exit(dialer.dial(request))
      yield* TestClock.adjust("1 second")
      assert.isFalse(yield* dialer.available)
    })
  )

  it.scoped("once closed by a probe, one failure opens it again and the probes keep their pace", () =>
    Effect.gen(function* () {
      const { driver, state } = carrier()
      const dialer = yield* CarrierCircuit.make(driver)
      state.mode = "in_doubt"
      for (let i = 0; i < 5; i++) yield* Effect.exit(dialer.dial(request))
      yield* TestClock.adjust("1 second")
      assert.isTrue(yield* dialer.available)
      yield* Effect.exit(dialer.dial(request))
      assert.isFalse(yield* dialer.available)
      yield* TestClock.adjust("1999 millis")
      assert.isFalse(yield* dialer.available)
      yield* TestClock.adjust("1 millis")
      assert.isTrue(yield* dialer.available)
      state.mode = "well"
      yield* dialer.dial(request)
      state.mode = "in_doubt"
      yield* Effect.exit(dialer.dial(request))
      assert.isTrue(yield* dialer.available)
    })
  )

  it.scoped("a dial begun before the circuit opened and closed says nothing of the carrier now", () =>
    Effect.gen(function* () {
      const { driver, state } = carrier()
      const dialer = yield* CarrierCircuit.make(driver)
      state.mode = "hanging"
      const old = yield* Effect.fork(Effect.exit(dialer.dial(request)))
      yield* TestClock.adjust("1 second")
      state.mode = "unreachable"
      for (let i = 0; i < 5; i++) yield* Effect.exit(dialer.dial(request))
      yield* TestClock.adjust("1 second")
      assert.isTrue(yield* dialer.available)
      yield* TestClock.adjust("13 seconds")
      assert.isTrue(Exit.isFailure(yield* Fiber.join(old)))
      assert.isTrue(yield* dialer.available)
    })
  )

  it.scoped("a dial that is interrupted counts neither way", () =>
    Effect.gen(function* () {
      const { driver, state } = carrier()
      const dialer = yield* CarrierCircuit.make(driver)
      state.mode = "hanging"
      for (let i = 0; i < 10; i++) {
        const dial = yield* Effect.fork(dialer.dial(request))
        yield* Effect.yieldNow()
        yield* Fiber.interrupt(dial)
      }
      assert.isTrue(yield* dialer.available)
      assert.strictEqual(state.pinged, 0)
    })
  )

  it.scoped("a look-up is tried four times before it fails", () =>
    Effect.gen(function* () {
      const { driver, state } = carrier()
      const dialer = yield* CarrierCircuit.make(driver)
      state.lookupsFailing = 3
      const found = yield* Effect.fork(dialer.lookup(referTo("att_1")))
      yield* TestClock.adjust("1400 millis")
      assert.deepStrictEqual(yield* Fiber.join(found), { _tag: "NeverReceived" })
      state.lookupsFailing = Infinity
      const failing = yield* Effect.fork(tagOf(dialer.lookup(referTo("att_1"))))
      yield* TestClock.adjust("1400 millis")
      assert.strictEqual(yield* Fiber.join(failing), "LookupFailed")
      assert.strictEqual(state.lookups, 8)
    })
  )

  it.scoped("a look-up that fails has the carrier probed, so that a silent outage is noticed", () =>
    Effect.gen(function* () {
      const { driver, state } = carrier()
      const dialer = yield* CarrierCircuit.make(driver)
      state.lookupsFailing = Infinity
      state.pings = false
      yield* Effect.fork(Effect.exit(dialer.lookup(referTo("att_1"))))
      yield* TestClock.adjust("2400 millis")
      assert.isFalse(yield* dialer.available)
    })
  )

  it.scoped("says once that it opened and once that it closed, without naming a number", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const logger = Logger.make<unknown, void>(({ logLevel, message }) => {
        lines.push(`${logLevel.label} ${String(message)}`)
      })
      const done = yield* Deferred.make<void>()
      yield* Effect.gen(function* () {
        const { dialer, state } = yield* opened
        yield* Effect.exit(dialer.dial(request))
        yield* TestClock.adjust("1 second")
        state.pings = true
        yield* TestClock.adjust("2 seconds")
        yield* Deferred.complete(done, dialer.awaitAvailable)
      }).pipe(Effect.provide(Logger.replace(Logger.defaultLogger, logger)))
      yield* Deferred.await(done)
      assert.deepStrictEqual(lines, [
        "WARN The carrier does not answer: its circuit is open",
        "INFO The carrier answers again: its circuit is closed"
      ])
      assert.notMatch(lines.join(), /\d/)
    })
  )
})
