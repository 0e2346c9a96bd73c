import { Disposed, NeverIdle, TimeIsHeld } from "./Errors.ts"
import type { Outside } from "./Outside.ts"
import { type SteppedTime, turn } from "./SteppedTime.ts"

/** Steps of time between two turns of the rest of the process. */
const stepsAtOnce = 256

/** Moves time from one thing that is due to the next, once all that came of the one before is done. */
export class Timekeeper {
  readonly #time: SteppedTime
  readonly #outside: Outside
  readonly #wrong: Array<Error> = []
  /** A move of time begins after the move before it has ended. */
  #last: Promise<unknown> = Promise.resolve()
  #over = false

  constructor(time: SteppedTime, outside: Outside) {
    this.#time = time
    this.#outside = outside
  }

  /** Something is wrong with the test itself: the next move of time is told. */
  report(error: Error): void {
    this.#wrong.push(error)
  }

  throwReported(): void {
    const error = this.#wrong.shift()
    if (error !== undefined) throw error
  }

  /** Up to a moment (epoch milliseconds), of which `target` tells when it is this one's turn. */
  moveTo(target: () => number): Promise<void> {
    return this.#inTurn(async () => {
      const until = target()
      await this.#move((next) => next <= until)
      this.#time.moveTo(until)
    })
  }

  /** Until nothing is to come, or until something comes more than `atMost` milliseconds later. */
  moveToIdle(atMost: number, hint: () => string): Promise<void> {
    return this.#inTurn(async () => {
      const limit = this.#time.unsafeCurrentTimeMillis() + atMost
      await this.#move((next) => {
        if (next <= limit) return true
        throw new NeverIdle(next, hint())
      })
    })
  }

  /** Runs what is ready now, but for what waits for the world outside. */
  async drain(): Promise<void> {
    for (this.#time.drain(); !this.#time.isIdle; this.#time.drain()) await turn()
  }

  /** Time is not moved any more; resolves when no move is under way. */
  async close(): Promise<void> {
    this.#over = true
    await this.#last
  }

  /** Has time run freely until something has ended. */
  async runUntil(end: Promise<void>): Promise<void> {
    const state = { isOver: false }
    const over = end.finally(() => {
      state.isOver = true
    })
    while (!state.isOver) {
      this.#time.drain()
      const next = this.#time.next()
      if (next !== undefined) this.#time.moveTo(next)
      await turn()
    }
    await over
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const holder = this.#outside.running
    if (holder !== undefined) return Promise.reject(new TimeIsHeld(holder))
    const mine = this.#last.then(() => {
      if (this.#over) throw new Disposed()
      return work()
    })
    this.#last = mine.catch(() => {})
    return mine
  }

  async #move(goesOn: (next: number) => boolean): Promise<void> {
    this.#outside.stir()
    for (let steps = 1; ; steps++) {
      await this.#outside.settled(() => {
        this.#time.drain()
        return this.#time.ran
      })
      this.throwReported()
      const next = this.#time.next()
      if (next === undefined || !goesOn(next)) return
      this.#time.moveTo(next)
      if (steps % stepsAtOnce === 0) await turn()
    }
  }
}
