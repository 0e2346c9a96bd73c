/** Something that is to happen at a time. */
interface Sleeper {
  readonly at: number
  /** Of two at one time the one that was put in first comes first. */
  readonly order: number
  run: (() => void) | null
}

/** Dropped ones that are kept at most, as a multiple of those still asleep. */
const slack = 2
const fewest = 1_024

const isBefore = (left: Sleeper, right: Sleeper): boolean =>
  left.at < right.at || (left.at === right.at && left.order < right.order)

/** What is to happen, earliest first: a binary heap, from which what was dropped is swept now and then. */
export class Sleepers {
  #heap: Array<Sleeper> = []
  #order = 0
  #dropped = 0

  /** How many are asleep. */
  get size(): number {
    return this.#heap.length - this.#dropped
  }

  /** Puts one in; what is answered takes it out again. */
  add(at: number, run: () => void): () => void {
    const sleeper: Sleeper = { at, order: this.#order++, run }
    this.#heap.push(sleeper)
    this.#rise(this.#heap.length - 1)
    return () => {
      if (sleeper.run === null) return
      sleeper.run = null
      this.#dropped += 1
      if (this.#dropped > fewest && this.#dropped > slack * this.size) this.#sweep()
    }
  }

  /** When the first is to happen. */
  next(): number | undefined {
    while (this.#heap[0]?.run === null) {
      this.#pop()
      this.#dropped -= 1
    }
    return this.#heap[0]?.at
  }

  /** Runs all that are to happen until `now`, earliest first. */
  wake(now: number): void {
    for (let at = this.next(); at !== undefined && at <= now; at = this.next()) {
      const sleeper = this.#pop()
      const run = sleeper.run!
      sleeper.run = null
      run()
    }
  }

  #sweep(): void {
    this.#heap = this.#heap.filter(({ run }) => run !== null)
    this.#heap.sort((left, right) => (isBefore(left, right) ? -1 : 1))
    this.#dropped = 0
  }

  #pop(): Sleeper {
    const first = this.#heap[0]!
    const last = this.#heap.pop()!
    if (this.#heap.length > 0) {
      this.#heap[0] = last
      this.#sink(0)
    }
    return first
  }

  #rise(from: number): void {
    const sleeper = this.#heap[from]!
    let at = from
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!isBefore(sleeper, this.#heap[parent]!)) break
      this.#heap[at] = this.#heap[parent]!
      at = parent
    }
    this.#heap[at] = sleeper
  }

  #sink(from: number): void {
    const sleeper = this.#heap[from]!
    const { length } = this.#heap
    let at = from
    for (let child = 2 * at + 1; child < length; child = 2 * at + 1) {
      if (child + 1 < length && isBefore(this.#heap[child + 1]!, this.#heap[child]!)) child += 1
      if (!isBefore(this.#heap[child]!, sleeper)) break
      this.#heap[at] = this.#heap[child]!
      at = child
    }
    this.#heap[at] = sleeper
  }
}
