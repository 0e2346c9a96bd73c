import { type Chance, gamma, normal } from "./Chance.ts"

/** Seconds of talks. `is_cut`: the talk lasted at least so long, and how long is not known. */
export interface Length {
  readonly seconds: number
  readonly is_cut: boolean
  readonly count: number
}

/** The logarithms of some talks: how many were seen to their end, their mean, and their standard deviation. */
export interface Logs {
  readonly observations: number
  readonly mean: number
  readonly deviation: number
}

/** The tail of the standard normal distribution above `x`. Source: Abramowitz and Stegun, 26.2.17. */
export const tail = (x: number): number => {
  if (x < 0) return 1 - tail(-x)
  const t = 1 / (1 + 0.231_641_9 * x)
  const series =
    t * (0.319_381_53 + t * (-0.356_563_782 + t * (1.781_477_937 + t * (-1.821_255_978 + t * 1.330_274_429))))
  return density(x) * series
}

const density = (x: number): number => Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)

/** The share of talks that last longer than `seconds`. */
export const lasting = ({ deviation, mean }: Logs, seconds: number): number => {
  if (seconds <= 0) return 1
  if (deviation === 0) return Math.log(seconds) < mean ? 1 : 0
  return tail((Math.log(seconds) - mean) / deviation)
}

/** How many talks what is assumed counts for. */
const trust = 2

/** The mean of what lies above `x` in the standard normal distribution. */
const above = (x: number): number => (x > 6 ? x + 1 / x : density(x) / tail(x))

const rounds = 25

/**
 * The logarithms of talks of which some were cut: in each round these count as what they would have come to, by the
 * round before (expectation and maximisation). `assumed` counts for a few talks.
 */
export const fit = (lengths: ReadonlyArray<Length>, assumed: Logs): Logs => {
  const seen = lengths.map(({ count, is_cut, seconds }) => ({
    count,
    is_cut,
    log: Math.log(Math.max(1, seconds))
  }))
  const observations = seen.reduce((sum, { count, is_cut }) => sum + (is_cut ? 0 : count), 0)
  const all = seen.reduce((sum, { count }) => sum + count, 0)
  if (all === 0) return { ...assumed, observations: 0 }
  let { deviation, mean } = assumed
  let own = { mean, deviation }
  for (let round = 0; round < rounds; round++) {
    let first = 0
    let second = 0
    for (const { count, is_cut, log } of seen) {
      if (!is_cut || deviation === 0) {
        first += count * log
        second += count * log * log
        continue
      }
      const x = (log - mean) / deviation
      const more = above(x)
      const expected = mean + deviation * more
      first += count * expected
      second += count * (expected * expected + deviation * deviation * (1 + x * more - more * more))
    }
    own = { mean: first / all, deviation: Math.sqrt(Math.max(0, second / all - (first / all) ** 2)) }
    const given = posterior({ ...own, observations: all }, assumed)
    mean = given.mean
    deviation = Math.sqrt(given.scale / (given.shape - 1))
  }
  return { ...own, observations }
}

/** What is known of mean and variance: normal, and inverse gamma. */
const posterior = (logs: Logs, assumed: Logs) => {
  const { deviation, mean, observations: n } = logs
  const weight = trust + n
  return {
    mean: (trust * assumed.mean + n * mean) / weight,
    weight,
    shape: 3 + n / 2,
    scale:
      2 * assumed.deviation ** 2 +
      (n * deviation ** 2) / 2 +
      (trust * n * (mean - assumed.mean) ** 2) / (2 * weight)
  }
}

/** Mean and deviation as talks and what is assumed together say: the likeliest, or, with a chance, one draw. */
export const concluded = (logs: Logs, assumed: Logs, chance: Chance | null): Logs => {
  const { mean, scale, shape, weight } = posterior(logs, assumed)
  const variance = scale / (chance === null ? shape - 1 : gamma(chance, shape))
  const moved = chance === null ? 0 : (normal(chance) * Math.sqrt(variance)) / Math.sqrt(weight)
  return { observations: logs.observations, mean: mean + moved, deviation: Math.sqrt(variance) }
}
