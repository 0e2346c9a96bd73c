import { type CalleeModel, defaultModel, outcomes, type Rates } from "./CalleeModel.ts"
import { type Chance, chanceOf, dirichlet } from "./Chance.ts"
import type { Counts, Learned } from "./Learned.ts"
import { concluded, type Logs } from "./LogNormal.ts"

type Vector = ReadonlyArray<number>

const vectorOf = (counts: Counts | Rates): Vector => outcomes.map((outcome) => counts[outcome])
const sumOf = (vector: Vector): number => vector.reduce((sum, each) => sum + each, 0)
const shared = (vector: Vector): Vector => {
  const sum = sumOf(vector)
  return vector.map((each) => each / sum)
}
const named = (vector: Vector): Rates =>
  Object.fromEntries(outcomes.map((outcome, i) => [outcome, vector[i]!])) as Rates

/** The vectors added up, each as often as its size says. */
const weighed = (vectors: ReadonlyArray<Vector>, sizes: Vector): Vector =>
  outcomes.map((_, o) => vectors.reduce((sum, vector, i) => sum + vector[o]! * sizes[i]!, 0))

/** How many attempts what is assumed counts for. */
const trust = 20

/** Shares that weights stand for: their mean, or, with a chance, one draw. */
const sharesOf = (weights: Vector, chance: Chance | null): Vector =>
  chance === null ? shared(weights) : dirichlet(chance, weights)

const mixed = (assumed: Vector, counts: Vector): Vector => assumed.map((each, o) => trust * each + counts[o]!)

/**
 * The rates of each hour. What is assumed of the day is moved as far as all that was observed differs from it, and each
 * hour then follows its own attempts, the more the more of them there are.
 */
const ratesOf = (first: ReadonlyArray<Vector>, chance: Chance | null): ReadonlyArray<Vector> => {
  const assumed = defaultModel.rates.map(vectorOf)
  const sizes = first.map(sumOf)
  const all = sumOf(sizes)
  const expected = shared(
    weighed(
      assumed,
      sizes.map((size) => (all === 0 ? 1 : size))
    )
  )
  const observed = weighed(
    first,
    first.map(() => 1)
  )
  const level = sharesOf(mixed(expected, observed), chance)
  return assumed.map((rates, hour) => {
    const moved = shared(rates.map((rate, o) => (rate * level[o]!) / expected[o]!))
    return sharesOf(mixed(moved, first[hour]!), chance)
  })
}

const mostTimes = 100

/** How later attempts differ from first ones of the same hours. */
const retryOf = (
  rates: ReadonlyArray<Vector>,
  retries: ReadonlyArray<Vector>,
  chance: Chance | null
): Vector => {
  const sizes = retries.map(sumOf)
  const all = sumOf(sizes)
  const expected = shared(
    weighed(
      rates,
      sizes.map((size) => (all === 0 ? 1 : size))
    )
  )
  const observed = weighed(
    retries,
    retries.map(() => 1)
  )
  // An outcome that no first attempt had can be drawn with the rate 0, which no factor changes.
  return sharesOf(mixed(expected, observed), chance).map((share, o) =>
    expected[o] === 0 ? 1 : Math.min(mostTimes, share / expected[o]!)
  )
}

/** The whole numbers that bound what a model may say. */
const within = (most: number, value: number): number => Math.min(most, Math.max(1, Math.round(value)))

const longestTalk = 3_600
const mostSpread = 3

const logsOf = ({
  median_seconds,
  observations = 0,
  spread
}: Partial<Learned["talk"]> & CalleeModel["talk"]): Logs => ({
  observations,
  mean: Math.log(median_seconds),
  deviation: spread
})

const spellOf = (
  talks: Learned["talk"],
  assumed: CalleeModel["talk"],
  chance: Chance | null
): CalleeModel["talk"] => {
  const { deviation, mean } = concluded(logsOf(talks), logsOf(assumed), chance)
  return {
    median_seconds: Math.min(longestTalk, Math.max(1, Math.exp(mean))),
    spread: Math.min(mostSpread, deviation)
  }
}

/** How many waits what is assumed counts for. */
const trustInWaits = 5

const meanOf = ({ mean_seconds, observations }: Learned["ring"], assumed: number): number =>
  (trustInWaits * assumed + observations * mean_seconds) / (trustInWaits + observations)

const concludedFrom = (learned: Learned, chance: Chance | null): CalleeModel => {
  const rates = ratesOf(learned.first.map(vectorOf), chance)
  const [final, mended] = sharesOf(
    [
      trustInWaits * defaultModel.final_failures + learned.final_failures,
      trustInWaits * (1 - defaultModel.final_failures) + learned.failures - learned.final_failures
    ],
    chance
  )
  return {
    rates: rates.map(named),
    talk: spellOf(learned.talk, defaultModel.talk, chance),
    voicemail: spellOf(learned.voicemail, defaultModel.voicemail, chance),
    // Answers are spread evenly from one second on.
    answer_seconds: within(60, 2 * meanOf(learned.answer, (1 + defaultModel.answer_seconds) / 2) - 1),
    ring_seconds: within(110, meanOf(learned.ring, defaultModel.ring_seconds)),
    retry: named(retryOf(rates, learned.retries.map(vectorOf), chance)),
    final_failures: final! / (final! + mended!)
  }
}

/** Callees as they may be by what is learned: the seed draws what of it is chance. */
export const drawn = (learned: Learned, seed: number): CalleeModel =>
  concludedFrom(learned, chanceOf(seed, "callees", 0))

const places = 1e4
const roundedTo = (value: number): number => Math.round(value * places) / places

/** Rounded so that their sum is 1 all the same. */
const roundedRates = (rates: Rates): Rates => {
  const most = outcomes.reduce((a, b) => (rates[b] > rates[a] ? b : a))
  const short = named(vectorOf(rates).map(roundedTo))
  return { ...short, [most]: roundedTo(short[most] + 1 - sumOf(vectorOf(short))) }
}

/** Callees as they most likely are by what is learned: with few observations near to the default, without any it. */
export const likely = (learned: Learned): CalleeModel => {
  const model = concludedFrom(learned, null)
  const spell = ({ median_seconds, spread }: CalleeModel["talk"]) => ({
    median_seconds: within(longestTalk, median_seconds),
    spread: roundedTo(spread)
  })
  return {
    ...model,
    rates: model.rates.map(roundedRates),
    talk: spell(model.talk),
    voicemail: spell(model.voicemail),
    retry: named(vectorOf(model.retry).map(roundedTo)),
    final_failures: roundedTo(model.final_failures)
  }
}
