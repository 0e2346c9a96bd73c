import type { Outcome } from "../model/calls/Call.ts"
import { span } from "../model/simulation/Timeline.ts"
import { Gauge } from "./Gauge.ts"

/** What is written down of a run while it lasts. */
export class Log {
  readonly #start: number
  readonly #calls = new Gauge(span)
  readonly #reached: Array<number> = []
  /** Recipients by how often they were dialled. */
  readonly #tries: Array<number> = []

  #dialled = 0
  #lastAt: number

  constructor(start: number) {
    this.#start = start
    this.#lastAt = start
  }

  /** When a call last began or ended. */
  get lastAt(): number {
    return this.#lastAt
  }

  /** How many recipients were dialled. */
  get dialled(): number {
    return this.#dialled
  }

  get peak(): number {
    return this.#calls.peak
  }

  /** A dial begins, the recipient's `attempt`th. */
  began(at: number, attempt: number): void {
    this.#lastAt = at
    this.#calls.move(1, at - this.#start)
    this.#tries[attempt] = (this.#tries[attempt] ?? 0) + 1
    if (attempt === 1) this.#dialled += 1
    else this.#tries[attempt - 1]! -= 1
  }

  ended(at: number, outcome: Outcome): void {
    this.#lastAt = at
    this.#calls.move(-1, at - this.#start)
    if (outcome !== "answered") return
    const index = Math.floor((at - this.#start) / span)
    this.#reached[index] = (this.#reached[index] ?? 0) + 1
  }

  /** Of `recipients`, how many were dialled not at all, once, twice and so on. */
  tries(recipients: number): ReadonlyArray<number> {
    return [recipients - this.#dialled, ...this.#tries.slice(1)]
  }

  /** Calls under way in each span until `end`, in the mean. */
  calls(end: number): ReadonlyArray<number> {
    return this.#calls.readings(end - this.#start)
  }

  /** How many had been reached at the end of each span until `end`. */
  reached(end: number): ReadonlyArray<number> {
    let sum = 0
    return Array.from({ length: Math.floor((end - this.#start) / span) + 1 }, (_, i) => {
      sum += this.#reached[i] ?? 0
      return sum
    })
  }
}
