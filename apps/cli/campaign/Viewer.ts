import { Clock, Effect } from "effect"
import type { CampaignRecord } from "../../../core/model/campaigns/Campaign.ts"
import type { Stats } from "../../../core/model/campaigns/CampaignCounters.ts"
import { type Bar, count, duration } from "../progress/Bar.ts"
import * as Live from "../progress/Live.ts"
import { observe, perMinute, type Sample, timeFor } from "../progress/Rate.ts"
import type { Answer } from "../rest/Rest.ts"
import { Output } from "../terminal/Output.ts"
import { moment } from "../terminal/Table.ts"
import * as Record from "./Record.ts"

const rateOf = (rate: number): string => `${rate < 10 ? rate.toFixed(1) : count(Math.round(rate))}/min`

/** What the record of a campaign does not say. */
export interface Outlook {
  /** When the next recipient is due to be tried again; epoch milliseconds. */
  readonly nextRetry: number | null
  /** Messages that were delivered, of a campaign that sends them. */
  readonly delivered: number
}

const retryOf = ({ retry_scheduled }: Stats, nextRetry: number | null, now: number): string => {
  const waiting = `${count(retry_scheduled)} to retry`
  if (nextRetry === null) return waiting
  return `${waiting}, next ${nextRetry <= now ? "now" : `in ${duration(nextRetry - now)}`}`
}

/**
 * Milliseconds until a campaign is done: at the pace that was observed, and not before the next retry is due.
 * Undefined when there is no pace yet, and more is left than retries.
 */
const leftOf = (
  campaign: CampaignRecord,
  rate: number | undefined,
  nextRetry: number | null,
  now: number
) => {
  const { stats, status } = campaign
  if (status !== "running") return undefined
  const left = stats.total - Record.doneOf(stats)
  const paced = timeFor(left, rate)
  if (stats.retry_scheduled === 0 || nextRetry === null) return paced
  if (paced === undefined && stats.retry_scheduled < left) return undefined
  return Math.max(paced ?? 0, nextRetry - now)
}

/** How far a campaign is at a moment (epoch milliseconds). */
export const barOf = (
  campaign: CampaignRecord,
  samples: ReadonlyArray<Sample>,
  now: number,
  { delivered, nextRetry }: Outlook
): Bar => {
  const { stats } = campaign
  const rate = perMinute(samples)
  const left = leftOf(campaign, rate, nextRetry, now)
  return {
    label: campaign.status,
    done: Record.doneOf(stats),
    total: stats.total,
    facts: [
      `${count(stats.in_progress)} in progress`,
      ...(left === undefined ? [] : [`ETA ${duration(left)}`]),
      Record.reached(campaign, delivered),
      ...(rate === undefined ? [] : [rateOf(rate)]),
      ...(stats.retry_scheduled === 0 ? [] : [retryOf(stats, nextRetry, now)])
    ]
  }
}

const line = (now: number, { done, facts, total = 0 }: Bar, campaign: CampaignRecord): string =>
  [moment(now), Record.standing(campaign), `${count(done)}/${count(total)} done`, ...facts].join("  ")

const seenOf = ({ stats, status, status_reason }: CampaignRecord): string =>
  JSON.stringify([status, status_reason, Object.values(stats)])

/** Line breaks in JSON stand between its parts, never in them. */
const oneLine = (text: string): string => text.replace(/[\r\n]+/g, " ").trim()

/**
 * Shows every change of a campaign: on a terminal as a bar that is drawn again, with a line for each new status,
 * elsewhere as lines.
 */
export const viewer = Effect.fnUntraced(function* (json: boolean) {
  const { columns, err, out, screen } = yield* Output
  const drawn = json || columns === undefined ? undefined : screen
  let seen = ""
  let stood = ""
  let samples: ReadonlyArray<Sample> = []

  const clear = drawn === undefined ? Effect.void : Live.clear(drawn)
  yield* Effect.addFinalizer(() => clear)

  const show = Effect.fnUntraced(function* ({ text, value }: Answer<CampaignRecord>, outlook: Outlook) {
    const now = yield* Clock.currentTimeMillis
    samples = observe(samples, { at: now, done: Record.doneOf(value.stats) })
    const [before, after] = [seen, seenOf(value)]
    seen = after
    const bar = barOf(value, samples, now, outlook)
    if (json) return yield* before === after ? Effect.void : out(oneLine(text))
    if (drawn === undefined) return yield* before === after ? Effect.void : out(line(now, bar, value))
    const stands = Record.standing(value)
    if (stood !== stands && !Record.hasEnded(value)) {
      yield* Effect.zipRight(clear, out(`${moment(now)}  ${stands}`))
    }
    stood = stands
    yield* Live.draw(drawn, bar)
  })

  return {
    show,
    say: (text: string) => Effect.zipRight(clear, err(text)),
    end: (campaign: CampaignRecord, { delivered }: Outlook) =>
      json ? clear : Effect.zipRight(clear, out(Record.summary(campaign, delivered)))
  }
})
