/** A source of numbers from 0 (inclusive) to 1, each the next of its row. */
export type Chance = () => number

/** FNV-1a over UTF-16 code units, from `seed`. */
const hash = (seed: number, text: string): number => {
  let value = 0x811c9dc5 ^ seed
  for (let i = 0; i < text.length; i++) value = Math.imul(value ^ text.charCodeAt(i), 0x01000193)
  return value >>> 0
}

/**
 * The row of numbers that belongs to a seed, a name and a turn: always the same one, whatever else was drawn.
 * Generator: mulberry32.
 */
export const chanceOf = (seed: number, name: string, turn: number): Chance => {
  let state = (hash(seed, name) + Math.imul(turn + 1, 0x9e3779b9)) | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A number of the standard normal distribution (Box and Muller). */
export const normal = (chance: Chance): number =>
  Math.sqrt(-2 * Math.log(1 - chance())) * Math.cos(2 * Math.PI * chance())

/** A number of the log-normal distribution with a median, and `spread` the deviation of its logarithm. */
export const logNormal = (chance: Chance, median: number, spread: number): number =>
  median * Math.exp(spread * normal(chance))

/** A whole number from `least` to `most`, both included. */
export const between = (chance: Chance, least: number, most: number): number =>
  least + Math.floor(chance() * (most - least + 1))

/** A number of the gamma distribution of this shape and the scale 1. Source: Marsaglia and Tsang, 2000. */
export const gamma = (chance: Chance, shape: number): number => {
  if (shape < 1) return gamma(chance, shape + 1) * (1 - chance()) ** (1 / shape)
  const d = shape - 1 / 3
  const c = 1 / Math.sqrt(9 * d)
  for (;;) {
    const x = normal(chance)
    const v = (1 + c * x) ** 3
    if (v > 0 && Math.log(1 - chance()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v
  }
}

/** Shares that sum to 1, of the Dirichlet distribution of these weights. */
export const dirichlet = (chance: Chance, weights: ReadonlyArray<number>): ReadonlyArray<number> => {
  const drawn = weights.map((weight) => (weight > 0 ? gamma(chance, weight) : 0))
  const sum = drawn.reduce((all, each) => all + each, 0)
  return drawn.map((each) => each / sum)
}
