import type { Outcome } from "../calls/Call.ts"
import { second } from "../Codecs.ts"
import { busyTone } from "./Callee.ts"
import { type CalleeModel, defaultModel, outcomes, type Rates } from "./CalleeModel.ts"
import { type Counts, type Learned, noCounts, nothingLearned } from "./Learned.ts"
import { makeLocalHour } from "./LocalHour.ts"
import { fit, lasting, type Length } from "./LogNormal.ts"
import { type Observed, type ObservedAttempts, untold } from "./Observed.ts"
import { likely } from "./Posterior.ts"
import { rounded } from "./Spread.ts"

type Kind = keyof Rates

/** What an outcome is to a model, which knows of no others. */
const kindOf = (outcome: Outcome): Kind => outcomes.find((kind) => kind === outcome) ?? "failed"

/** An attempt under way, with seconds since it began, and since it was answered if that is known. */
interface UnderWay {
  readonly hour: number
  readonly is_retry: boolean
  readonly count: number
  readonly since_dial: number
  readonly since_answer: number | null
}

const spellOf = ({ median_seconds, spread }: CalleeModel["talk"]) => ({
  observations: 0,
  mean: Math.log(median_seconds),
  deviation: spread
})

/** Seconds of talk if it was answered; where that is not known, after the usual wait. */
const talkOf = (model: CalleeModel, { since_answer, since_dial }: UnderWay): number =>
  since_answer ?? Math.max(0, since_dial - (1 + model.answer_seconds) / 2)

/** The share of the dials that come to `kind` which are still under way so many seconds after their beginning. */
const lastingOf = (model: CalleeModel, kind: Kind, attempt: UnderWay): number => {
  if (kind === "answered" || kind === "voicemail") {
    return lasting(spellOf(model[kind === "answered" ? "talk" : "voicemail"]), talkOf(model, attempt))
  }
  if (attempt.since_answer !== null) return 0
  return attempt.since_dial < (kind === "no_answer" ? model.ring_seconds : busyTone) ? 1 : 0
}

/** In which parts an attempt under way counts as each outcome. One that lasts longer than any counts as none. */
const partsOf = (model: CalleeModel, attempt: UnderWay): Counts => {
  const rates = model.rates[attempt.hour]!
  const weights = outcomes.map(
    (kind) => rates[kind] * (attempt.is_retry ? model.retry[kind] : 1) * lastingOf(model, kind, attempt)
  )
  const sum = weights.reduce((all, each) => all + each, 0)
  if (sum === 0) return noCounts
  return Object.fromEntries(outcomes.map((kind, i) => [kind, (attempt.count * weights[i]!) / sum])) as Counts
}

type Mutable = Record<Kind, number>

/** How often what attempts under way count as is gone over again, with what that has shown. */
const rounds = 3

/**
 * What observed calls say of callees. Calls under way are not left out, since of those that take long more would be
 * missing: they count in parts, as what they may yet come to, and their talks as cut.
 *
 * @param zoneOf where the callees of these calls are; null: not known, and the calls are left out
 */
export const learn = (
  observed: Observed,
  of: Pick<Learned, "campaign_id" | "since">,
  zoneOf: (attempts: ObservedAttempts) => string | null,
  now: number
): Learned => {
  const hourOf = makeLocalHour()
  const counts = { first: hours(), retries: hours() }
  const answer = { observations: 0, seconds: 0 }
  const ring = { observations: 0, seconds: 0 }
  const underWay: Array<UnderWay> = []
  let [attempts, failures, final_failures] = [0, 0, 0]
  for (const group of observed.attempts) {
    const { answered_at, at, count, is_final, is_retry, outcome, rang, started_at } = group
    const zone = zoneOf(group)
    if (zone === null || (outcome !== null && untold.includes(outcome))) continue
    const hour = hourOf(zone, at)
    if (outcome === null) {
      underWay.push({
        hour,
        is_retry,
        count,
        since_dial: Math.max(0, now - started_at!) / second,
        since_answer: answered_at === null ? null : Math.max(0, now - answered_at) / second
      })
      continue
    }
    const kind = kindOf(outcome)
    counts[is_retry ? "retries" : "first"][hour]![kind] += count
    attempts += count
    if (kind === "failed") {
      failures += count
      if (is_final) final_failures += count
    }
    const wait = kind === "no_answer" ? ring : kind === "answered" || kind === "voicemail" ? answer : null
    if (wait !== null) {
      wait.observations += count
      wait.seconds += rang / second
    }
  }

  const ended: Learned = {
    ...nothingLearned,
    ...of,
    attempts,
    under_way: underWay.reduce((sum, { count }) => sum + count, 0),
    ...counts,
    answer: waitOf(answer),
    ring: waitOf(ring),
    failures,
    final_failures
  }
  const talksOf = (outcome: "answered" | "voicemail", parts: ReadonlyArray<Counts>) => {
    const cut = underWay.map((attempt, i): Length => ({
      seconds: talkOf(defaultModel, attempt),
      is_cut: true,
      count: parts[i]?.[outcome] ?? 0
    }))
    const key = outcome === "answered" ? "talk" : "voicemail"
    const lengths = [...observed.talks.filter((talks) => talks.outcome === outcome), ...cut]
    const { deviation, mean, observations } = fit(lengths, spellOf(nothingLearned[key]))
    return { [key]: { observations, median_seconds: rounded(Math.exp(mean)), spread: rounded(deviation) } }
  }

  let learned: Learned = { ...ended, ...talksOf("answered", []), ...talksOf("voicemail", []) }
  for (let round = 0; round < rounds && underWay.length > 0; round++) {
    const model = likely(learned)
    const parts = underWay.map((attempt) => partsOf(model, attempt))
    const withParts = (is_retry: boolean, before: ReadonlyArray<Counts>) =>
      before.map((known, hour) =>
        underWay.reduce(
          (sum, attempt, i) =>
            attempt.hour === hour && attempt.is_retry === is_retry ? plus(sum, parts[i]!) : sum,
          known
        )
      )
    learned = {
      ...ended,
      first: withParts(false, counts.first),
      retries: withParts(true, counts.retries),
      ...talksOf("answered", parts),
      ...talksOf("voicemail", parts)
    }
  }
  return learned
}

const hours = (): ReadonlyArray<Mutable> => nothingLearned.first.map((counts) => ({ ...counts }))

const waitOf = ({ observations, seconds }: { readonly observations: number; readonly seconds: number }) => ({
  observations,
  mean_seconds: observations === 0 ? 0 : rounded(seconds / observations)
})

const plus = (left: Counts, right: Counts): Counts =>
  Object.fromEntries(outcomes.map((kind) => [kind, left[kind] + right[kind]])) as Counts
