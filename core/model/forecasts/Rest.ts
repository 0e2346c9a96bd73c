import type { CallConfig } from "../calls/CallConfig.ts"
import { nextDelay } from "../calls/RetryPolicy.ts"
import type { HolidaysOf } from "../campaigns/Place.ts"
import { minute, second } from "../Codecs.ts"
import { type Fate, fateOf } from "../simulation/Callee.ts"
import type { CalleeModel } from "../simulation/CalleeModel.ts"
import type { Chance } from "../simulation/Chance.ts"
import { priceOf } from "../workspaces/Ledger.ts"
import { Agenda } from "./Agenda.ts"
import type { OpenCall, OpenRecipients } from "./OpenRecipients.ts"
import { Pace } from "./Pace.ts"
import { makeZones, type Zone } from "./Zones.ts"

/** What the rest of a campaign goes by. */
export interface Rest {
  readonly now: number
  readonly open: OpenRecipients
  readonly call_config: CallConfig
  readonly holidaysOf: HolidaysOf
  /** Calls under way at one time. */
  readonly lines: number
  readonly calls_per_second: number
  readonly calls_per_minute: number | null
  /** What there is to spend, beside what is held for calls. */
  readonly credits: number
  readonly price_per_minute: number
  readonly max_call_length: number
}

/** How the rest went. */
export interface Ending {
  /** False: the credits were used up before. */
  readonly is_completed: boolean
  readonly ended_at: number
  readonly reached: number
  readonly attempts: number
  readonly credits: number
}

interface Retry {
  readonly at: number
  readonly zone: Zone
  readonly attempts: number
}

interface End extends Retry {
  readonly fate: Fate
}

/** How often what comes of a call under way is drawn until it fits what is known of the call. */
const draws = 200

/** What comes of a call that has lasted so long. One that lasts longer than callees do ends at once. */
const fateOfOpen = (
  model: CalleeModel,
  hour: number,
  { answered_at, attempts, started_at }: OpenCall,
  { max_call_length, now }: Rest,
  chance: Chance
): { readonly fate: Fate; readonly at: number } => {
  for (let i = 0; i < draws; i++) {
    const fate = fateOf(model, hour, max_call_length, chance, attempts - 1)
    const at =
      answered_at === null
        ? started_at + fate.ended_after * second
        : fate.answered_after === null
          ? 0
          : answered_at + fate.talk_seconds * second
    if (at > now) return { fate, at }
  }
  const talk_seconds =
    answered_at === null ? 0 : Math.min(max_call_length, Math.ceil((now - answered_at) / second))
  const ended = { answered_after: null, ended_after: 0, talk_seconds, sub_status: null }
  return { fate: { ...ended, outcome: answered_at === null ? "no_answer" : "answered" }, at: now }
}

/** Counts divided by `by`, so that their sum is too: what is left over goes on to the next. */
const thinning = (by: number) => {
  let left = by / 2
  return (count: number): number => {
    left += count
    const whole = Math.floor(left / by)
    left -= whole * by
    return whole
  }
}

/** Dials, or retries put off, between two moments at which others may have the processor. */
const atOnce = 500

/**
 * Plays what is left of a campaign by its window, retries, lines, pace and credits: due retries go before first calls. Of a
 * large campaign each recipient stands for `scale` of them, on as many fewer lines.
 */
export function* play(
  rest: Rest,
  model: CalleeModel,
  chance: Chance,
  scale: number
): Generator<void, Ending> {
  const { call_config, holidaysOf, max_call_length, now, open, price_per_minute } = rest
  const zoneOf = makeZones(call_config.call_time, holidaysOf)
  const retries = new Agenda<Retry>()
  const ends = new Agenda<End>()
  const lines = Math.max(1, Math.round(rest.lines / scale))
  const stretch = (lines * scale) / rest.lines
  const paceOf = (limit: number, span: number) => {
    const fewer = Math.max(1, Math.round(limit / scale))
    return new Pace(fewer, (span * fewer * scale) / limit)
  }
  const paces = [paceOf(rest.calls_per_second, second)]
  if (rest.calls_per_minute !== null) paces.push(paceOf(rest.calls_per_minute, minute))
  const price = price_per_minute * scale
  let [balance, reached, attempts, credits, ended_at, underWay, steps] = [rest.credits, 0, 0, 0, now, 0, 0]

  const thinned = thinning(scale)
  const firsts: Array<Zone> = []
  for (const { attempts, count, due_at, timezone } of open.waiting) {
    const zone = zoneOf(timezone)
    const kept = thinned(count)
    if (attempts === 0 && due_at === null) {
      if (kept > 0) firsts.push(zone)
      zone.waiting += kept
    } else {
      for (let i = 0; i < kept; i++)
        retries.add({ at: zone.opening(Math.max(now, due_at ?? 0)), zone, attempts })
    }
  }
  const thinnedCalls = thinning(scale)
  for (const call of open.calls) {
    const zone = zoneOf(call.timezone)
    if (thinnedCalls(1) === 0) continue
    const { at, fate } = fateOfOpen(model, zone.hourOf(call.started_at), call, rest, chance)
    ends.add({ at: now + (at - now) * stretch, zone, attempts: call.attempts, fate })
    underWay += 1
  }

  const end = ({ at, attempts, fate, zone }: End) => {
    underWay -= 1
    ended_at = Math.max(ended_at, at)
    const cost = priceOf(fate.talk_seconds, price)
    const delay = nextDelay(call_config.call_retry_config ?? {}, fate, attempts)
    if (delay !== null) return retries.add({ at: zone.opening(at + delay), zone, attempts })
    if (fate.outcome === "answered") reached += scale
    const charged = Math.min(cost, balance + price)
    credits += charged
    balance += price - charged
  }

  const dial = (zone: Zone, before: number, at: number) => {
    if (before === 0) balance -= price
    attempts += scale
    underWay += 1
    for (const pace of paces) pace.dialled(at)
    const fate = fateOf(model, zone.hourOf(at), max_call_length, chance, before)
    ends.add({ at: at + fate.ended_after * second * stretch, zone, attempts: before + 1, fate })
  }

  const mayDial = (at: number) => underWay < lines && paces.every(({ next }) => next <= at)

  for (let at = now; ;) {
    while (ends.next <= at) end(ends.take())
    let isPoor = false
    while (mayDial(at)) {
      if (retries.next <= at) {
        const { attempts, zone } = retries.take()
        const opening = zone.opening(at)
        if (opening > at) retries.add({ at: opening, zone, attempts })
        else dial(zone, attempts, at)
      } else {
        const zone = firsts.find(({ opening, waiting }) => waiting > 0 && opening(at) <= at)
        if (zone === undefined) break
        isPoor = balance < price
        if (isPoor) break
        zone.waiting -= 1
        dial(zone, 0, at)
      }
      steps += 1
      if (steps % atOnce === 0) yield
    }
    if (isPoor) {
      while (ends.next < Infinity) end(ends.take())
      return { is_completed: false, ended_at, reached, attempts, credits }
    }
    let next = ends.next
    if (underWay < lines) {
      const waiting = firsts.reduce(
        (soonest, zone) => (zone.waiting > 0 ? Math.min(soonest, zone.opening(at)) : soonest),
        retries.next
      )
      next = Math.min(next, Math.max(waiting, ...paces.map((pace) => pace.next)))
    }
    if (next === Infinity) return { is_completed: true, ended_at, reached, attempts, credits }
    at = next
  }
}
