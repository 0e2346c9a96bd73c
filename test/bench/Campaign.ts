import { join } from "node:path"
import { Effect, Option, Schedule } from "effect"
import { RawJson } from "../../core/model/json/RawJson.ts"
import { Repository } from "../../core/ports/Repository.ts"
import { Campaigns } from "../../core/usecases/Campaigns.ts"
import { Recipients } from "../../core/usecases/Recipients.ts"
import * as Platform from "./Platform.ts"
import * as Report from "./Report.ts"

const caps = { max_concurrency: 1_000, calls_per_second: 100_000 }

/** A campaign in draft, with recipients. */
const filled = Effect.fnUntraced(function* ({ agent_id, workspace_id }: Platform.Seed, count: number) {
  const { campaign } = yield* (yield* Campaigns).create(workspace_id, {
    name: "Bench",
    agent_id,
    channel: "voice",
    from_phone_number_id: null,
    template: null,
    call_config: null,
    max_concurrency: null,
    recipient_timezone: null,
    skip_public_holidays: false,
    failure_breaker: null,
    calls_per_minute: null,
    scheduled_for: null,
    metadata: null
  })
  const recipients = yield* Recipients
  for (let at = 0; at < count; at += 1_000) {
    yield* recipients.add(
      workspace_id,
      campaign.id,
      Array.from({ length: Math.min(1_000, count - at) }, (_, i) => ({
        phone_number: `+1${200_000 + Math.floor((at + i) / 9_000)}${String(1_000 + ((at + i) % 9_000))}`,
        timezone: null,
        variables: RawJson('{"name":"Ada","order":"1234"}')
      }))
    )
  }
  return campaign.id
})

const completed = (workspace_id: string, id: string) =>
  Effect.flatMap(Repository, ({ campaigns }) =>
    Effect.map(campaigns.counters(workspace_id, id), (counters) =>
      Option.match(counters, { onNone: () => 0, onSome: ({ completed }) => completed })
    )
  )

/** Attempts a second from the start, or the resumption, until at least `count` more recipients are done. */
const rate = (seed: Platform.Seed, id: string, count: number) =>
  Effect.gen(function* () {
    const before = yield* completed(seed.workspace_id, id)
    const start = performance.now()
    yield* (yield* Campaigns).start(seed.workspace_id, id)
    const done = completed(seed.workspace_id, id)
    yield* Effect.repeat(done, {
      until: (now) => now - before >= count,
      schedule: Schedule.spaced("5 millis")
    })
    return ((yield* done) - before) / ((performance.now() - start) / 1_000)
  })

const whole = Effect.fnUntraced(function* (folder: string) {
  const filename = join(folder, "whole.db")
  const seed = yield* Platform.seed(filename, 0, caps)
  return yield* Effect.gen(function* () {
    return yield* rate(seed, yield* filled(seed, 20_000), 20_000)
  }).pipe(Effect.provide(Platform.running(Platform.onFile(filename))), Effect.orDie)
})

/** Rates of a thousand recipients of a small and of a large campaign, turn and turn about, on one warm platform. */
const smallAndLarge = Effect.fnUntraced(function* (folder: string) {
  const filename = join(folder, "sizes.db")
  const seed = yield* Platform.seed(filename, 0, caps)
  return yield* Effect.gen(function* () {
    const campaigns = yield* Campaigns
    const large = yield* filled(seed, 100_000)
    const rates = { small: new Array<number>(), large: new Array<number>() }
    for (let round = 0; round < 6; round++) {
      const small = yield* filled(seed, 1_000)
      const few = yield* rate(seed, small, 1_000)
      const many = yield* rate(seed, large, 1_000)
      yield* campaigns.update(seed.workspace_id, large, { status: "paused" })
      yield* Effect.sleep("300 millis")
      if (round === 0) continue
      rates.small.push(few)
      rates.large.push(many)
    }
    return { few: Report.median(rates.small), many: Report.median(rates.large) }
  }).pipe(Effect.provide(Platform.running(Platform.onFile(filename))), Effect.orDie)
})

/** Attempts of a campaign against a carrier without delays, and what one costs with few and with many recipients. */
export const run = Effect.gen(function* () {
  Report.heading("a campaign against a carrier without delays, three webhook events each")
  const folder = yield* Platform.folder
  Report.line("20,000 recipients", Report.rate(yield* whole(folder)), Report.atLeast(1_000))
  const { few, many } = yield* smallAndLarge(folder)
  Report.line("1,000 of 1,000 recipients", Report.rate(few))
  Report.line("1,000 of 100,000 recipients", Report.rate(many))
  Report.line("an attempt of the many, as a multiple of one of the few", Report.ratio(few / many), "about 1")
}).pipe(Effect.scoped)

const attempts = 1_000_000

/** A page of attempts behind 100,000 of a million, beside the first page. */
export const listing = Effect.gen(function* () {
  Report.heading(`a campaign's attempts, page of 100 of ${attempts.toLocaleString("en-US")}`)
  const folder = yield* Platform.folder
  const filename = join(folder, "attempts.db")
  const seed = yield* Platform.seed(filename, 0, caps)
  yield* Effect.gen(function* () {
    const repository = yield* Repository
    const id = yield* filled(seed, 1)
    const insert = (n: number) =>
      repository.attempts.insert({
        id: `att_${String(n).padStart(26, "0")}`,
        customer_id: seed.workspace_id,
        call_id: `call_${String(n).padStart(26, "0")}`,
        campaign_id: id,
        recipient_id: `rcpt_${String(n % 500_000).padStart(26, "0")}`,
        session_id: `sess_${String(n).padStart(26, "0")}`,
        channel: "voice",
        dial_number: null,
        agent_version: null,
        attempt_number: 1,
        status: n % 3 === 0 ? "failed" : "completed",
        scheduled_for: n,
        started_at: n,
        answered_at: n,
        completed_at: n,
        carrier_call_id: `sim_${n}`,
        error_code: null,
        error_message: null,
        from_number: "+14155550100",
        outcome: "answered",
        sub_status: "user_hangup",
        duration_seconds: 30,
        credits: 1,
        created_at: n,
        updated_at: n
      })
    for (let at = 0; at < attempts; at += 2_000) {
      const slice = Array.from({ length: 2_000 }, (_, i) => at + i)
      yield* repository.transaction(seed.workspace_id, Effect.forEach(slice, insert, { discard: true }))
    }
    const counters = Option.getOrThrow(yield* repository.campaigns.counters(seed.workspace_id, id))
    yield* repository.campaigns.saveCounters({ ...counters, attempts })
    const campaigns = yield* Campaigns
    const cost = Effect.fnUntraced(function* (offset: number, filter: { readonly status?: "failed" }) {
      const costs: Array<number> = []
      for (let i = 0; i < 9; i++) {
        const start = performance.now()
        const page = yield* campaigns.attempts(seed.workspace_id, id, filter, { limit: 100, offset })
        costs.push(performance.now() - start)
        if (page.data.length !== 100) return yield* Effect.dieMessage("a page is not full")
      }
      return Report.median(costs)
    })
    Report.line("offset 0", Report.millis(yield* cost(0, {})))
    Report.line("offset 100,000", Report.millis(yield* cost(100_000, {})), Report.atMost(50))
    Report.line(
      "offset 100,000 of the failed",
      Report.millis(yield* cost(100_000, { status: "failed" })),
      Report.atMost(50)
    )
  }).pipe(Effect.provide(Platform.running(Platform.onFile(filename))), Effect.orDie)
}).pipe(Effect.scoped)
