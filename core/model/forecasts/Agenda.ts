/** Things in the order of their times: a binary heap. */
export class Agenda<A extends { readonly at: number }> {
  readonly #items: Array<A> = []

  /** When the first is; Infinity when there is none. */
  get next(): number {
    return this.#items[0]?.at ?? Infinity
  }

  add(item: A): void {
    const items = this.#items
    let i = items.push(item) - 1
    while (i > 0) {
      const parent = (i - 1) >> 1
      if (items[parent]!.at <= item.at) break
      items[i] = items[parent]!
      i = parent
    }
    items[i] = item
  }

  /** Takes the first, of which there has to be one. */
  take(): A {
    const items = this.#items
    const first = items[0]!
    const last = items.pop()!
    if (items.length === 0) return first
    let i = 0
    for (;;) {
      let child = 2 * i + 1
      if (child >= items.length) break
      if (child + 1 < items.length && items[child + 1]!.at < items[child]!.at) child += 1
      if (items[child]!.at >= last.at) break
      items[i] = items[child]!
      i = child
    }
    items[i] = last
    return first
  }
}
