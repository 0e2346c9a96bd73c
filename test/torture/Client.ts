import { Effect, Schedule } from "effect"
import type { PCGRandom } from "effect/Utils"
import { callees, numberOf, silent } from "./Callees.ts"
import type { Asked } from "./Evidence.ts"
import { choose } from "./Script.ts"
import type { Tenant } from "./Stores.ts"
import type { Topology } from "./Topology.ts"

interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

/** Asks one of the processes; a server that is frozen is not waited for. */
const send = (port: number, key: string, method: string, path: string, body?: object) =>
  Effect.tryPromise(async (): Promise<Answer> => {
    const response = await fetch(`http://127.0.0.1:${port}/v0${path}`, {
      method,
      headers: { "x-api-key": key, "content-type": "application/json", connection: "close" },
      signal: AbortSignal.timeout(10_000),
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    return { status: response.status, body: (await response.json()) as Answer["body"] }
  })

const retries = { retry_count: 1, retry_busy: 0, retry_not_picked: 0, retry_failed: 0 }

const zones = ["UTC", "Asia/Kolkata", "America/St_Johns", "Pacific/Chatham"]

/** The time on a wall of that zone, HH:MM. */
const wallTime = (at: number, timeZone: string) =>
  new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit", hourCycle: "h23" }).format(
    at
  )

const minute = 60_000
const hour = 60 * minute

/** What is asked for, and what was answered. */
export interface Book {
  readonly asked: Array<Asked>
  readonly ambiguous: Array<string>
  /** Calls whose window does not open, to be called off at the end. */
  readonly closed: Array<{ readonly call_id: string; readonly number: string; readonly tenant: Tenant }>
}

/** A customer of the platform: each of its requests is sent until it is answered. */
export const make = ({ hook, members, tenants }: Topology, random: PCGRandom) => {
  const book: Book = { asked: [], ambiguous: [], closed: [] }
  let numbers = 0
  const agents = new Map<Tenant, string>()
  const memberAt = () => members[random.integer(members.length)]!

  /** Until a server answers that it has done or refused it, for good. */
  const request = ({ key }: Tenant, method: string, path: string, body?: object) =>
    Effect.suspend(() => send(memberAt().port, key, method, path, body)).pipe(
      Effect.filterOrFail(({ status }) => status < 500 && status !== 429),
      Effect.retry(Schedule.spaced("100 millis"))
    )

  const must = (tenant: Tenant, method: string, path: string, body?: object) =>
    request(tenant, method, path, body).pipe(
      Effect.filterOrDieMessage(({ status }) => status === 200, `${method} ${path} was refused`),
      Effect.map(({ body }) => body)
    )

  /** A published agent, a number and an endpoint, before anything is done to the servers. */
  const settle = Effect.forEach(
    tenants,
    Effect.fnUntraced(function* (tenant) {
      yield* must(tenant, "POST", "/phone-numbers", { number: "+14155550100" })
      const { id } = yield* must(tenant, "POST", "/agents", { name: "Agent", prompt: "Hello {{name}}" })
      yield* must(tenant, "POST", `/agents/${String(id)}/publish`)
      yield* must(tenant, "POST", "/webhooks", { url: hook })
      agents.set(tenant, String(id))
    }),
    { discard: true }
  )

  /** A campaign that runs. */
  const campaign = Effect.fnUntraced(function* (recipients: number) {
    const tenant = tenants[0]!
    const { id } = yield* must(tenant, "POST", "/campaigns", {
      name: "Torture",
      agent_id: agents.get(tenant),
      call_config: { idle_timeout_warning: 20, idle_timeout_end: 70, call_retry_config: retries }
    })
    const some = callees.filter(({ inCampaign }) => inCampaign)
    const all = Array.from({ length: recipients }, () => numberOf(numbers++, choose(some, random).digits))
    for (let at = 0; at < all.length; at += 500) {
      yield* must(tenant, "POST", `/campaigns/${String(id)}/recipients`, {
        recipients: all.slice(at, at + 500).map((phone_number) => ({ phone_number }))
      })
    }
    // With a fault planted, the store may answer before it has them.
    yield* request(tenant, "POST", `/campaigns/${String(id)}/start`).pipe(
      Effect.repeat({ until: ({ status }) => status === 200, schedule: Schedule.spaced("200 millis") }),
      Effect.timeout("10 seconds"),
      Effect.orDie
    )
    for (const number of all) {
      book.asked.push({ number, call_id: null, not_before: 0, cancelled: false })
    }
  })

  /** What a single call is asked for with: every twenty-fifth has a window that opens soon, or not at all. */
  const windowFor = (nth: number) => {
    if (nth % 25 !== 3 && nth % 25 !== 14) return { not_before: 0, closed: false, config: {} }
    const closed = nth % 25 === 3
    const now = Date.now()
    const not_before = closed ? now + 3 * hour : Math.ceil((now + 15_000) / minute) * minute
    const timezone = zones[random.integer(zones.length)]!
    const call_time = {
      call_start_time: wallTime(not_before, timezone),
      call_end_time: wallTime(not_before + 2 * hour, timezone),
      timezone
    }
    return { not_before, closed, config: { call_time } }
  }

  /** Places one call under a key of its own. Every fourth is asked for twice at once, every fifth again later. */
  const place = Effect.fnUntraced(function* (nth: number, withSilence: boolean) {
    const tenant = tenants[nth % tenants.length]!
    const idempotency_key = `key-${nth}`
    const { closed, config, not_before } = windowFor(nth)
    const callee = withSilence && nth % 50 === 7 ? silent : choose(callees, random)
    const number = numberOf(numbers++, closed || not_before > 0 ? "0123" : callee.digits)
    const answered = new Set<string>()
    const ask = request(tenant, "POST", "/calls", {
      agent_id: agents.get(tenant),
      to_number: number,
      idempotency_key,
      metadata: { nth },
      call_config: {
        idle_timeout_warning: 20,
        idle_timeout_end: 70,
        max_call_length: callee === silent ? 1 : 600,
        call_retry_config: retries,
        ...config
      }
    }).pipe(
      Effect.map(({ body, status }) => {
        if (status === 200) return String(body["call_id"])
        const { details } = (body["error"] ?? {}) as { readonly details?: { readonly call_id?: string } }
        return status === 409 ? details?.call_id : undefined
      }),
      Effect.filterOrDieMessage((id) => id !== undefined, "a call was refused"),
      Effect.tap((id) => answered.add(id!))
    )
    yield* Effect.all(nth % 4 === 0 ? [ask, ask] : [ask], { concurrency: 2, discard: true })
    if (nth % 5 === 0) yield* ask
    if (answered.size > 1) book.ambiguous.push(idempotency_key)
    const [call_id] = answered
    if (closed) book.closed.push({ call_id: call_id!, number, tenant })
    else book.asked.push({ number, call_id: call_id!, not_before, cancelled: false })
  })

  /** Calls off what waits for a window that does not open. */
  const callOff = Effect.suspend(() =>
    Effect.forEach(
      book.closed.splice(0),
      ({ call_id, number, tenant }) =>
        Effect.tap(request(tenant, "POST", `/calls/${call_id}/cancel`), () =>
          book.asked.push({ number, call_id, not_before: Infinity, cancelled: true })
        ),
      { concurrency: 4, discard: true }
    )
  )

  const balances = Effect.forEach(
    tenants,
    Effect.fnUntraced(function* (tenant) {
      const { balance } = yield* must(tenant, "GET", "/credits")
      return { workspace_id: tenant.workspace_id, granted: tenant.granted, balance: Number(balance) }
    })
  )

  return { book, settle, campaign, place, callOff, balances }
}
