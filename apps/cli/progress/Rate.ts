/** The amount that was done at a moment (epoch milliseconds). */
export interface Sample {
  readonly at: number
  readonly done: number
}

const windowMillis = 60_000
/** Over a shorter time a rate says nothing. */
const leastMillis = 2_000

/** The samples of the last minute, and the one before it. */
export const observe = (samples: ReadonlyArray<Sample>, sample: Sample): ReadonlyArray<Sample> => {
  const begin = sample.at - windowMillis
  const first = samples.findLastIndex(({ at }) => at <= begin)
  return [...samples.slice(Math.max(0, first)), sample]
}

/** Done in a minute, at the pace of the last one; undefined while too little was seen. */
export const perMinute = (samples: ReadonlyArray<Sample>): number | undefined => {
  const [first, last] = [samples[0], samples.at(-1)]
  if (first === undefined || last === undefined || last.at - first.at < leastMillis) return undefined
  return (Math.max(0, last.done - first.done) * 60_000) / (last.at - first.at)
}

/** Milliseconds until the rest is done; undefined when the rate says nothing. */
export const timeFor = (left: number, rate: number | undefined): number | undefined =>
  rate === undefined || rate <= 0 ? undefined : (left * 60_000) / rate
