/** Hands things to one listener, in the order in which they come. What comes before it listens waits for it. */
export class Emitter<A> {
  #waiting: Array<A> = []
  #hear: ((told: A) => void) | null = null

  /** How many wait. */
  get waiting(): number {
    return this.#waiting.length
  }

  readonly tell = (told: A): void => {
    if (this.#hear === null) this.#waiting.push(told)
    else this.#hear(told)
  }

  readonly listen = (hear: (told: A) => void): void => {
    // What comes meanwhile comes after these.
    for (const told of this.#waiting) hear(told)
    this.#waiting = []
    this.#hear = hear
  }
}
