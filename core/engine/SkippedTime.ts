import { Clock, Duration, Effect, type Fiber, type Scheduler } from "effect"
import { Sleepers } from "./Sleepers.ts"

const perMillisecond = 1_000_000n

/**
 * The time of a talk that no person waits for: it stands still while work that was begun in it is under way, and else goes
 * on at once to what happens next, as long as something does. Work takes none of it.
 */
export class SkippedTime implements Clock.Clock {
  readonly [Clock.ClockTypeId]: Clock.ClockTypeId = Clock.ClockTypeId
  readonly #sleepers = new Sleepers()
  readonly #scheduler: Scheduler.Scheduler
  #now: number
  #underWay = 0
  #isDue = false

  /** `start` is in epoch milliseconds. Between two times, what is ready in the scheduler gets its turn. */
  constructor(start: number, scheduler: Scheduler.Scheduler) {
    this.#now = start
    this.#scheduler = scheduler
  }

  readonly currentTimeMillis: Effect.Effect<number> = Effect.sync(() => this.#now)
  readonly currentTimeNanos: Effect.Effect<bigint> = Effect.sync(() => this.unsafeCurrentTimeNanos())

  unsafeCurrentTimeMillis(): number {
    return this.#now
  }

  unsafeCurrentTimeNanos(): bigint {
    return BigInt(this.#now) * perMillisecond
  }

  sleep(duration: Duration.Duration): Effect.Effect<void> {
    return Effect.async<void>((resume) => {
      const millis = Duration.toMillis(duration)
      if (millis === Infinity) return
      return Effect.sync(this.schedule(this.#now + millis, () => resume(Effect.void)))
    })
  }

  /** Has something happen at a time; what is answered calls it off. */
  schedule(at: number, run: () => void): () => void {
    const cancel = this.#sleepers.add(Math.ceil(Math.max(at, this.#now)), run)
    this.#goOn()
    return cancel
  }

  /** Stands still until the fiber has ended. */
  waitFor(fiber: Fiber.RuntimeFiber<unknown, unknown>): void {
    this.#underWay += 1
    fiber.addObserver(() => {
      this.#underWay -= 1
      this.#goOn()
    })
  }

  #goOn(): void {
    if (this.#isDue) return
    this.#isDue = true
    this.#scheduler.scheduleTask(() => {
      this.#isDue = false
      this.#skip()
    }, 0)
  }

  #skip(): void {
    const next = this.#underWay > 0 ? undefined : this.#sleepers.next()
    if (next === undefined) return
    this.#now = next
    this.#sleepers.wake(next)
    this.#goOn()
  }
}
