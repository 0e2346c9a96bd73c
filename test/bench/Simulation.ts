import { Effect } from "effect"
import { play } from "../../apps/simulation/Engine.ts"
import { day, second } from "../../core/model/Codecs.ts"
import { RawJson } from "../../core/model/json/RawJson.ts"
import { defaultModel } from "../../core/model/simulation/CalleeModel.ts"
import { beatFor, type Plan } from "../../core/model/simulation/Plan.ts"
import * as Report from "./Report.ts"

const config = {
  call_retry_config: { retry_count: 2, retry_busy: 15, retry_not_picked: 180, retry_failed: 30 },
  call_time: { call_start_time: "09:00", call_end_time: "20:00", timezone: "Europe/Paris" }
}

/** A campaign that takes three days of calling. */
const planOf = (recipients: number, max_concurrency: number): Plan => ({
  starts_at: Date.UTC(2026, 0, 5, 8),
  beat_seconds: beatFor(100_000),
  model: defaultModel,
  learned: null,
  workspace: {
    max_concurrency: 1_000,
    calls_per_second: 100,
    allowed_countries: [],
    allow_costly_destinations: false
  },
  credits: null,
  price_per_minute: 1,
  max_call_length: 600,
  campaign: {
    call_config: RawJson(JSON.stringify(config)),
    max_concurrency,
    failure_breaker: null,
    skip_public_holidays: false,
    calls_per_minute: null
  },
  people: Array.from({ length: recipients }, (_, i) => ({
    phone_number: `+336${String(10_000_000 + i)}`,
    timezone: i % 3 === 0 ? "Europe/London" : null
  })),
  do_not_call: []
})

/** Plays once; answers seconds of processor time, and of the wall's. */
const timed = Effect.fnUntraced(function* (plan: Plan) {
  const cpu = process.cpuUsage()
  const start = performance.now()
  const run = yield* play(plan, 1)
  const { system, user } = process.cpuUsage(cpu)
  return { run, cpu: (system + user) / 1e6, wall: (performance.now() - start) / 1_000 }
})

/** A campaign of 100,000 recipients over three virtual days, and what an attempt costs there and among a fifth of them. */
export const run = Effect.gen(function* () {
  Report.heading("a simulated campaign of 100,000 recipients, three virtual days with retries")
  yield* timed(planOf(10_000, 90))
  const small = yield* timed(planOf(20_000, 90))
  const large = yield* timed(planOf(100_000, 90))
  const { ended_at, stats, status } = large.run
  if (status !== "completed") return yield* Effect.dieMessage(`the campaign is ${status}`)
  const days = (ended_at - planOf(1, 1).starts_at) / day
  Report.line("virtual time, attempts", `${days.toFixed(2)} d, ${stats.attempts.toLocaleString("en-US")}`)
  Report.line("processor time", Report.seconds(large.cpu), Report.atMost(20))
  Report.line("elapsed", Report.seconds(large.wall))
  Report.line(
    "memory at most",
    Report.megabytes(process.resourceUsage().maxRSS * 1_024),
    Report.atMost(1_000)
  )
  Report.line("an attempt", Report.micros((large.cpu * 1e6) / stats.attempts))
  const each = ({ cpu, run }: typeof large) => cpu / run.stats.attempts
  Report.line(
    "as a multiple of one among a fifth as many",
    Report.ratio(each(large) / each(small)),
    "about 1"
  )
  Report.line("virtual seconds in one of the wall's", Report.perSecond((days * day) / second, large.wall))
})
