import { Data, Effect, Fiber, Runtime, type Scheduler } from "effect"
import { ManualClock } from "./ManualClock.ts"

/** What runs in virtual time waits for something that virtual time does not bring. */
export class Stuck extends Data.TaggedError("Stuck")<{}> {
  override readonly message = "what runs in virtual time waits for something outside of it"
}

/** How many rounds of ready tasks run before the fiber that waits for the end gets its turn. */
const roundsAtOnce = 100

/** How many steps a fiber takes before it lets others run. */
const stepsAtOnce = 2_048

/**
 * Clock and scheduler in one, for what waits for nothing but time: it knows when all of its fibers are idle, and
 * goes on to the next time at which one sleeps until, without waiting. Everything runs in one order, so that the
 * same work does the same whenever it runs. While work outside of it is under way, the time stands still.
 */
export class VirtualTime extends ManualClock implements Scheduler.Scheduler {
  readonly #waiting: Array<() => void> = []
  readonly #outside = new Set<Fiber.RuntimeFiber<unknown, unknown>>()
  #outer: Runtime.Runtime<never> = Runtime.defaultRuntime
  #told: (() => void) | null = null
  #ready: Array<Scheduler.Task> = []

  /** Completes when nothing is ready and no fiber sleeps: when nothing happens any more. */
  readonly quiet: Effect.Effect<void> = Effect.async((resume) => {
    this.#waiting.push(() => resume(Effect.void))
  })

  shouldYield(fiber: Fiber.RuntimeFiber<unknown, unknown>): number | false {
    return fiber.currentOpCount > stepsAtOnce ? 0 : false
  }

  scheduleTask(task: Scheduler.Task): void {
    this.#ready.push(task)
    this.#tell()
  }

  /** Has work done outside of this time, by the clock and in the order of the fiber that runs this time. */
  outside<A, E>(work: Effect.Effect<A, E>): Effect.Effect<A, E> {
    return Effect.async<A, E>((resume) => {
      const fiber = Runtime.runFork(this.#outer)(work)
      this.#outside.add(fiber)
      fiber.addObserver((exit) => {
        this.#outside.delete(fiber)
        resume(exit)
        this.#tell()
      })
      return Fiber.interrupt(fiber)
    })
  }

  /** Runs work in this time, from outside of it, and breathes now and then so that others run too. */
  run<A, E>(work: Effect.Effect<A, E>): Effect.Effect<A, E | Stuck> {
    return Effect.flatMap(Effect.runtime<never>(), (outer) => {
      this.#outer = outer
      const fiber = Runtime.runFork(outer)(Effect.withClock(work, this), { scheduler: this })
      const go: Effect.Effect<A, E | Stuck> = Effect.suspend(() => {
        for (let round = 0; round < roundsAtOnce; round++) {
          if (this.#step()) continue
          const exit = fiber.unsafePoll()
          if (exit !== null) return exit
          return this.#outside.size === 0 ? new Stuck() : Effect.zipRight(this.#news, go)
        }
        return Effect.zipRight(Effect.sleep(0), go)
      })
      return Effect.onInterrupt(go, () => Effect.sync(() => this.#abandon()))
    })
  }

  /** Completes when something is ready, or work outside has ended. */
  readonly #news: Effect.Effect<void> = Effect.async((resume) => {
    this.#told = () => resume(Effect.void)
    if (this.#ready.length > 0 || this.#outside.size === 0) this.#tell()
  })

  #tell(): void {
    const told = this.#told
    this.#told = null
    told?.()
  }

  /** Runs what is ready, or what comes next. Answers false when nothing does. */
  #step(): boolean {
    if (this.#ready.length > 0) {
      const ready = this.#ready
      this.#ready = []
      for (const task of ready) task()
      return true
    }
    if (this.#outside.size > 0) return false
    const next = this.sleepers.next()
    if (next === undefined) {
      const waiting = this.#waiting.shift()
      waiting?.()
      return waiting !== undefined
    }
    this.now = next
    this.sleepers.wake(next)
    return true
  }

  /** Nothing of what was to come happens. */
  #abandon(): void {
    this.#ready = []
    for (const fiber of this.#outside) fiber.unsafeInterruptAsFork(fiber.id())
  }
}
