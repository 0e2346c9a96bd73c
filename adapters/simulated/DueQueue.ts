interface Item<A> {
  readonly at: number
  readonly order: number
  readonly value: A
}

/** Values that fall due at times, taken earliest first, and in the order of adding at the same time. */
export interface DueQueue<A> {
  readonly add: (at: number, value: A) => void
  /** When the earliest falls due; Infinity when there is none. */
  readonly next: () => number
  /** Takes the earliest if it is due at `now`. */
  readonly take: (now: number) => A | undefined
}

/** A binary heap. */
export const make = <A>(): DueQueue<A> => {
  const heap: Array<Item<A>> = []
  let added = 0

  const before = (a: Item<A>, b: Item<A>) => a.at < b.at || (a.at === b.at && a.order < b.order)

  const rise = (item: Item<A>) => {
    let i = heap.length
    while (i > 0) {
      const parent = (i - 1) >> 1
      if (!before(item, heap[parent]!)) break
      heap[i] = heap[parent]!
      i = parent
    }
    heap[i] = item
  }

  const sink = (item: Item<A>) => {
    let i = 0
    while (true) {
      let child = 2 * i + 1
      if (child >= heap.length) break
      if (child + 1 < heap.length && before(heap[child + 1]!, heap[child]!)) child += 1
      if (!before(heap[child]!, item)) break
      heap[i] = heap[child]!
      i = child
    }
    heap[i] = item
  }

  return {
    add: (at, value) => rise({ at, order: added++, value }),
    next: () => heap[0]?.at ?? Infinity,
    take: (now) => {
      const first = heap[0]
      if (first === undefined || first.at > now) return undefined
      const last = heap.pop()!
      if (heap.length > 0) sink(last)
      return first.value
    }
  }
}
