export type Compare<A> = (left: A, right: A) => number

/** Compares texts by UTF-16 code units, as `<` does. */
export const byText = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0)

const full = 512

/**
 * Items in order, kept in chunks: adding and removing cost a search and the shifting of one chunk. No two items
 * may compare as equal.
 *
 * It is not sorted-btree because that tree has no ranks: a page at offset 100,000 walks there, which takes about 100
 * times as long. It also takes twice as long to add rows that come in order (`npm run bench -- sorted`).
 */
export class SortedSet<A> {
  readonly #compare: Compare<A>
  readonly #chunks: Array<Array<A>> = []
  #size = 0

  constructor(compare: Compare<A>) {
    this.#compare = compare
  }

  get size(): number {
    return this.#size
  }

  add(item: A): void {
    this.#size++
    const last = this.#chunks[this.#chunks.length - 1]
    if (last === undefined) this.#chunks.push([item])
    else if (this.#compare(last[last.length - 1]!, item) < 0) {
      if (last.length < full) last.push(item)
      else this.#chunks.push([item])
    } else {
      const at = this.#chunkOf(item)
      const chunk = this.#chunks[at]!
      chunk.splice(this.#positionIn(chunk, item), 0, item)
      if (chunk.length > full) this.#chunks.splice(at + 1, 0, chunk.splice(full / 2))
    }
  }

  /** Removes the item that compares as equal. */
  delete(item: A): boolean {
    const at = this.#chunkOf(item)
    const chunk = this.#chunks[at]
    if (chunk === undefined) return false
    const position = this.#positionIn(chunk, item)
    const found = chunk[position]
    if (found === undefined || this.#compare(found, item) !== 0) return false
    chunk.splice(position, 1)
    if (chunk.length === 0) this.#chunks.splice(at, 1)
    this.#size--
    return true
  }

  first(): A | undefined {
    return this.#chunks[0]?.[0]
  }

  /** The first item at no distance from what is sought. */
  find(distance: (item: A) => number): A | undefined {
    const [item] = this.ascending(distance)
    return item !== undefined && distance(item) === 0 ? item : undefined
  }

  /** From the first item that is not before `from`; `distance` tells how far an item lies behind it. */
  *ascending(distance?: (item: A) => number): Generator<A> {
    const isBefore = (item: A) => distance !== undefined && distance(item) < 0
    let at = distance === undefined ? 0 : search(this.#chunks, (chunk) => isBefore(chunk.at(-1)!))
    const chunk = this.#chunks[at]
    if (chunk === undefined) return
    for (let i = search(chunk, isBefore); i < chunk.length; i++) yield chunk[i]!
    for (at++; at < this.#chunks.length; at++) yield* this.#chunks[at]!
  }

  /** Backwards from the last item, or the last that is not after what `distance` seeks, skipping `offset`. */
  *descending(offset: number, distance?: (item: A) => number): Generator<A> {
    const isNotAfter = (item: A) => distance === undefined || distance(item) <= 0
    let at = search(this.#chunks, (chunk) => isNotAfter(chunk.at(-1)!))
    let end = search(this.#chunks[at] ?? [], isNotAfter)
    for (let skip = offset; at >= 0; end = this.#chunks[--at]?.length ?? 0) {
      const chunk = this.#chunks[at]
      if (chunk !== undefined) for (let i = end - 1 - skip; i >= 0; i--) yield chunk[i]!
      skip = Math.max(0, skip - end)
    }
  }

  /** The chunk whose range holds the item: the first that does not end before it. */
  #chunkOf(item: A): number {
    return search(this.#chunks, (chunk) => this.#compare(chunk[chunk.length - 1]!, item) < 0)
  }

  #positionIn(chunk: ReadonlyArray<A>, item: A): number {
    return search(chunk, (other) => this.#compare(other, item) < 0)
  }
}

/** The position of the first item that is not before what is sought. */
const search = <A>(items: ReadonlyArray<A>, isBefore: (item: A) => boolean): number => {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isBefore(items[middle]!)) low = middle + 1
    else high = middle
  }
  return low
}
