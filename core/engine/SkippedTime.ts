import type { Fiber, Scheduler } from "effect"
import { ManualClock } from "./ManualClock.ts"

/**
 * The time of a talk that no person waits for: it stands still while work that was begun in it is under way, and else goes
 * on at once to what happens next, as long as something does. Work takes none of it.
 */
export class SkippedTime extends ManualClock {
  readonly #scheduler: Scheduler.Scheduler
  #underWay = 0
  #isDue = false

  /** `start` is in epoch milliseconds. Between two times, what is ready in the scheduler gets its turn. */
  constructor(start: number, scheduler: Scheduler.Scheduler) {
    super(start)
    this.#scheduler = scheduler
  }

  override schedule(at: number, run: () => void): () => void {
    const cancel = super.schedule(at, run)
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
    const next = this.#underWay > 0 ? undefined : this.sleepers.next()
    if (next === undefined) return
    this.now = next
    this.sleepers.wake(next)
    this.#goOn()
  }
}
