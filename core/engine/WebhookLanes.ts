import { Clock, Effect, Option, Random } from "effect"
import { minute } from "../model/Codecs.ts"
import { nextAttempt } from "../model/webhooks/RetrySchedule.ts"
import { secretsAt } from "../model/webhooks/SigningSecret.ts"
import type { Delivery, Webhook } from "../model/webhooks/Webhook.ts"
import type { ClaimedDelivery } from "../ports/DeliveryRows.ts"
import { Repository } from "../ports/Repository.ts"
import { type DeliveryResult, WebhookSink } from "../ports/WebhookSink.ts"
import * as Batched from "./Batched.ts"
import * as Metrics from "./Metrics.ts"
import type { Fork, Round } from "./Round.ts"
import { span } from "./Span.ts"

/** A try that has not come to an end by then is made again: the process that made it is gone. */
const lease = minute
/** Tries under way at one time to one endpoint, and to all endpoints of a workspace. */
const perEndpoint = 128
const perWorkspace = 512

/** Each endpoint has its own share, so that endpoints that hang leave room for the others. */
const shareOf = (endpoints: number): number =>
  Math.min(perEndpoint, Math.max(1, Math.floor(perWorkspace / endpoints)))

const counted = { Acknowledged: "acknowledged", Gone: "gone", Failed: "failed" } as const

/** What a delivery is after a try. `jitter` is chance between 0 and 1. */
export const afterTry = (
  delivery: Delivery,
  result: DeliveryResult,
  now: number,
  jitter: number
): Delivery => {
  const tried = {
    ...delivery,
    attempts: delivery.attempts + 1,
    response_status: result.status,
    updated_at: now
  }
  switch (result._tag) {
    case "Acknowledged":
      return { ...tried, status: "delivered", last_error: null, next_attempt_at: null, delivered_at: now }
    case "Gone":
      return { ...tried, status: "dead", last_error: "http 410", next_attempt_at: null }
    case "Failed": {
      const next = nextAttempt(tried.attempts, now, result.retry_after, jitter)
      return {
        ...tried,
        status: next === null ? "dead" : "pending",
        last_error: result.error,
        next_attempt_at: next
      }
    }
  }
}

/** Characters of an answer that are kept. */
export const mostAnswer = 4_096

/** What is kept of an answer: no store takes NUL characters or half of a character. */
export const keptAnswer = ({ body }: DeliveryResult): string | null =>
  body === undefined || body === "" ? null : body.slice(0, mostAnswer).replaceAll("\u0000", "").toWellFormed()

/** A try that has ended, with what its delivery is from now on. */
interface Tried {
  readonly webhook: Webhook
  readonly result: DeliveryResult
  readonly next: Delivery
}

/**
 * The delivering half of a workspace's due-work loop: the events of one call reach an endpoint in order, those
 * of other calls do not wait for them.
 */
export const makeWebhookLanes = Effect.gen(function* () {
  const repository = yield* Repository
  const sink = yield* WebhookSink

  const disable = (webhook: Webhook) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const current = yield* repository.webhooks.get(webhook.customer_id, webhook.id)
      if (Option.isNone(current) || current.value.status === "disabled") return
      yield* repository.webhooks.update({
        ...current.value,
        status: "disabled",
        disabled_reason: "gone",
        updated_at: now
      })
      yield* repository.deliveries.bury(webhook.customer_id, webhook.id, now)
    })

  /** Stores what came of tries, and answers what the lane of each has next. An endpoint that is gone has nothing. */
  const settle = Effect.fnUntraced(function* (workspace_id: string, tries: ReadonlyArray<Tried>) {
    const behind = yield* repository.deliveries.settle(
      workspace_id,
      tries.map(({ next, result }) => ({
        delivery: next,
        response_body: keptAnswer(result),
        until: next.updated_at + lease
      }))
    )
    const gone = new Map(
      tries.flatMap(({ result, webhook }) => (result._tag === "Gone" ? [[webhook.id, webhook]] : []))
    )
    yield* Effect.forEach(gone.values(), disable, { discard: true })
    return behind.map((head, n) => (gone.has(tries[n]!.webhook.id) ? Option.none() : head))
  })
  const settled = yield* Batched.make(
    perEndpoint,
    ({ webhook }: Tried) => webhook.customer_id,
    (workspace_id, tries) => repository.transaction(workspace_id, settle(workspace_id, tries))
  )

  const tryOnce = Effect.fnUntraced(function* (webhook: Webhook, claimed: ClaimedDelivery) {
    const clock = yield* Effect.clock
    const result = yield* sink.deliver({
      id: claimed.delivery.event_id,
      webhook_id: webhook.id,
      url: webhook.url,
      secrets: secretsAt(webhook, clock.unsafeCurrentTimeMillis()),
      body: claimed.body
    })
    yield* Metrics.count(Metrics.deliveries[counted[result._tag]])
    const now = clock.unsafeCurrentTimeMillis()
    const jitter = result._tag === "Failed" ? yield* Random.next : 0
    const next = afterTry(claimed.delivery, result, now, jitter)
    return yield* settled({ webhook, result, next })
  }, span("Lanes.deliver"))

  /** Delivers the head of a lane, and what comes behind it for as long as all goes well. */
  const run = Effect.fnUntraced(function* (webhook: Webhook, head: ClaimedDelivery) {
    let claimed = Option.some(head)
    while (Option.isSome(claimed)) claimed = yield* tryOnce(webhook, claimed.value)
  })

  /** Starts the tries that are due. */
  const deliverDue = Effect.fnUntraced(function* (
    workspace_id: string,
    busy: Map<string, number>,
    fork: Fork
  ) {
    const now = yield* Clock.currentTimeMillis
    const due = yield* repository.deliveries.nextDue(workspace_id)
    if (Option.isNone(due) || due.value > now) return { again: false, due } satisfies Round
    let started = 0
    const active = yield* repository.webhooks.active(workspace_id)
    const share = shareOf(active.length)
    for (const webhook of active) {
      const free = share - (busy.get(webhook.id) ?? 0)
      if (free <= 0) continue
      const claimed = yield* repository.transaction(
        workspace_id,
        repository.deliveries.claim(workspace_id, webhook.id, now, now + lease, free)
      )
      started += claimed.length
      busy.set(webhook.id, (busy.get(webhook.id) ?? 0) + claimed.length)
      const over = () => busy.set(webhook.id, busy.get(webhook.id)! - 1)
      for (const head of claimed) yield* fork(run(webhook, head), over)
    }
    return { again: started > 0, due: Option.none<number>() } satisfies Round
  })

  return { deliverDue }
})
