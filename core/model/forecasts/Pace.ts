/** At most `limit` dials in any `span` of milliseconds: tells when the next may be, and is told of each. */
export class Pace {
  readonly #starts: Array<number>
  readonly #span: number
  #count = 0

  constructor(limit: number, span: number) {
    this.#starts = Array.from({ length: limit }, () => -Infinity)
    this.#span = span
  }

  get next(): number {
    return this.#starts[this.#count % this.#starts.length]! + this.#span
  }

  dialled(at: number): void {
    this.#starts[this.#count % this.#starts.length] = at
    this.#count += 1
  }
}
