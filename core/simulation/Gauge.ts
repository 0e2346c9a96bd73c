/** A number that goes up and down, and how it stood in each span of time since the start. Times in milliseconds. */
export class Gauge {
  readonly #span: number
  readonly #areas: Array<number> = []
  #at = 0
  #value = 0
  #peak = 0

  constructor(span: number) {
    this.#span = span
  }

  /** The most it ever was. */
  get peak(): number {
    return this.#peak
  }

  /** Moves by so much at a time, which is not before the one told last, counted from the start. */
  move(by: number, at: number): void {
    this.#reach(at)
    this.#value += by
    this.#peak = Math.max(this.#peak, this.#value)
  }

  /** Its mean in all spans from the start to the one that holds the end. */
  readings(end: number): ReadonlyArray<number> {
    this.#reach(end)
    return this.#areas.map((area) => area / this.#span)
  }

  #spanAt(at: number): number {
    const span = Math.floor(at / this.#span)
    while (this.#areas.length <= span) this.#areas.push(0)
    return span
  }

  #reach(at: number): void {
    while (this.#at < at) {
      const span = this.#spanAt(this.#at)
      const until = Math.min(at, (span + 1) * this.#span)
      this.#areas[span]! += this.#value * (until - this.#at)
      this.#at = until
    }
    this.#spanAt(at)
  }
}
