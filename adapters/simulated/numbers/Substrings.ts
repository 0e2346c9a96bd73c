const gram = 3
/** Ten digits and the plus sign. */
const symbols = 11
const plus = symbols - 1

const grams = symbols ** gram

/** What `last` two symbols and the next one make. */
const joined = (last: number, code: number): number =>
  (last % (symbols * symbols)) * symbols + (code === 43 ? plus : code - 48)

/** Calls back for every gram of a text, in order; its first symbols make none yet. */
const eachGram = (text: string, visit: (gram: number) => void) => {
  let last = 0
  for (let at = 0; at < text.length; at++) {
    last = joined(last, text.charCodeAt(at))
    if (at >= gram - 1) visit(last)
  }
}

/** Calls back for every gram of every number, once a number. */
const eachPlace = (numbers: ReadonlyArray<string>, visit: (gram: number, place: number) => void) => {
  const seen = new Int32Array(grams).fill(-1)
  for (let place = 0; place < numbers.length; place++) {
    eachGram(numbers[place]!, (each) => {
      if (seen[each] === place) return
      seen[each] = place
      visit(each, place)
    })
  }
}

/** The first of ascending `places` from `begin` until `end` that is not below `least`. */
const firstFrom = (places: Uint32Array, begin: number, end: number, least: number): number => {
  let low = begin
  let high = end
  while (low < high) {
    const middle = (low + high) >>> 1
    if (places[middle]! < least) low = middle + 1
    else high = middle
  }
  return low
}

/**
 * Finds numbers (a plus sign and digits) by what they contain. For every three symbols it keeps where they
 * occur, four bytes a number and gram. A search walks the rarest gram of what is sought; with fewer than three
 * symbols, which most numbers have, it looks at the numbers themselves.
 */
export class Substrings {
  readonly #numbers: ReadonlyArray<string>
  readonly #places: Uint32Array
  /** Where each gram's places begin; the next one's beginning is their end. */
  readonly #begins: Uint32Array

  constructor(numbers: ReadonlyArray<string>) {
    const begins = new Uint32Array(grams + 1)
    eachPlace(numbers, (each) => {
      begins[each + 1]! += 1
    })
    for (let each = 1; each < begins.length; each++) begins[each]! += begins[each - 1]!
    const places = new Uint32Array(begins.at(-1)!)
    const filled = begins.slice()
    eachPlace(numbers, (each, place) => {
      places[filled[each]!++] = place
    })
    this.#numbers = numbers
    this.#places = places
    this.#begins = begins
  }

  get bytes(): number {
    return this.#places.byteLength + this.#begins.byteLength
  }

  /** The first `most` places from `from` until `until` of numbers that contain `text`, ascending. */
  find(text: string, from: number, until: number, most: number): ReadonlyArray<number> {
    const found: Array<number> = []
    if (!/^[+0-9]*$/.test(text)) return found
    if (text.length < gram) {
      for (let place = from; place < until && found.length < most; place++) {
        if (this.#numbers[place]!.includes(text)) found.push(place)
      }
      return found
    }
    const [begin, end] = this.#rarest(text)
    for (let at = firstFrom(this.#places, begin, end, from); at < end && found.length < most; at++) {
      const place = this.#places[at]!
      if (place >= until) break
      if (this.#numbers[place]!.includes(text)) found.push(place)
    }
    return found
  }

  #rarest(text: string): readonly [number, number] {
    let rarest: readonly [number, number] = [0, Infinity]
    eachGram(text, (each) => {
      const begin = this.#begins[each]!
      const end = this.#begins[each + 1]!
      if (end - begin < rarest[1] - rarest[0]) rarest = [begin, end]
    })
    return rarest
  }
}
