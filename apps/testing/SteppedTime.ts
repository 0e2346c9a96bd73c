import { Clock, Duration, Effect, type Fiber, FiberRef, type Scheduler } from "effect"
import { Sleepers } from "../../core/engine/Sleepers.ts"

// Kept from the start: a test may put timers of its own in their place.
const { setImmediate } = globalThis

/** How many rounds of ready tasks run before the rest of the process gets its turn. */
const roundsAtOnce = 2_000

const perMillisecond = 1_000_000n

/** Comes back once whatever else is ready in this process has run. */
export const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

/**
 * Clock and scheduler in one, for a platform whose time stands still until it is told to move. What is ready runs
 * by itself, in one order; what sleeps wakes when the time is moved to it. `VirtualTime` runs to the end by itself
 * and waits for no other work; this one is moved from outside, among work of the real world.
 */
export class SteppedTime implements Clock.Clock, Scheduler.Scheduler {
  readonly [Clock.ClockTypeId]: Clock.ClockTypeId = Clock.ClockTypeId
  readonly #sleepers = new Sleepers()
  #ready: Array<Scheduler.Task> = []
  #now: number
  #called = false
  #running = false
  #ran = 0

  /** `start` is in epoch milliseconds. */
  constructor(start: number) {
    this.#now = start
  }

  readonly currentTimeMillis: Effect.Effect<number> = Effect.sync(() => this.#now)
  readonly currentTimeNanos: Effect.Effect<bigint> = Effect.sync(() => this.unsafeCurrentTimeNanos())

  /** How many tasks have run so far. */
  get ran(): number {
    return this.#ran
  }

  get isIdle(): boolean {
    return this.#ready.length === 0
  }

  unsafeCurrentTimeMillis(): number {
    return this.#now
  }

  unsafeCurrentTimeNanos(): bigint {
    return BigInt(this.#now) * perMillisecond
  }

  sleep(duration: Duration.Duration): Effect.Effect<void> {
    return Effect.async<void>((resume) => {
      const millis = Math.ceil(Duration.toMillis(duration))
      if (millis === Infinity) return
      return Effect.sync(this.schedule(this.#now + millis, () => resume(Effect.void)))
    })
  }

  /** Has something happen at a time, at once if that is over; what is answered calls it off. */
  schedule(at: number, run: () => void): () => void {
    if (at > this.#now) return this.#sleepers.add(at, run)
    let wanted = true
    this.scheduleTask(() => wanted && run())
    return () => {
      wanted = false
    }
  }

  shouldYield(fiber: Fiber.RuntimeFiber<unknown, unknown>): number | false {
    return fiber.currentOpCount > fiber.getFiberRef(FiberRef.currentMaxOpsBeforeYield) ? 0 : false
  }

  scheduleTask(task: Scheduler.Task): void {
    this.#ready.push(task)
    if (this.#called || this.#running) return
    this.#called = true
    void Promise.resolve().then(() => this.drain())
  }

  /** Runs what is ready and what comes of it, up to a limit; the rest follows by itself after a breath. */
  drain(): void {
    if (this.#running) return
    this.#called = false
    this.#running = true
    for (let round = 0; round < roundsAtOnce && this.#ready.length > 0; round++) {
      const ready = this.#ready
      this.#ready = []
      this.#ran += ready.length
      for (const task of ready) task()
    }
    this.#running = false
    if (this.#ready.length === 0) return
    this.#called = true
    setImmediate(() => this.drain())
  }

  /** When the next that sleeps is to wake, in epoch milliseconds. */
  next(): number | undefined {
    return this.#sleepers.next()
  }

  /** Moves the time on, and wakes the fibers that slept until then. */
  moveTo(at: number): void {
    this.#now = Math.max(this.#now, at)
    this.#sleepers.wake(this.#now)
  }
}
