import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { WebhookInbox } from "../../adapters/simulated/WebhookInbox.ts"
import { VirtualTime } from "../../core/engine/VirtualTime.ts"
import { Webhooks } from "../../core/usecases/Webhooks.ts"
import * as Platform from "../Platform.ts"

const calls = 3_334
const expected = ["call_started", "call_completed", "recording_completed"]
const hour = 3_600_000
const outage = 75 * hour

interface Event {
  readonly event_type: string
  readonly call_id: string
}

describe("a webhook receiver that is down for 75 hours", () => {
  it.live(
    "gets all of 10,000 events once it is back, those of each call in order",
    () => {
      const time = new VirtualTime(0)
      return Effect.gen(function* () {
        const tenant = yield* Platform.tenant({}, calls)
        const inbox = yield* WebhookInbox
        yield* inbox.respond(() =>
          time.unsafeCurrentTimeMillis() < outage
            ? { _tag: "Failed", status: 503, error: "http 503", retry_after: null }
            : { _tag: "Acknowledged", status: 204 }
        )
        const placed: Array<string> = []
        for (let n = 0; n < calls; n++) placed.push((yield* Platform.place(tenant, "0123")).call_id)
        yield* Effect.sleep(outage + 10 * hour)

        const entries = yield* inbox.entries
        const tries = entries.filter(({ result }) => result._tag !== "Acknowledged")
        assert.strictEqual(
          new Set(tries.map(({ message }) => message.id)).size,
          calls,
          "the head of each lane"
        )
        const told = new Map<string, Array<string>>()
        const ids = new Set<string>()
        for (const { message, result } of entries) {
          if (result._tag !== "Acknowledged") continue
          const { call_id, event_type } = JSON.parse(message.body) as Event
          assert.isFalse(ids.has(message.id), "acknowledged once")
          ids.add(message.id)
          told.set(call_id, [...(told.get(call_id) ?? []), event_type])
        }
        assert.strictEqual(ids.size, 3 * calls)
        assert.isAbove(ids.size, 10_000)
        for (const call_id of placed) assert.deepStrictEqual(told.get(call_id), expected)
        for (const status of ["dead", "pending"] as const) {
          const page = { limit: 1, offset: 0 }
          const left = yield* (yield* Webhooks).deliveries(
            tenant.workspace.id,
            tenant.webhook.id,
            { status },
            page
          )
          assert.strictEqual(left.total, 0, `none is ${status}: the tenth try comes after 75 hours`)
        }
      }).pipe(Effect.provide(Platform.layer()), Effect.scoped, Effect.withTracerEnabled(false), (work) =>
        time.run(work)
      )
    },
    // Twenty seconds alone on a slow machine, which other tests share.
    180_000
  )
})
