import { type Fiber, FiberRef, type Scheduler } from "effect"
import { ManualClock } from "../../core/engine/ManualClock.ts"

// Kept from the start: a test may put timers of its own in their place.
const { setImmediate } = globalThis

/** How many rounds of ready tasks run before the rest of the process gets its turn. */
const roundsAtOnce = 2_000

/** Comes back once whatever else is ready in this process has run. */
export const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))

/**
 * Clock and scheduler in one, for a platform whose time stands still until it is told to move. What is ready runs
 * by itself, in one order; what sleeps wakes when the time is moved to it. `VirtualTime` runs to the end by itself
 * and waits for no other work; this one is moved from outside, among work of the real world.
 */
export class SteppedTime extends ManualClock implements Scheduler.Scheduler {
  #ready: Array<Scheduler.Task> = []
  #called = false
  #running = false
  #ran = 0

  /** How many tasks have run so far. */
  get ran(): number {
    return this.#ran
  }

  get isIdle(): boolean {
    return this.#ready.length === 0
  }

  /** Has something happen at a time, at once if that is over; what is answered calls it off. */
  override schedule(at: number, run: () => void): () => void {
    if (at > this.now) return super.schedule(at, run)
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
    return this.sleepers.next()
  }

  /** Moves the time on, and wakes the fibers that slept until then. */
  moveTo(at: number): void {
    this.now = Math.max(this.now, at)
    this.sleepers.wake(this.now)
  }
}
